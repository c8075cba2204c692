import ArgumentParser
import WinchModel

/// The option about the largest file, part of `FileOptions`.
struct SizeLimitOption: ParsableArguments {
    @Option(
        name: [.long, .customLong("max-filesize")],
        help: .helpText("Refuse larger files, such as 500M or 2G.", "BYTES", default: "none"),
        transform: OptionValueParsing.size)
    var maxSize: ByteCount?

    func apply(to settings: inout TransferSettings) {
        settings.maxSize = maxSize
    }
}
