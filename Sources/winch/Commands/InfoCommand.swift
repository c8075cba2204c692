import ArgumentParser
import FoundationEssentials
import WinchLedger
import WinchScreen
import WinchTerminal
import WinchTransport

/// `winch info`: prints versions, paths, and every setting with its source.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", _superCommandName: "winch",
        abstract: "Prints versions, paths, and every setting with the origin of its value.",
        discussion: "Takes the options of winch, and shows the settings with them.")

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("Options of winch.", valueName: "option"))
    var options: [String] = []

    func run() throws {
        if options.contains("--help") || options.contains("-h") { throw CleanExit.helpRequest(self) }
        let sources = try SettingSources(arguments: options, environment: ProcessInfo.processInfo.environment)
        for problem in sources.problems { ErrorOutput.report(problem) }
        print("winch     \(WinchVersion.text)")
        print("transfer  \(CurlVersion.text)")
        print("terminal  \(TerminalInfo.version)")
        print("ledger    \(LedgerInfo.sqliteVersion)")
        print("state     \(Self.place(of: StateFolderOption.ledger(in: StateFolderOption.folder(sources))))")
        print("settings  \(Self.place(of: sources.path))")
        print("")
        let width = sources.outcomes.map(\.option.name.count).max() ?? 0
        for outcome in sources.outcomes {
            let name = outcome.option.name + String(repeating: " ", count: width - outcome.option.name.count)
            let value = outcome.value.isEmpty ? "-" : outcome.value
            print(PlainText("\(name)  \(value)  (\(outcome.origin.words))"))
        }
    }

    private static func place(of path: String?) -> String {
        guard let path else { return "none (--no-config)" }
        return "\(PlainText(path))\(FileManager.default.fileExists(atPath: path) ? "" : " (does not exist)")"
    }
}
