import ArgumentParser
import Glibc
import WinchBatch
import WinchModel
import WinchQueue
import WinchSession
import WinchTerminal

/// The entry point. It is synchronous, so that the front end runs on the main thread of the process.
@main
enum Main {
    /// The commands beside downloading. `main` selects them itself, because ArgumentParser would read their names as URLs.
    static let commandList: [any ParsableCommand.Type] = {
        var list: [any ParsableCommand.Type] = [
            PutCommand.self, ServeCommand.self, AttachCommand.self, AddCommand.self, StatusCommand.self,
        ]
        list += TransferSelectionOptions.commands
        list += [
            LimitCommand.self, SessionsCommand.self, StopCommand.self, CheckCommand.self, HistoryCommand.self,
            FleetCommand.self, InfoCommand.self, ShellCompletionsCommand.self,
        ]
        return list
    }()

    /// The commands that take the options of `winch` and are parsed as its command line; their types are for the help. The flags
    /// stand for the name of the command.
    private static let runs:
        [String: (flags: [String], run: @Sendable (SettingSources, ProcessEnding) throws -> Int32)] = [
            "put": ([SessionOptions.putFlag], { try DownloadRun(sources: $0, ending: $1).run() }),
            "serve": ([], { try ServeRun(sources: $0, ending: $1).run() }),
            "attach": ([SessionOptions.attachFlag], { (sources, _) in try AttachRun(sources: sources).run() }),
            "add": ([], { (sources, _) in try AddRun(sources: sources).run() }),
        ]

    static func main() {
        OrdinarySignals.restore()
        // Before other threads exist, which may read the locale.
        _ = OutputLocale.adoptsUTF8()
        StandardStreams.fill()
        ProcessMemory.returnsLargePieces()
        let arguments = ProcessTexts.arguments
        if arguments.first == FleetCommand.configuration.commandName {
            FleetCommand.become(Array(arguments.dropFirst()))
        }
        for span in ArgumentSecrets.all(in: arguments) {
            // In the process's own list of arguments the program's name comes first.
            ProcessArguments.cover(argument: span.argument + 1, bytes: span.bytes)
        }
        // ArgumentParser cannot divide its help into fewer columns than its indent.
        if asksForHelp(arguments) || arguments.first == "help" { widenHelp() }
        if arguments.first == "help" {
            help(on: arguments.dropFirst().first)
        } else if CheckCommand.isOfFolders(arguments), !asksForHelp(arguments) {
            begin(Array(arguments.dropFirst())) { try FolderCheckRun(sources: $0, ending: $1).run() }
        } else if let kind = arguments.first.flatMap({ runs[$0] }), !asksForHelp(arguments) {
            begin(Array(arguments.dropFirst()), as: kind.flags, kind.run)
        } else if let command = arguments.first.flatMap(command) {
            run(command, Array(arguments.dropFirst()))
        } else {
            begin(arguments) { try DownloadRun(sources: $0, ending: $1).run() }
        }
    }

    private static func asksForHelp(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    private static func widenHelp() {
        let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? ScreenSize.ofStandardOutput?.columns
        if let columns, columns < 40 { setenv("COLUMNS", "40", 1) }
    }

    static var commandNames: [String] { commandList.compactMap { $0.configuration.commandName } }

    /// The commands that take the options of `winch`, for the completion scripts.
    static var namesWithOptions: [String] { runs.keys.sorted() + ["check", "info"] }

    private static func command(named name: String) -> (any ParsableCommand.Type)? {
        commandList.first { $0.configuration.commandName == name }
    }

    private static func run(_ command: any ParsableCommand.Type, _ arguments: [String]) {
        var parsed: any ParsableCommand
        do {
            parsed = try command.parseAsRoot(arguments)
        } catch {
            end(CommandLineErrors.explained(error, of: command), of: command)
        }
        do {
            try parsed.run()
            let code = flush()
            if code != 0 { throw ExitCode(code) }
        } catch {
            end(error, of: command, StateCommands(arguments: arguments))
        }
    }

    private static func help(on name: String?) -> Never {
        guard let name, name != "help" else { end(CleanExit.helpRequest(WinchCommand.self), of: WinchCommand.self) }
        guard let command = command(named: name) else {
            let names = commandNames.joined(separator: ", ")
            let question = NearestName.question(for: name, among: commandNames)
            end(
                ValidationError("no help topic '\(PlainText(name))'; topics: \(names)\(question)"),
                of: WinchCommand.self)
        }
        end(CleanExit.helpRequest(command), of: command)
    }

    /// - Parameters:
    ///   - arguments: of the user.
    ///   - flags: stand for the name of the command.
    ///   - run: returns the exit code.
    static func begin(
        _ arguments: [String], as flags: [String] = [], _ run: (SettingSources, ProcessEnding) throws -> Int32
    ) -> Never {
        let ending = ProcessEnding()
        var commands = StateCommands()
        do {
            try SessionOptions.refuseFlags(in: arguments)
            let environment = ProcessTexts.environmentWithHome
            let sources = try SettingSources(arguments: flags + arguments, environment: environment)
            commands = StateCommands(sources)
            let code = try run(sources, ending)
            ending.leave(code == 0 ? flush() : code)
        } catch {
            _ = ending.settle()
            end(error, of: WinchCommand.self, commands)
        }
    }

    /// Ends the program with an error: one line, and one that refers to `--help`. ArgumentParser's own message would add eight
    /// lines of usage.
    ///
    /// - Parameter commands: that the error may name.
    private static func end(
        _ error: any Error, of command: any ParsableCommand.Type,
        _ commands: @autoclosure () -> StateCommands = StateCommands()
    ) -> Never {
        // ArgumentParser builds the help of all options each time it is asked about an error, so it is asked about its own only.
        switch error {
        case let failure as any FatalFailure:
            ErrorOutput.report(failure.message)
            exit(ExitCode.failure.rawValue)
        case let failure as SessionFailure:
            ErrorOutput.report(failure.reported(commands()))
            exit(failure.exitCode)
        case let code as ExitCode:
            // The message has been printed already.
            guard code.isSuccess else { exit(code.rawValue) }
            end(printing: "")
        case let error as ValidationError: end(withUsageError: error.message, of: command)
        case let error as InvalidValue: end(withUsageError: error.message, of: command)
        default: break
        }
        switch command.exitCode(for: error) {
        case .success: end(printing: command.fullMessage(for: error))
        case .validationFailure: end(withUsageError: command.message(for: error), of: command)
        default: command.exit(withError: error)
        }
    }

    private static func end(withUsageError message: String, of command: any ParsableCommand.Type) -> Never {
        ErrorOutput.report(message)
        let name = command == WinchCommand.self ? "winch" : "winch \(command.configuration.commandName ?? "")"
        ErrorOutput.report("see '\(name) --help'")
        exit(ExitCode.validationFailure.rawValue)
    }

    /// Ends the program with what was asked for, such as the help.
    private static func end(printing text: String) -> Never {
        if !text.isEmpty { print(text) }
        exit(flush())
    }

    /// - Returns: the exit code of a command that has done what it should, unless what it printed could not be written.
    private static func flush() -> Int32 {
        guard let reason = StandardStreams.flushOutput() else { return 0 }
        ErrorOutput.report("standard output: \(reason)")
        return RunSummary.outputCode
    }
}
