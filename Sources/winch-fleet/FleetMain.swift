import ArgumentParser
import Glibc
import WinchFleet
import WinchModel
import WinchTerminal
import WinchTransport

/// The entry point of `winch-fleet`, which `winch fleet` runs. Not `async`: the thread of an asynchronous `main` may end while the
/// process runs, and with it its signal mask.
@main
enum FleetMain {
    static func main() {
        OrdinarySignals.restore()
        let arguments = ProcessTexts.arguments
        // Only threads that start later inherit it.
        if arguments.first == FleetWork.configuration.commandName { FleetWork.blockSignals() }
        if arguments.first == FleetAttach.configuration.commandName { SignalMask.close() }
        StandardStreams.fill()
        do {
            var command = try FleetCommandLine.parseAsRoot(arguments)
            FleetSecrets.cover(arguments)
            if command is any AsyncParsableCommand {
                Task.detached { await run(arguments) }
                while true { pause() }
            }
            // A dashboard has the main thread for itself.
            try command.run()
            exit(0)
        } catch {
            end(with: error)
        }
    }

    private static func run(_ arguments: [String]) async -> Never {
        do {
            // A command cannot go from one thread to another.
            if var command = try FleetCommandLine.parseAsRoot(arguments) as? any AsyncParsableCommand {
                try await command.run()
            }
            leave(0)
        } catch {
            end(with: error, leave)
        }
    }

    /// Unlike `exit` it frees nothing that a thread of a worker's transport may still use.
    private static func leave(_ code: Int32) -> Never {
        fflush(nil)
        _exit(code)
    }

    private static func end(with error: any Error, _ leave: (Int32) -> Never = exit) -> Never {
        switch error {
        case let fault as FleetFault:
            FleetOutput.report("error: \(fault.message)")
            leave(fault.exitCode)
        default: FleetCommandLine.exit(withError: error)
        }
    }
}

struct FleetCommandLine: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch fleet",
        abstract: "One list for many machines: a queue on a NATS server with JetStream.",
        usage: """
            winch fleet submit --server URL [--run NAME] -i FILE ...
            winch fleet work --server URL [--run NAME] -d DIR [options]
            winch fleet attach --server URL [--run NAME]
            winch fleet status --server URL [--run NAME] [--failed] [--json]
            winch fleet retry --server URL [--run NAME] [ENTRY ...]
            winch fleet limit --server URL [--run NAME] RATE|none
            winch fleet pause|resume|cancel|stop --server URL [--run NAME]
            """,
        discussion: """
            Submit a list once, and run a worker on each machine. A file is downloaded by one of them; the entries of a \
            worker that dies go to the others. See 'winch fleet help COMMAND', and FLEET in winch(1).
            """,
        version: WinchVersion.text,
        subcommands: [
            FleetSubmit.self, FleetWork.self, FleetAttach.self, FleetStatus.self, FleetPause.self, FleetResume.self,
            FleetRetry.self, FleetCancel.self, FleetLimit.self, FleetStop.self,
        ])
}

/// Lines on standard error, without control characters.
enum FleetOutput {
    static func report(_ text: String) {
        let line = Array("winch: \(PlainText(text, isASCII: OutputLocale.isASCIITerminal(STDERR_FILENO)))\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}

/// Hides logins from the list of processes.
enum FleetSecrets {
    static func cover(_ arguments: [String]) {
        for place in places(in: arguments) {
            // In the process's own list of arguments the program's name comes first.
            ProcessArguments.cover(argument: place.argument + 1, bytes: place.bytes)
        }
    }

    /// Where tokens, the logins of servers, and those of URLs to download are, in the bytes of which argument.
    static func places(in arguments: [String]) -> [(argument: Int, bytes: Range<Int>)] {
        var places: [(argument: Int, bytes: Range<Int>)] = []
        for (index, argument) in arguments.enumerated() {
            let bytes = argument.systemBytes
            var (option, start) = (index > 0 ? arguments[index - 1] : "", 0)
            if argument.hasPrefix("--"), let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
                (option, start) = (String(argument.prefix { $0 != "=" }), equals + 1)
            }
            for secret in secrets(of: option, bytes, from: start) { places.append((index, secret)) }
        }
        return places
    }

    private static func secrets(of option: String, _ bytes: [UInt8], from start: Int) -> [Range<Int>] {
        switch option {
        case "--token": return [start..<bytes.count]
        case "--server":
            // Of several, all up to the login of the last.
            let value = bytes[start...]
            let first = value.firstRange(of: "://".utf8)?.upperBound ?? start
            return value.lastIndex(of: UInt8(ascii: "@")).map { [min(first, $0)..<$0] } ?? []
        default: return TransferURL.placesToCover(in: bytes)
        }
    }
}

/// The options of all commands: which server, and which run.
struct FleetServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The NATS server, nats://[USER:PASSWORD@]HOST[:PORT] or tls://..., several of a cluster with commas between; else from WINCH_FLEET_SERVER.",
            valueName: "URL"))
    var server: String?

    @Option(help: ArgumentHelp("The name of the list; several are beside each other.", valueName: "NAME"))
    var run = "default"

    @Option(
        help: ArgumentHelp("A credentials file of NATS, with JWT and seed.", valueName: "FILE"), completion: .file())
    var creds: String?

    @Option(help: ArgumentHelp("The token of the server; else from WINCH_FLEET_TOKEN.", valueName: "TEXT"))
    var token: String?

    @Option(
        help: ArgumentHelp("Certificates to trust, in PEM; turns encryption on.", valueName: "FILE"),
        completion: .file())
    var cacert: String?

    @Option(help: ArgumentHelp("A certificate of this machine, in PEM.", valueName: "FILE"), completion: .file())
    var cert: String?

    @Option(help: ArgumentHelp("The private key of --cert.", valueName: "FILE"), completion: .file())
    var key: String?

    func choice() throws -> ServerChoice {
        let environment = ProcessTexts.environment
        guard let server = server ?? environment["WINCH_FLEET_SERVER"], !server.isEmpty else {
            throw ValidationError("name the server: --server nats://HOST, or WINCH_FLEET_SERVER")
        }
        var choice = ServerChoice(server.contains("://") ? server : "nats://" + server)
        choice.token = token ?? environment["WINCH_FLEET_TOKEN"]
        (choice.credentials, choice.authorities, choice.certificate, choice.key) = (creds, cacert, cert, key)
        return choice
    }

    /// Connects, for a command that ends soon.
    func open() throws -> FleetRun {
        try FleetRun(run, at: NatsLink(try choice(), name: "winch fleet"))
    }

    /// Connects, for a command to a run that was made before.
    func find() async throws -> FleetRun {
        let run = try open()
        try await run.find()
        return run
    }

    /// - Parameter words: what the run is then, for the user.
    func change(_ words: String, _ change: @Sendable (inout RunControl) -> Void) async throws {
        try await find().change(change)
        print("run \(run): \(words)")
    }
}
