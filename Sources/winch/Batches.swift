import WinchCore

/// All that is to be fetched: URLs of the command line first, then the batch files, in the order given.
struct Batches {
    private(set) var specs: [TransferSpec] = []
    /// Problems as the user reads them: `urls.txt:12: error: ...`.
    private(set) var problems: [String] = []
    /// What is worth knowing and no problem: `urls.txt: 2 duplicates left out: lines 3, 7`.
    private(set) var notices: [String] = []
    private(set) var hasErrors = false
    /// Given back with the specs: it is as large as they are many.
    private var duplicates = DuplicateFilter()
    private var leftOut = 0

    /// Hands the entries over and keeps none: a hundred thousand of them need not be held twice for the whole run.
    mutating func takeSpecs() -> [TransferSpec] {
        defer { (specs, duplicates) = ([], DuplicateFilter()) }
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
            if !add(TransferSpec(urls: [url], folder: folder, name: name, settings: settings)) { leftOut += 1 }
        } catch {
            problems.append("error: \(Misspelling.words(for: error, of: url))")
            hasErrors = true
        }
    }

    mutating func add(file path: String) {
        do throws(InputFile.Failure) {
            let batch = parser.parse(try InputFile.read(path))
            specs.reserveCapacity(specs.count + batch.specs.count)
            var lines: [Int32] = []
            for (spec, line) in zip(batch.specs, batch.lines) where !add(spec) { lines.append(line) }
            if !lines.isEmpty { notices.append("\(path): \(Duplicates.words(lines))") }
            problems += batch.problems.map { "\(path):\($0.line): \($0.severity.rawValue): \($0.message)" }
            hasErrors = hasErrors || batch.hasErrors
        } catch {
            problems.append("error: \(error.message)")
            hasErrors = true
        }
    }

    /// Once all URLs of the command line are in.
    mutating func noteDuplicateURLs() {
        if leftOut > 0 { notices.insert(Duplicates.words(leftOut), at: 0) }
        leftOut = 0
    }

    /// - Returns: false for one that asks for the same file as an earlier entry: it is left out.
    private mutating func add(_ spec: TransferSpec) -> Bool {
        guard duplicates.earlier(than: spec, in: specs) == nil else { return false }
        specs.append(spec)
        return true
    }
}

/// What is said of entries that ask for the same file as earlier ones.
enum Duplicates {
    /// More line numbers than this nobody looks up.
    private static let most = 5

    static func words(_ count: Int) -> String {
        count == 1 ? "1 duplicate left out" : "\(Format.count(count)) duplicates left out"
    }

    /// - Parameter lines: where they stand; not empty.
    static func words(_ lines: [Int32]) -> String {
        let shown = lines.prefix(most).map { "\($0)" }.joined(separator: ", ")
        let more = lines.count > most ? " and \(Format.count(lines.count - most)) more" : ""
        return words(lines.count) + (lines.count == 1 ? ": line \(shown)" : ": lines \(shown)\(more)")
    }
}
