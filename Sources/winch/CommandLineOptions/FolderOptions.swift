import ArgumentParser
import WinchBatch
import WinchModel

/// The options "Folders": which files of a folder are downloaded or uploaded with it.
struct FolderOptions: OptionSection {
    @Flag(name: .shortAndLong, help: "Download each URL as a folder, with all below it; with winch put: send folders.")
    var recursive = false

    @Option(
        help: .helpText("Levels of files; 1 is the folder's own files.", "N", default: "all"),
        transform: OptionValueParsing.atLeastOne)
    var depth: Int?

    @Option(
        help: .helpText("Take files and folders that match, such as '*.iso'; repeatable. The last match wins.", "GLOB"),
        transform: OptionValueParsing.glob)
    var include: [String] = []

    @Option(
        help: .helpText("Leave out what matches; --exclude '*' --include '*.iso' takes only those.", "GLOB"),
        transform: OptionValueParsing.glob)
    var exclude: [String] = []

    @Option(
        help: .helpText("The most files of one folder and of those below it.", "N", default: "all"),
        transform: OptionValueParsing.atLeastOne)
    var maxFiles: Int?

    @Flag(help: "Do not give the files of a folder the times that they have on the server.")
    var noTimes = false

    @Flag(help: "With winch put -r: send what symbolic links lead to.")
    var follow = false

    static let traits: [OptionTrait: [String]] = [
        .ofOneRun: ["recursive", "depth", "include", "exclude", "max-files", "follow"]
    ]

    /// - Parameter arguments: those that these options were parsed from: the parser does not keep the order between `--include`
    ///   and `--exclude`.
    func fields(in arguments: [String]) -> FolderFields {
        var fields = FolderFields()
        fields.isRecursive = recursive ? true : nil
        (fields.depth, fields.mostFiles) = (depth, maxFiles)
        guard !include.isEmpty || !exclude.isEmpty else { return fields }
        for (name, value) in OptionTable.ofWinch.given(in: arguments) where name == "include" || name == "exclude" {
            fields.globs.append(GlobRule(includes: name == "include", pattern: value.systemBytes))
        }
        return fields
    }

    func apply(to settings: inout TransferSettings) { settings.keepsTimes = noTimes ? false : nil }
}

extension FolderOptions {
    /// An option that says which files of a folder are downloaded; `nil`: all are.
    var filter: String? {
        [
            ("--depth", depth != nil), ("--include", !include.isEmpty), ("--exclude", !exclude.isEmpty),
            ("--max-files", maxFiles != nil),
        ].first(where: \.1)?.0
    }

    /// - Parameters:
    ///   - urls: of the command line.
    ///   - isUpload: they are not for downloads.
    /// - Throws: `ValidationError` when these options have no effect, or do not go with others.
    func validate(with target: FileOptions, urls: [String], isUpload: Bool, isAttached: Bool) throws {
        guard !isUpload else {
            if recursive { throw ValidationError("-r sends folders with winch put only: winch put -r DIR ... URL/") }
            return
        }
        guard !follow else { throw ValidationError("--follow is about the folders that winch put -r sends") }
        guard recursive else {
            // Entries of a batch, or what is added in a dashboard, may be folders.
            guard let filter, !urls.isEmpty, target.inputFile.isEmpty, !isAttached else { return }
            throw ValidationError("\(filter) is about a folder; -r downloads one")
        }
        guard !urls.isEmpty else {
            throw ValidationError(
                target.inputFile.isEmpty
                    ? "-r needs the URL of a folder"
                    : "-r is about the URLs of the command line; in a batch file use recursive=true")
        }
        guard target.out != .standardOutput else {
            throw ValidationError("-o - writes one file to standard output; the files of a folder (-r) go to --dir")
        }
        guard target.checksum == nil else {
            throw ValidationError("--checksum is that of one file; for the files of a folder name a list with --sums")
        }
    }
}
