import ArgumentParser
import WinchTerminal
import WinchTransport

/// `winch info`: versions and what they can do.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch info", abstract: "Prints the versions of Winch and of the libraries it runs on.")

    func run() {
        print("winch     \(UserAgent.version)")
        print("transfer  \(TransportInfo.version)")
        print("terminal  \(TerminalInfo.version)")
    }
}
