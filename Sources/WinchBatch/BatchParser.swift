package import WinchModel

/// Parses a batch file: the grammar of aria2's input file.
///
/// An entry starts on a line without a leading blank: one URL, or several URLs separated by TABs, which are mirrors of one
/// file. The lines below it that begin with a blank are its `name=value` options. `#` in column 0 begins a comment; empty
/// lines, CRLF and a byte order mark are accepted.
///
/// - Source: aria2c(1), "Input File".
package struct BatchParser: Sendable {
    let folder: String
    let settings: Shared<TransferSettings>
    let places: Places
    let uploads: UploadFields
    let folders: FolderFields
    private let newTree: @Sendable () -> UInt64

    /// - Parameters:
    ///   - folder: the target folder of entries without `dir=`.
    ///   - settings: the settings of an entry whose options do not change them.
    ///   - places: resolves the path of a `dir=` option.
    ///   - uploads: the upload options of an entry that has others or none of its own.
    ///   - folders: the options of a folder for an entry that is one and does not have its own.
    ///   - newTree: a random number for each folder that is to be downloaded whole.
    package init(
        folder: String, settings: TransferSettings, places: Places = Places(), uploads: UploadFields = UploadFields(),
        folders: FolderFields = FolderFields(),
        newTree: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) {
        (self.uploads, self.folders, self.newTree) = (uploads, folders, newTree)
        self.folder = folder
        self.settings = Shared(settings)
        self.places = places
    }

    /// The entries of a batch and its problems. An entry with an error is left out of `specs`.
    package struct Batch: Sendable {
        package var specs: [TransferSpec] = []
        /// The line of the URL of each entry in `specs`, from 1; same order, same count.
        package var lines: [Int32] = []
        /// In the order of their lines. A warning about an option that many entries have is reported once, with their number.
        package var problems: [BatchProblem] = []
    }

    /// The transfer of an entry: of the file, or of the folder if its options say that it is one.
    ///
    /// - Parameter given: the entry as if its URL were a file.
    package func placed(_ given: TransferSpec, _ fields: FolderFields) throws(InvalidValue) -> TransferSpec {
        if let option = fields.optionWithoutFolder {
            throw InvalidValue("\(option) is about a folder; add recursive=true")
        }
        guard fields.isRecursive == true else { return given }
        return try fields.completed(by: folders).listing(given, tree: newTree())
    }

    /// Parses the bytes of a whole file. Never fails: what is wrong is in `problems` of the result.
    ///
    /// - Parameter isMetalink: the file has the name of a Metalink; without it the first bytes tell.
    package func parse(_ bytes: [UInt8], isMetalink: Bool = false) -> Batch {
        var reader = BatchReader(bytes, parser: self, isMetalink: isMetalink)
        var batch = reader.next(atMost: .max)
        batch.problems = reader.problems
        return batch
    }
}

/// Parses a batch in pieces, so that its first entries can be used while the rest is parsed. A Metalink is a batch as well: its
/// files are the entries.
package struct BatchReader: Sendable {
    private let parser: BatchParser
    private var text: TextLines.Iterator
    private var batch = BatchParser.Batch()
    private var entry: Entry?
    /// The entries of a Metalink that have not been taken.
    private var metalink: (specs: ArraySlice<TransferSpec>, lines: ArraySlice<Int32>)?
    /// Warnings about options, by the option's name.
    private var warnings: [String: Warning] = [:]
    package private(set) var isAtEnd = false

    private struct Entry {
        var line: Int
        var urls: [TransferURL]
        var options: BatchEntryOptions
        var isFaulty = false
    }

    private struct Warning {
        var index: Int
        var count = 1
    }

    /// - Parameters:
    ///   - bytes: a whole file.
    ///   - isMetalink: the file has the name of a Metalink; without it the first bytes tell.
    package init(_ bytes: [UInt8], parser: BatchParser, isMetalink: Bool = false) {
        self.parser = parser
        let isMetalink = isMetalink || Metalink.begins(bytes)
        let isUTF16 = !isMetalink && TextEncoding.isUnmarkedUTF16(bytes)
        text = TextLines(isMetalink || isUTF16 ? [] : bytes).makeIterator()
        if isMetalink {
            let entries = Metalink(bytes).batch(folder: parser.folder, settings: parser.settings)
            metalink = (entries.specs[...], entries.lines[...])
            batch.problems = entries.problems
        }
        if isUTF16 { problem(1, .error, "this is UTF-16 without a byte order mark; save the file as UTF-8") }
    }

    /// The next entries; fewer than `count` at the end of the file only. Their problems are in `problems`.
    package mutating func next(atMost count: Int) -> BatchParser.Batch {
        if let (specs, lines) = metalink {
            metalink = (specs.dropFirst(count), lines.dropFirst(count))
            isAtEnd = specs.count <= count
            return BatchParser.Batch(specs: Array(specs.prefix(count)), lines: Array(lines.prefix(count)))
        }
        while batch.specs.count < count, !isAtEnd {
            if let (number, line) = text.next() {
                take(line, number: number)
            } else {
                closeEntry()
                isAtEnd = true
            }
        }
        defer { (batch.specs, batch.lines) = ([], []) }
        return BatchParser.Batch(specs: batch.specs, lines: batch.lines)
    }

    /// The problems found so far, in the order of their lines; complete when `isAtEnd`.
    package var problems: [BatchProblem] {
        var problems = batch.problems
        for warning in warnings.values where warning.count > 1 {
            problems[warning.index].message += " (\(NumberFormat.count(warning.count)) entries)"
        }
        return problems
    }
}

extension BatchReader {
    private mutating func take(_ line: ArraySlice<UInt8>, number: Int) {
        guard let first = line.first, first != UInt8(ascii: "#") else { return }
        let text = String(system: line)
        if first.isBlank {
            takeOption(text[...].trimmingBlanks(), number: number)
        } else {
            closeEntry()
            takeURLs(text, number: number)
        }
    }

    private mutating func takeURLs(_ text: String, number: Int) {
        var opened = Entry(
            line: number, urls: [],
            options: BatchEntryOptions(folder: parser.folder, settings: parser.settings.value, places: parser.places))
        for part in text.utf8.split(separator: UInt8(ascii: "\t")) {
            let address = Substring(part).trimmingBlanks()
            guard !address.isEmpty else { continue }
            do throws(TransferURL.Fault) {
                opened.urls.append(try TransferURL(typed: address))
            } catch {
                problem(number, .error, error.message)
                opened.isFaulty = true
            }
        }
        entry = opened
    }

    private mutating func takeOption(_ text: Substring, number: Int) {
        guard !text.isEmpty else { return }
        guard entry != nil else {
            return problem(number, .error, "an option before the first URL: \(text.prefix(40))")
        }
        guard let setting = NameValueLine(text) else {
            return fail(number, "an option is name=value: \(text.prefix(40))")
        }
        let name = setting.name
        do throws(BatchEntryOptions.Fault) {
            try entry?.options.set(name, to: setting.value[...])
        } catch {
            switch error {
            case .unknown:
                warn(number, name) {
                    "unknown option: \(name.prefix(40))"
                        + NearestName.question(for: name, among: BatchEntryOptionName.names)
                }
            case .unused(let reason): warn(number, name) { "\(name) has no effect: \(reason)" }
            case .bad(let words): fail(number, "\(name.prefix(40))\(words.first == ":" ? "" : " ")\(words)")
            }
        }
    }

    /// Adds a warning about an option, or counts it when the option has been warned about before.
    private mutating func warn(_ line: Int, _ option: String, _ words: () -> String) {
        if (warnings[option]?.count += 1) != nil { return }
        // Bounds the memory for a file that is no batch, in which every line is another unknown option.
        if warnings.count < 1000, batch.problems.count < BatchProblem.most {
            warnings[option] = Warning(index: batch.problems.count)
        }
        problem(line, .warning, words())
    }

    private mutating func closeEntry() {
        guard let entry else { return }
        self.entry = nil
        guard !entry.isFaulty, !entry.urls.isEmpty else { return }
        let options = entry.options
        let settings = options.ownsSettings ? Shared(options.settings) : parser.settings
        if options.ownsSettings, settings.value.certificateFile == nil,
            settings.value.keyFile != parser.settings.value.keyFile, !entry.urls.contains(where: { $0.scheme == .sftp })
        {
            let words = "key is the private key of a certificate, or one for SFTP; add cert=FILE, or leave key out"
            return problem(entry.line, .error, words)
        }
        do throws(UploadFields.Fault) {
            let upload = options.upload.completed(by: parser.uploads, for: entry.urls[0])
            if let (order, url) = try upload.order(for: entry.urls) {
                if let option = options.optionOfDownload { throw .ofDownload(option: option) }
                batch.lines.append(Int32(clamping: entry.line))
                batch.specs.append(
                    TransferSpec(upload: order, to: url, settings: settings, startsPaused: options.startsPaused))
                return
            }
        } catch {
            return problem(entry.line, .error, error.message)
        }
        let file = TransferSpec(
            urls: entry.urls, folder: options.folder, name: options.name,
            settings: settings, startsPaused: options.startsPaused)
        do throws(InvalidValue) {
            let spec = try parser.placed(file, options.recursion)
            batch.specs.append(spec)
            batch.lines.append(Int32(clamping: entry.line))
        } catch {
            problem(entry.line, .error, error.message)
        }
    }

    private mutating func fail(_ line: Int, _ message: String) {
        entry?.isFaulty = true
        problem(line, .error, message)
    }

    private mutating func problem(_ line: Int, _ severity: BatchProblem.Severity, _ message: String) {
        batch.problems.note(BatchProblem(line: line, severity: severity, message: message))
    }
}

/// An error or a warning about one line of a batch file, a settings file or a theme.
package struct BatchProblem: Hashable, Sendable {
    /// Whether the entry is still usable.
    package enum Severity: String, Hashable, Sendable {
        /// The entry is left out; the others are not affected.
        case error
        /// Only this line is ignored.
        case warning
    }

    /// From 1.
    package var line: Int
    package var severity: Severity
    /// One line of text for the user; may quote text from the file.
    package var message: String

    package init(line: Int, severity: Severity, message: String) {
        self.line = line
        self.severity = severity
        self.message = message
    }
}

extension BatchProblem {
    /// 100,000: a file with more is another kind of file, and its problems would take more memory than the longest list.
    static let most = 100_000
}

extension [BatchProblem] {
    /// Adds a problem. In place of those after the first 100,000 there is one that says so.
    mutating func note(_ problem: BatchProblem) {
        if count < BatchProblem.most { return append(problem) }
        if count == BatchProblem.most {
            let message = "more problems, which are not listed; is it the right file?"
            append(BatchProblem(line: problem.line, severity: problem.severity, message: message))
        } else if problem.severity == .error {
            self[BatchProblem.most].severity = .error
        }
    }
}
