import ArgumentParser
import WinchTerminal

/// The entry. Synchronous, so that the face has the real main thread.
@main
enum Main {
    /// Commands beside hauling. Told apart here, because an option parser would take their names for URLs.
    private static let commands: [String: any ParsableCommand.Type] = [
        "check": CheckCommand.self, "history": HistoryCommand.self, "info": InfoCommand.self,
    ]

    static func main() {
        StandardStreams.fill()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let name = arguments.first, let command = commands[name] {
            command.main(Array(arguments.dropFirst()))
        } else {
            WinchCommand.main(arguments)
        }
    }
}
