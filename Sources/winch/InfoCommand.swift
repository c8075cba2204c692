import ArgumentParser
import WinchLedger
import WinchTerminal
import WinchTransport

/// `winch info`: versions and what they can do.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch info",
        abstract: "Prints the versions of Winch and of the libraries it runs on, and where it keeps what.")

    @OptionGroup var state: StateArguments

    func run() {
        print("winch     \(UserAgent.version)")
        print("transfer  \(TransportInfo.version)")
        print("terminal  \(TerminalInfo.version)")
        print("ledger    \(LedgerInfo.sqliteVersion)")
        print("state     \(PlainText(state.ledger))")
    }
}
