import WinchCore

/// All that is to be fetched: URLs of the command line first, then the batch files, in the order given.
struct Batches {
    private(set) var specs: [TransferSpec] = []
    /// Problems as a person reads them: `urls.txt:12: error: ...`.
    private(set) var problems: [String] = []
    private(set) var hasErrors = false

    /// Hands the entries over and keeps none: a hundred thousand of them need not be held twice for the whole run.
    mutating func takeSpecs() -> [TransferSpec] {
        defer { specs = [] }
        return specs
    }

    /// Demands of the entries what is listed for them.
    mutating func demand(_ sums: Sums) {
        problems += sums.problems
        specs = sums.demanded(of: specs)
    }

    let parser: BatchParser
    private let folder: String
    private let settings: Shared<TransferSettings>

    /// - Parameter folder: in its normal form.
    init(folder: String, settings: TransferSettings, places: Places = .current()) {
        self.folder = folder
        self.settings = Shared(settings)
        parser = BatchParser(folder: folder, settings: settings, places: places)
    }

    /// - Parameter name: from `-o`.
    mutating func add(url: String, name: TargetPath?) {
        do throws(TransferURL.Fault) {
            let url = try TransferURL(typed: url)
            specs.append(TransferSpec(urls: [url], folder: folder, name: name, settings: settings))
        } catch {
            problems.append("error: \(Misspelling.words(for: error, of: url))")
            hasErrors = true
        }
    }

    mutating func add(file path: String) {
        do throws(InputFile.Failure) {
            let batch = parser.parse(try InputFile.read(path))
            specs += batch.specs
            problems += batch.problems.map { "\(path):\($0.line): \($0.severity.rawValue): \($0.message)" }
            hasErrors = hasErrors || batch.hasErrors
        } catch {
            problems.append("error: \(error.message)")
            hasErrors = true
        }
    }
}
