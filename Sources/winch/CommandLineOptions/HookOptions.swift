import ArgumentParser
import WinchModel

/// The options "Hooks": commands that are run when something has happened.
struct HookOptions: OptionSection {
    /// A command, or none: an empty value takes back the command of a source that counts less, such as the settings file.
    enum Choice: Equatable {
        case command(HookCommand)
        case none

        var command: HookCommand? { if case .command(let command) = self { command } else { nil } }
    }

    @Option(
        help: .helpText(
            "Run this command when this run has finished a transfer. No shell reads it; see HOOKS in winch(1).",
            "COMMAND"), transform: OptionValueParsing.hook)
    var onDone: Choice?

    @Option(
        help: .helpText("Run this command when a transfer has failed for good.", "COMMAND"),
        transform: OptionValueParsing.hook)
    var onFail: Choice?

    @Option(
        help: .helpText("Run this command when all transfers have ended.", "COMMAND"),
        transform: OptionValueParsing.hook)
    var onSettled: Choice?

    @Option(
        help: .helpText("Seconds that such a command may run; 0 is unlimited.", "S", default: HookProcess.usualLimit),
        transform: OptionValueParsing.seconds)
    var maxCommandTime = HookProcess.usualLimit

    static let traits: [OptionTrait: [String]] = [.storedWithRun: ["on-settled", "max-command-time"]]

    /// `nil`: unlimited.
    var timeLimit: Duration? { maxCommandTime > .zero ? maxCommandTime : nil }

    func apply(to settings: inout TransferSettings) {
        (settings.onDone, settings.onFail) = (onDone?.command, onFail?.command)
    }
}
