import ArgumentParser
import Glibc
import WinchLedger
import WinchModel
import WinchScreen
import WinchTerminal
import WinchTransport

/// `winch info`: prints versions, paths, and every setting with its source.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "info", "Prints versions, paths, and every setting with the origin of its value.",
        discussion: "Takes the options of winch, and shows the settings with them.")

    @Argument(parsing: .allUnrecognized, help: .helpText("Options of winch.", "option"))
    var options: [String] = []

    func run() throws {
        let sources = try SettingSources(arguments: options, environment: ProcessTexts.environmentWithHome)
        for problem in sources.problems { ErrorOutput.report(problem) }
        print("winch     \(WinchVersion.text)")
        print("transfer  \(CurlVersion.text)")
        print("terminal  \(TerminalInfo.version)")
        print("ledger    \(LedgerInfo.sqliteVersion)")
        print("state     \(Self.place(of: StateFolderOption.ledger(in: StateFolderOption.folder(sources))))")
        let absence = sources.command.config.noConfig ? "--no-config" : "there is no home folder"
        print("settings  \(sources.path.map(Self.place) ?? "none (\(absence))")")
        print("")
        let width = sources.outcomes.map(\.option.name.count).max() ?? 0
        for outcome in sources.outcomes {
            let name = outcome.option.name + String(repeating: " ", count: width - outcome.option.name.count)
            let value = outcome.value.isEmpty ? "-" : outcome.value
            print(PlainText("\(name)  \(value)  (\(outcome.origin.words))"))
        }
    }

    private static func place(of path: String) -> String {
        "\(PlainText(path))\(access(path.cBytes, F_OK) == 0 ? "" : " (does not exist)")"
    }
}
