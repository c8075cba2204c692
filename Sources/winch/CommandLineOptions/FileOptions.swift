public import ArgumentParser
import WinchBatch
public import WinchModel

/// The options "Files": what is downloaded and where it is stored.
struct FileOptions: OptionSection {
    @Option(
        name: .joined("i"),
        help: .helpText("A batch or Metalink file, plain or gzip; - is standard input; repeatable.", "FILE"),
        completion: .file(), transform: OptionValueParsing.file)
    var inputFile: [String] = []

    @Option(
        name: .joined("d"), help: .helpText("The folder for the files; created when missing.", "DIR", default: "."),
        completion: .directory, transform: OptionValueParsing.folder)
    var dir = "."

    @Option(
        name: .joined("o"),
        help: .helpText("The file's name below --dir, for a single URL; - is standard output.", "NAME"),
        transform: OptionValueParsing.outputName)
    var out: OutputName?

    @Option(
        help: .helpText("Take only part I of N of all entries, counted from 0; auto asks the scheduler.", "I/N"),
        transform: OptionValueParsing.shard)
    var shard: ShardChoice?

    @Option(help: .helpText("What to do if a different file with the name exists.", "WAY"))
    var onConflict = OptionDefaults.transfer.onConflict

    @Option(help: .helpText("What to do if the remote file has changed since the partial download.", "WAY"))
    var onChange = OptionDefaults.transfer.onChange

    @Option(help: .helpText("Reserve disk space for a file of known size before its bytes come.", "WAY"))
    var fileAllocation = OptionDefaults.transfer.fileAllocation

    @Option(
        help: .helpText(
            "The expected checksum: md5, sha-1, sha-256 or sha-512; without TYPE= the number of digits decides.",
            "TYPE=HEX"), transform: OptionValueParsing.checksum)
    var checksum: Checksum?

    @Option(
        help: .helpText(
            "A checksum list as sha256sum writes it, a path or a URL; repeatable. The files it lists must match.",
            "FILE"), transform: OptionValueParsing.file)
    var sums: [String] = []

    @Flag(help: "Save a Metalink at a URL as a file, instead of downloading the files that it names.")
    var noMetalink = false

    @Option(
        name: [.long, .customLong("max-filesize")],
        help: .helpText("Refuse larger files, such as 500M or 2G.", "BYTES", default: "none"),
        transform: OptionValueParsing.size)
    var maxSize: ByteCount?

    static let traits: [OptionTrait: [String]] = [
        .decisive: ["dir", "shard", "on-conflict", "on-change", "max-size"],
        .ofOneRun: ["input-file", "out", "checksum", "sums"],
    ]

    func apply(to settings: inout TransferSettings) {
        settings.onConflict = onConflict
        settings.onChange = onChange
        settings.fileAllocation = fileAllocation
        settings.checksum = checksum
        settings.maxSize = maxSize
        settings.metalink = noMetalink ? .save : .follow
    }
}

/// The value of `-o`.
enum OutputName: Hashable {
    case file(TargetPath)
    case standardOutput

    var path: TargetPath? { if case .file(let path) = self { path } else { nil } }
}

extension NameConflict: ExpressibleByArgument {}
extension FileChange: ExpressibleByArgument {}
extension FileAllocation: ExpressibleByArgument {
    public init?(argument: String) { self.init(reading: argument) }
}
