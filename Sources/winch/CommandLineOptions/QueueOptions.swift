public import ArgumentParser
public import WinchModel
import WinchQueue

/// The options "Queue": how many transfers run and how fast.
struct QueueOptions: OptionSection {
    @Option(
        name: .joined("j", "max-concurrent-downloads"),
        help: .helpText("Simultaneous downloads.", "N", default: OptionDefaults.queue.slots),
        transform: OptionValueParsing.atLeastOne)
    var jobs = OptionDefaults.queue.slots

    @Option(
        name: [.long, .customLong("max-connection-per-server")],
        help: .helpText(
            "Connections per host, at most; a new host begins with one.", "N",
            default: OptionDefaults.queue.perHost),
        transform: OptionValueParsing.atLeastOne)
    var perHost = OptionDefaults.queue.perHost

    @Option(help: .helpText("What the progress bar of the queue counts: simple (files) or accurate (bytes).", "MODE"))
    var progress = OptionDefaults.queue.mode

    @Flag(inversion: .prefixedNo, help: "Start with everything paused.")
    var hold = false

    @Flag(inversion: .prefixedNo, help: "Stop at the first failure; partial files are kept.")
    var failFast = false

    @Option(
        help: .helpText(
            "Seconds to wait for space on a full disk before failing.", "S",
            default: "30; unlimited in the dashboard"),
        transform: OptionValueParsing.seconds)
    var spaceWait: Duration?

    @Option(
        name: [.long, .customLong("max-overall-download-limit")],
        help: .helpText(
            "Total rate limit in bytes a second, such as 500K or 2M; none removes it.", "RATE", default: "none"),
        transform: OptionValueParsing.rate)
    var limitRate: ByteRate?

    @Option(
        name: [.long, .customLong("max-download-limit")],
        help: .helpText("Rate limit of each transfer.", "RATE", default: "none"), transform: OptionValueParsing.rate)
    var limitRateEach: ByteRate?

    @Option(
        name: [.long, .customLong("max-overall-upload-limit")],
        help: .helpText("Rate limit of all uploads together.", "RATE", default: "none"),
        transform: OptionValueParsing.rate)
    var limitUpload: ByteRate?

    static let traits: [OptionTrait: [String]] = [
        .decisive: ["limit-rate", "limit-rate-each", "limit-upload"],
        .storedWithRun: ["jobs", "per-host", "hold", "limit-rate", "limit-rate-each", "limit-upload"],
    ]

    func apply(to settings: inout TransferSettings) {
        settings.rateLimit = limitRateEach.flatMap { $0 > .zero ? $0 : nil }
    }

    /// The wait for disk space without a dashboard: a script must end when the disk stays full.
    private static let unwatchedSpaceWait = Duration.seconds(30)

    /// - Parameter isWatched: a user sees the queue and can free disk space.
    func apply(to settings: inout QueueSettings, isWatched: Bool) {
        settings.slots = min(jobs, Command.mostSlots)
        settings.perHost = perHost
        settings.mode = progress
        settings.isHeld = hold
        settings.failsFast = failFast
        settings.rateLimit = limitRate.flatMap { $0 > .zero ? $0 : nil }
        settings.uploadLimit = limitUpload.flatMap { $0 > .zero ? $0 : nil }
        settings.spaceWait = spaceWait ?? (isWatched ? nil : Self.unwatchedSpaceWait)
    }
}

extension ProgressMode: ExpressibleByArgument {}
