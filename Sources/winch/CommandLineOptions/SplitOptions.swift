import ArgumentParser
import WinchModel

/// The options about how many connections bring one file, part of `TransferOptions`.
struct SplitOptions: ParsableArguments {
    @Option(
        name: .joined("s"),
        help: .helpText(
            "The most connections for one file, 1 to 16. More are opened only while they make it faster; auto: up to 8.",
            "N|auto", default: Standard.transfer.split.text),
        transform: OptionValueParsing.split)
    var split = Standard.transfer.split

    @Option(
        help: .helpText("Least bytes of a connection's request, unless less is missing.", "SIZE", default: "1M"),
        transform: OptionValueParsing.size)
    var minSplitSize = Standard.transfer.minSplitSize

    func apply(to settings: inout TransferSettings) {
        settings.split = split
        settings.minSplitSize = minSplitSize
    }
}
