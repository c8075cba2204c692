import WinchBatch
import WinchModel

/// The entries to download: the URLs of the command line first, then those of the batch files, in the given order.
struct Batches {
    private(set) var specs: [TransferSpec] = []
    /// Problems in the form for the user: `urls.txt:12: error: ...`.
    private(set) var problems: [String] = []
    /// Messages that are no problems: `urls.txt: 2 duplicates left out: lines 3, 7`.
    private(set) var notices: [String] = []
    private(set) var hasErrors = false
    /// Released by `takeSpecs`, because its size is proportional to the number of entries.
    private var duplicates = DuplicateFilter()
    private var leftOut = 0

    /// Returns the entries and releases them here, so that a hundred thousand of them are not stored twice during the run.
    mutating func takeSpecs() -> [TransferSpec] {
        defer { (specs, duplicates) = ([], DuplicateFilter()) }
        return specs
    }

    /// Adds the checksums of `--sums` to the entries.
    mutating func demand(_ sums: ChecksumLists) {
        problems += sums.problems
        specs = sums.demanded(of: specs)
    }

    let parser: BatchParser
    private let folder: String
    private let settings: Shared<TransferSettings>

    /// - Parameter folder: the target folder of entries without `dir=`, in normal form.
    init(folder: String, settings: TransferSettings, places: Places = .current()) {
        self.folder = folder
        self.settings = Shared(settings)
        parser = BatchParser(folder: folder, settings: settings, places: places)
    }

    /// Adds a URL of the command line.
    ///
    /// - Parameter name: from `-o`; `nil`: the server or the URL determines the name.
    mutating func add(url: String, name: TargetPath?) {
        do throws(TransferURL.Fault) {
            let url = try TransferURL(typed: url)
            if !add(TransferSpec(urls: [url], folder: folder, name: name, settings: settings)) { leftOut += 1 }
        } catch {
            problems.append("error: \(Suggestions.words(for: error, of: url))")
            hasErrors = true
        }
    }

    /// Reads a batch file and adds its entries.
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

    /// Adds a notice about duplicate URLs. Call it after all URLs of the command line have been added.
    mutating func noteDuplicateURLs() {
        if leftOut > 0 { notices.insert(Duplicates.words(leftOut), at: 0) }
        leftOut = 0
    }

    /// - Returns: false when the entry is left out because an earlier one asks for the same file.
    private mutating func add(_ spec: TransferSpec) -> Bool {
        guard duplicates.earlier(than: spec, in: specs) == nil else { return false }
        specs.append(spec)
        return true
    }
}

/// Messages about entries that were left out as duplicates.
enum Duplicates {
    /// How many line numbers a message lists.
    private static let most = 5

    static func words(_ count: Int) -> String {
        count == 1 ? "1 duplicate left out" : "\(Format.count(count)) duplicates left out"
    }

    /// - Parameter lines: the line numbers of the duplicates; not empty.
    static func words(_ lines: [Int32]) -> String {
        let shown = lines.prefix(most).map { "\($0)" }.joined(separator: ", ")
        let more = lines.count > most ? " and \(Format.count(lines.count - most)) more" : ""
        return words(lines.count) + (lines.count == 1 ? ": line \(shown)" : ": lines \(shown)\(more)")
    }
}
