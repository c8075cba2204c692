import Glibc
import WinchBatch
import WinchModel
import WinchTransport

/// The entries to download: the URLs of the command line first, then those of the batch files, in the given order.
///
/// The files are read at once and parsed in pieces by `read`, so that a front end can show the first entries of a long list
/// while the rest is parsed.
struct BatchFiles: Sendable {
    /// The entries that have been parsed and not taken yet.
    private(set) var specs: ArraySlice<TransferSpec> = []
    /// Problems in the form for the user, `urls.txt:12: error: ...`, that `takeProblems` has not taken; complete when `isAtEnd`.
    private(set) var problems: [String] = []
    /// Messages that are no problems: `urls.txt: 2 duplicates left out: lines 3, 7`; complete when `isAtEnd`.
    var notices: [String] { fileNotices + (isAtEnd ? shard.map { [$0.words] } ?? [] : []) }
    private var fileNotices: [String] = []
    private(set) var hasErrors = false
    /// The files of uploads in batches that are added from now on are looked at, and what is wrong with them is a problem.
    var checksSources = false
    private var duplicates = DuplicateFilter()
    /// Of the command line.
    private var leftOut = 0
    /// What the shard has so far, complete when `isAtEnd`; `nil`: the run takes all entries.
    private(set) var shard: ShardFigures?
    /// The folders that are uploaded and have not been read to their end, in order.
    private var trees: [LocalFolderReader] = []
    /// The files that are not parsed to their end, in order.
    private var files: [File] = []

    private struct File {
        let path: String
        var reader: DistinctReader
        /// Why it cannot be read.
        var failure: String?
    }

    let parser: BatchParser
    private let folder: String
    private let settings: Shared<TransferSettings>

    /// - Parameters:
    ///   - folder: the target folder of entries without `dir=`, in normal form.
    ///   - shard: the part of the entries that is taken; `nil`: all.
    ///   - uploads: the upload options of entries that do not have their own.
    ///   - folders: the options of folders, of entries that do not have their own and of the URLs of the command line.
    init(
        folder: String, settings: TransferSettings, places: Places = .current(), shard: Shard? = nil,
        uploads: UploadFields = UploadFields(), folders: FolderFields = FolderFields()
    ) {
        self.folder = folder
        self.shard = shard.map { ShardFigures($0) }
        self.settings = Shared(settings)
        // That of the command line is the one URL's.
        var others = settings
        others.checksum = nil
        parser = BatchParser(folder: folder, settings: others, places: places, uploads: uploads, folders: folders)
    }

    /// The URLs and files of the command line; `read` parses them.
    ///
    /// - Throws: when the environment does not say which shard this is.
    init(_ sources: SettingSources) throws {
        let command = sources.command
        let fields = command.upload.fields
        self.init(
            folder: command.target.dir, settings: command.transferSettings, shard: try sources.shard, uploads: fields,
            folders: sources.folders)
        let (files, urls) = command.given
        if files.isEmpty, fields.isEmpty {
            for url in urls { add(url: url, name: command.target.out?.path, isFolder: command.folder.recursive) }
        } else if let url = urls.first {
            add(upload: fields, of: files, to: url, links: command.folder.links)
        }
        if leftOut > 0 { fileNotices.append(Duplicates.words(leftOut)) }
        for file in command.target.inputFile { add(file: file) }
    }

    /// Adds a URL of the command line.
    ///
    /// - Parameters:
    ///   - name: from `-o`; `nil`: the server or the URL determines the name.
    ///   - isFolder: it is downloaded with all that is below it.
    mutating func add(url: String, name: TargetPath?, isFolder: Bool = false) {
        let address: TransferURL
        do throws(TransferURL.Fault) {
            address = try TransferURL(typed: url)
        } catch {
            return refuse(CommandLineErrors.words(for: error, of: url))
        }
        var fields = FolderFields()
        fields.isRecursive = isFolder
        do throws(InvalidValue) {
            let file = TransferSpec(urls: [address], folder: folder, name: name, settings: settings)
            let spec = try parser.placed(file, fields)
            if add(spec) == .duplicate { leftOut += 1 }
        } catch {
            refuse(error.message)
        }
    }

    /// Adds uploads of the command line.
    ///
    /// - Parameters:
    ///   - fields: all but the file.
    ///   - files: each is an upload of its own; none: the fields are a form.
    ///   - links: folders among the files are sent with all that lies below them; `nil`: they are not.
    mutating func add(
        upload given: UploadFields, of files: [String], to url: String, links: LocalFolderReader.Links? = nil
    ) {
        var fields = given
        if links != nil { fields.createsFolders = true }
        do throws(TransferURL.Fault) {
            let target = try TransferURL(typed: url)
            guard files.count < 2 || target.namesFolder else {
                return refuse("several files go to a folder; end the URL in /")
            }
            let earlier = (specs, trees)
            for file in files.isEmpty ? [nil] : files.map(Optional.some) {
                fields.file = file
                if let file, let links, FileStatus.kind(of: file) == S_IFDIR {
                    guard let fault = add(folder: file, fields, to: target, links) else { continue }
                    (specs, trees) = earlier
                    return refuse(fault)
                }
                do throws(UploadFields.Fault) {
                    guard let (order, url) = try fields.order(for: [target]) else { continue }
                    switch add(TransferSpec(upload: order, to: url, settings: settings)) {
                    case .new: break
                    case .duplicate: leftOut += 1
                    case .clash(let words):
                        // None is sent: which of them is meant is not known.
                        (specs, trees) = earlier
                        return refuse(words)
                    }
                } catch {
                    (specs, trees) = earlier
                    return refuse(error.message)
                }
            }
        } catch {
            refuse(CommandLineErrors.words(for: error, of: url))
        }
    }

    /// Adds the upload of a folder; `read` reads it.
    ///
    /// - Returns: why it is not added; `nil`: it is, or is a duplicate.
    private mutating func add(
        folder path: String, _ fields: UploadFields, to target: TransferURL, _ links: LocalFolderReader.Links
    ) -> String? {
        guard target.namesFolder, !target.text.utf8.contains(UInt8(ascii: "?")) else {
            return "a folder goes to a folder; end the URL in /, without a query"
        }
        guard !target.scheme.isHTTP || fields.usesTemporaryName != false else {
            return UploadFields.Fault.temporaryNameOverHTTP.message
        }
        var order = UploadOrder(.folder(path))
        (order.createsFolders, order.contentType) = (true, fields.contentType)
        order.usesTemporaryName = fields.usesTemporaryName ?? true
        let base = target.text + (target.text.utf8.last == UInt8(ascii: "/") ? "" : "/")
        // As cp and scp do: `.` stands for what is in it.
        let name = path.lastPathPart.flatMap { [".", ".."].contains($0) ? nil : $0 }
        guard let url = try? TransferURL(base + (name.map { PercentCoding.encoded($0) + "/" } ?? "")) else {
            return "\(path): its URL would be too long"
        }
        if let name, let place = target.file(named: name) {
            // No other file or folder may get its name.
            switch duplicates.judge(TransferSpec(upload: order, to: place, settings: settings)) {
            case .new: break
            case .duplicate:
                leftOut += 1
                return nil
            case .clash(let words): return words
            }
        }
        trees.append(LocalFolderReader(path, as: order, to: url, settings: settings, links: links))
        return nil
    }

    private mutating func refuse(_ words: String) {
        problems.append("error: \(words)")
        hasErrors = true
    }

    mutating func add(file path: String) {
        do throws(InputFile.Failure) {
            add(try InputFile.read(path), of: path)
        } catch {
            add(error, of: path)
        }
    }

    mutating func add(_ bytes: [UInt8], of path: String) {
        let reader = BatchReader(bytes, parser: parser, isMetalink: Metalink.isName(path))
        // Standard input has been consumed by a list that came from it.
        let reason = path == "-" ? "standard input is this list; name a file or a FIFO to upload" : nil
        files.append(
            File(
                path: path,
                reader: DistinctReader(
                    reader, reasonWithoutInput: reason, checksSources: checksSources, checksLoginFiles: true)))
    }

    mutating func add(_ failure: InputFile.Failure, of path: String) {
        let reader = DistinctReader(BatchReader([], parser: parser), reasonWithoutInput: nil)
        files.append(File(path: path, reader: reader, failure: failure.message))
    }

    /// No entry was found that any run would take.
    var hasNothing: Bool { specs.isEmpty && (shard?.listed ?? 0) == 0 }

    var isShardEmpty: Bool { shard.map { isAtEnd && $0.entries == 0 && $0.listed > 0 } ?? false }

    /// All folders have been read, and all files parsed, to their end.
    var isAtEnd: Bool { trees.isEmpty && files.isEmpty }

    /// Of what has been read and parsed to the end, all is taken.
    var isTaken: Bool { isAtEnd && specs.isEmpty }

    /// Reads the folders and parses the files until `specs` has at least `count` entries, or to their end.
    mutating func read(_ count: Int = .max) {
        while specs.count < count, !trees.isEmpty {
            for spec in trees[0].next(atMost: count - specs.count) { take(spec) }
            if trees[0].isAtEnd { close(trees.removeFirst()) }
        }
        while specs.count < count, !files.isEmpty {
            let read = files[0].reader.next(atMost: count - specs.count, &duplicates)
            specs.reserveCapacity(specs.count + read.count)
            for spec in read { take(spec) }
            if files[0].reader.isAtEnd { close(files.removeFirst()) }
        }
        if isAtEnd { duplicates = DuplicateFilter() }
    }

    /// Returns the first of the parsed entries and releases them here, so that a hundred thousand of them are not stored twice
    /// during the run.
    mutating func takeSpecs(atMost count: Int = .max) -> [TransferSpec] {
        let taken = Array(specs.prefix(count))
        specs = taken.count < specs.count ? specs.dropFirst(taken.count) : []
        return taken
    }

    /// The problems that were found since the last call, so that each is told once.
    mutating func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }

    private mutating func close(_ tree: LocalFolderReader) {
        fileNotices += tree.notices
        problems += tree.problems.map { "error: \($0)" }
        hasErrors = hasErrors || !tree.problems.isEmpty
    }

    private mutating func close(_ file: File) {
        let (found, duplicates) = (file.reader.problems, file.reader.duplicates)
        if !duplicates.isEmpty { fileNotices.append("\(file.path): \(Duplicates.words(duplicates))") }
        problems += found.map { "\(file.path):\($0.line): \($0.severity.rawValue): \($0.message)" }
        if let failure = file.failure { problems.append("error: \(failure)") }
        hasErrors = hasErrors || found.contains { $0.severity == .error } || file.failure != nil
    }

    /// - Returns: whether the entry is left out because of an earlier one.
    private mutating func add(_ spec: TransferSpec) -> DuplicateFilter.Verdict {
        let verdict = duplicates.judge(spec)
        if verdict == .new { take(spec) }
        return verdict
    }

    /// Takes an entry that is no duplicate, which would be in the same shard: the shards' figures add up to the list.
    private mutating func take(_ given: TransferSpec) {
        if let figures = shard {
            let isOurs = figures.shard.contains(given)
            shard?.listed += 1
            shard?.entries += isOurs ? 1 : 0
            guard isOurs else { return }
        }
        var spec = given
        if let upload = spec.upload { spec.listedSize = upload.sizeOnDisk }
        specs.append(spec)
    }
}

enum Duplicates {
    /// How many line numbers a message lists.
    private static let most = 5

    static func words(_ count: Int) -> String {
        count == 1 ? "1 duplicate left out" : "\(NumberFormat.count(count)) duplicates left out"
    }

    /// - Parameter lines: the line numbers of the duplicates; not empty.
    static func words(_ lines: [Int32]) -> String {
        let shown = lines.prefix(most).map { "\($0)" }.joined(separator: ", ")
        let more = lines.count > most ? " and \(NumberFormat.count(lines.count - most)) more" : ""
        return words(lines.count) + (lines.count == 1 ? ": line \(shown)" : ": lines \(shown)\(more)")
    }
}
