import ArgumentParser
import WinchModel

/// The options that say when a connection or a transfer has taken too long, part of `TransferOptions`.
struct TimeoutOptions: ParsableArguments {
    @Option(
        help: .helpText(
            "Seconds without 1 KiB of data after which a transfer counts as stalled.", "S",
            default: Standard.transfer.stallTimeout),
        transform: OptionValueParsing.positiveSeconds)
    var timeout = Standard.transfer.stallTimeout

    @Option(
        name: [.long, .customLong("lowest-speed-limit")],
        help: .helpText("Reconnect when a transfer is slower than this for 30 s.", "RATE", default: "none"),
        transform: OptionValueParsing.rate)
    var lowestSpeed: ByteRate?

    @Option(
        help: .helpText("Seconds to establish a connection.", "S", default: Standard.transfer.connectTimeout),
        transform: OptionValueParsing.positiveSeconds)
    var connectTimeout = Standard.transfer.connectTimeout

    @Option(
        help: .helpText("Seconds for a whole transfer, pauses excluded.", "S", default: "none"),
        transform: OptionValueParsing.positiveSeconds)
    var maxTime: Duration?

    func apply(to settings: inout TransferSettings) {
        settings.connectTimeout = connectTimeout
        settings.stallTimeout = timeout
        settings.lowestSpeed = lowestSpeed.flatMap { $0 > .zero ? $0 : nil }
        settings.maxTime = maxTime
    }
}
