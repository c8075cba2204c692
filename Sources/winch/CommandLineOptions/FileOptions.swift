import ArgumentParser
import WinchBatch
import WinchModel

/// The options "Files": what is downloaded and where it is stored. Those about existing files, checksums and the size limit are
/// declared in files of their own.
struct FileOptions: OptionSection {
    @Option(
        name: .joined("i"), parsing: .singleValue,
        help: ArgumentHelp(
            "A batch or Metalink file, plain or gzip; - is standard input; repeatable.", valueName: "FILE"),
        completion: .file(), transform: OptionValueParsing.file)
    var inputFile: [String] = []

    @Option(
        name: .joined("d"), help: .helpText("The folder for the files; created when missing.", "DIR", default: "."),
        completion: .directory, transform: OptionValueParsing.folder)
    var dir = "."

    @Option(
        name: .joined("o"),
        help: ArgumentHelp("The file's name below --dir, for a single URL; - is standard output.", valueName: "NAME"),
        transform: OptionValueParsing.outputName)
    var out: OutputName?

    @Option(
        help: ArgumentHelp(
            "Take only part I of N of all entries, counted from 0; auto asks the scheduler.", valueName: "I/N"),
        transform: OptionValueParsing.shard)
    var shard: ShardChoice?

    @OptionGroup var existing: ExistingFileOptions
    @OptionGroup var checksums: ChecksumOptions

    @Flag(help: "Save a Metalink at a URL as a file, instead of downloading the files that it names.")
    var noMetalink = false

    @OptionGroup var size: SizeLimitOption

    var inputFiles: [String] { inputFile }

    static let traits: [String: Set<OptionTrait>] = [
        "shard": [.decisive], "input-file": [.ofOneRun], "out": [.ofOneRun], "checksum": [.ofOneRun],
        "sums": [.ofOneRun],
    ]

    func apply(to settings: inout TransferSettings) {
        existing.apply(to: &settings)
        checksums.apply(to: &settings)
        size.apply(to: &settings)
        settings.metalink = noMetalink ? .save : .follow
    }
}

/// The value of `-o`.
enum OutputName: Hashable {
    case file(TargetPath)
    case standardOutput

    var path: TargetPath? { if case .file(let path) = self { path } else { nil } }
}
