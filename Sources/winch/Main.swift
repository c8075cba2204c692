import ArgumentParser
import Foundation
import WinchCore
import WinchTerminal

/// The entry. Synchronous, so that the face has the real main thread.
@main
enum Main {
    /// Commands beside downloading. Told apart here, because an option parser would take their names for URLs.
    static let commandList: [any ParsableCommand.Type] = [
        CheckCommand.self, HistoryCommand.self, InfoCommand.self, CompletionsCommand.self,
    ]

    static func main() {
        // First: libcurl reads host names in the locale that it finds, on threads of its own.
        _ = OutputLocale.adoptsUTF8()
        StandardStreams.fill()
        ProcessMemory.returnsLargePieces()
        let arguments = Array(CommandLine.arguments.dropFirst())
        for span in SecretSpan.all(in: arguments) {
            // The program's own name comes first.
            ProcessArguments.cover(argument: span.argument + 1, bytes: span.bytes)
        }
        if arguments.first == "help" {
            help(on: arguments.dropFirst().first)
        } else if let command = arguments.first.flatMap(command) {
            run(command, Array(arguments.dropFirst()))
        } else {
            haul(arguments)
        }
    }

    static var commandNames: [String] { commandList.compactMap { $0.configuration.commandName } }

    private static func command(named name: String) -> (any ParsableCommand.Type)? {
        commandList.first { $0.configuration.commandName == name }
    }

    private static func run(_ command: any ParsableCommand.Type, _ arguments: [String]) {
        do {
            var parsed = try command.parseAsRoot(arguments)
            try parsed.run()
            if let reason = StandardStreams.flushOutput() {
                Messages.tell("standard output: \(reason)")
                throw ExitCode(RunSummary.outputCode)
            }
        } catch {
            end(Misspelling.explained(error, of: command), of: command)
        }
    }

    /// `winch help`, `winch help history`.
    private static func help(on name: String?) -> Never {
        guard let name, name != "help" else { WinchCommand.exit(withError: CleanExit.helpRequest(WinchCommand.self)) }
        guard let command = command(named: name) else {
            let names = commandNames.joined(separator: ", ")
            let question = NearestName.question(for: name, among: commandNames)
            end(
                ValidationError("no help topic '\(PlainText(name))'; topics: \(names)\(question)"),
                of: WinchCommand.self)
        }
        command.exit(withError: CleanExit.helpRequest(command))
    }

    private static func haul(_ arguments: [String]) -> Never {
        let ending = ProcessEnding()
        do {
            let sources = try SettingSources(
                arguments: arguments, environment: ProcessInfo.processInfo.environment)
            ending.leave(try Wiring(sources: sources, ending: ending).haul())
        } catch {
            _ = ending.settle()
            end(error, of: WinchCommand.self)
        }
    }

    /// Ends the program by an error: in one line with where to read on. The usage would be eight lines without an option.
    private static func end(_ error: any Error, of command: any ParsableCommand.Type) -> Never {
        let code = command.exitCode(for: error)
        if let fatal = error as? Messages.Fatal {
            Messages.tell(fatal.description)
            exit(code.rawValue)
        }
        // A bare exit code: what is wrong has been said already.
        guard code == .validationFailure, !(error is ExitCode) else { command.exit(withError: error) }
        Messages.tell(command.message(for: error))
        let name = command == WinchCommand.self ? "winch" : "winch \(command.configuration.commandName ?? "")"
        Messages.tell("see '\(name) --help'")
        exit(code.rawValue)
    }
}
