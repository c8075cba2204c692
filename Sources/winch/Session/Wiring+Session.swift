import ArgumentParser
import FoundationEssentials
import Glibc
import WinchBatch
import WinchKit
import WinchModel
import WinchQueue
import WinchSession
import WinchTerminal
import WinchTransport

/// A run that others look at through a socket.
extension Wiring {
    var stateFolder: String { command.keeping.place.folder }

    /// Starts the session of `winch serve` in the background.
    ///
    /// - Returns: the exit code.
    func startInBackground() throws -> Int32 {
        try sources.refuse(.ofSession)
        let readsInput = (command.target.inputFiles + command.given.files).contains("-")
        let pid = try BackgroundSession(folder: stateFolder).start(sources.arguments, readsInput: readsInput)
        print(PlainText("session started (process \(pid)); winch attach shows it"))
        return 0
    }

    /// Prints the unit of `winch serve --unit`.
    func printUnit() throws -> Int32 {
        try sources.refuse(.ofSession)
        guard !command.target.inputFiles.contains("-") else {
            throw ValidationError("a unit has no standard input: name a file instead of -i -")
        }
        let unit = SystemdUnit(
            program: ProcessTexts.program ?? "winch",
            arguments: sources.arguments.filter { $0 != "--unit" && $0 != "--foreground" },
            folder: WorkingFolder.current().absolute("."), session: command.keeping.place.session)
        Swift.print(unit.text, terminator: "")
        return 0
    }

    /// Takes the place of the session.
    func openSession() throws -> SessionListener {
        // A terminal that closes does not end a session.
        signal(SIGHUP, SIG_IGN)
        if command.session.isInBackground { BackgroundSession.nameProcess() }
        do throws(SessionFailure) {
            return try SessionSocket(folder: stateFolder).listen()
        } catch {
            if case .running = error, command.session.isUnlessRunning { throw ExitCode.success }
            throw ErrorOutput.Fatal(error.message)
        }
    }

    /// Serves a queue to clients.
    ///
    /// - Parameters:
    ///   - gate: commands and entries of clients go through it.
    func serve(
        _ start: RunStart, through gate: StartupCommandQueue, _ listener: SessionListener, _ clock: MonotonicClock
    ) throws -> SessionServer? {
        // Without an engine the run ends with its failure.
        guard start.host != nil else { return nil }
        var others = command.transferSettings
        // That of the command line is the one URL's.
        others.checksum = nil
        let (settings, uploads) = (others, command.upload.fields)
        let greeting = Greeting(
            winch: WinchVersion.text, session: command.keeping.place.session ?? "", pid: getpid(),
            origin: SessionAccess.clockOrigin)
        let ports = SessionActions(
            gate, parseBatch: { SessionActions.Batch($0, in: $1, settings: settings, uploads: uploads) },
            takeOver: {
                let left = start.past?.takeOver() ?? []
                gate.add(left)
                return left.count
            }, now: { clock.now() }, origin: { SessionAccess.clockOrigin })
        do throws(SessionFailure) {
            let server = try SessionServer(listener, greeting: greeting, ports: ports)
            server.start()
            start.noteSession(server)
            start.awaitStored(through: gate)
            // The process that has started it ends with this: the list is safe by then.
            if command.session.isInBackground { SessionLogFile(folder: stateFolder).takeStandardStreams() }
            ServiceManager.tell(.ready)
            return server
        } catch {
            throw ErrorOutput.Fatal(error.message)
        }
    }
}

extension SessionActions.Batch {
    /// Lines of a batch that a client sends.
    ///
    /// - Parameters:
    ///   - folder: that relative paths are below; absolute.
    ///   - settings: of the session, as the uploads' fields are: for entries without options of their own.
    init(_ text: String, in folder: String, settings: TransferSettings, uploads: UploadFields) {
        let home = WorkingFolder(folder)
        let places = Places(homes: .system, workingFolder: home)
        let parser = BatchParser(folder: folder, settings: settings, places: places, uploads: uploads)
        // The line end makes it lines of a batch, and never the name of a file.
        let typed = TypedEntries(text + "\n", parser: parser, places: places)
        self.init(typed.specs.map { $0.absolute(in: home) }, problems: typed.problems)
    }
}
