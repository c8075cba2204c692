import ArgumentParser
import WinchModel

/// The options that say how often and after which wait a failed attempt is made again, part of `TransferOptions`.
struct RetryOptions: ParsableArguments {
    @Option(
        help: .helpText(
            "Attempts without progress before a transfer fails; 0 is unlimited.", "N",
            default: Standard.transfer.maxTries),
        transform: OptionValueParsing.notNegative)
    var maxTries = Standard.transfer.maxTries

    @Option(
        help: .helpText(
            "Longest wait before the second attempt, in seconds; doubled after each, up to 60.", "S",
            default: Standard.transfer.retryWait),
        transform: OptionValueParsing.seconds)
    var retryWait = Standard.transfer.retryWait

    func apply(to settings: inout TransferSettings) {
        settings.maxTries = maxTries
        settings.retryWait = retryWait
    }
}
