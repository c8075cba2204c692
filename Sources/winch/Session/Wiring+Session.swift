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

    /// Adds the entries of the command line and its batches to the session, which is started if none runs.
    func addToSession() throws -> Int32 {
        try sources.refuse(.ofAddition)
        var batches = try readBatches()
        batches.read()
        let sums = try ChecksumListFiles(command.target.sums, settings: command.transferSettings)
        for problem in sources.problems + batches.problems + sums.problems { ErrorOutput.report(problem) }
        for notice in batches.notices { ErrorOutput.report(notice) }
        if batches.isShardEmpty { return batches.hasErrors ? 1 : 0 }
        let specs = sums.demanded(of: batches.takeSpecs())
        guard !specs.isEmpty else { throw batches.hasErrors ? ExitCode(RunSummary.usageCode) : command.nothingToFetch }
        guard !specs.contains(where: { $0.upload?.content == .standardInput }) else {
            throw ValidationError("a session has no standard input: give it a file, or run winch put - URL")
        }
        if let fault = sums.fault(of: specs) {
            ErrorOutput.report(fault)
            throw ExitCode(RunSummary.checksumCode)
        }
        let (added, refused, isStarted) = try add(specs)
        for words in refused { ErrorOutput.report("error: \(words)") }
        let known = specs.count - added - refused.count
        print(
            PlainText(
                "\(NumberFormat.count(added)) added"
                    + (known > 0 ? ", \(NumberFormat.count(known)) in the list already" : "")
                    + (added > 0 ? Self.place(of: specs) : "")))
        if isStarted { print(PlainText("a session was started for it; winch attach shows it, winch stop ends it")) }
        return batches.hasErrors || !refused.isEmpty ? 1 : 0
    }

    /// `; saved in FOLDER`, `; saved in 3 folders`; empty for uploads.
    private static func place(of specs: [TransferSpec]) -> String {
        let folders = Set(specs.filter { $0.direction == .down }.map { WorkingFolder.current().absolute($0.folder) })
        guard let folder = folders.first else { return "" }
        return "; saved in " + (folders.count == 1 ? folder : "\(folders.count) folders")
    }

    /// Gives entries to the session, which is started if none runs.
    ///
    /// - Returns: how many of them were not in its list, why it has refused others, and whether it was started.
    private func add(_ specs: [TransferSpec]) throws -> (added: Int, refused: [String], isStarted: Bool) {
        let access = SessionAccess(folder: stateFolder)
        let requests: [SessionRequest]
        do throws(SessionFailure) {
            requests = try SessionRequest.adding(specs, from: .current())
        } catch {
            throw SessionAccess.failure(error)
        }
        let options = command.keeping.place.arguments + command.config.arguments
        var (added, acknowledged, isStarted) = (0, 0, false)
        var refused: [String] = []
        // What a session that ends has not acknowledged is given to the next one; an entry that it has stored is in the list already.
        try access.withSession(
            patience: Self.longPatience,
            start: {
                if try BackgroundSession(folder: stateFolder).startUnlessRunning(options) { isStarted = true }
            },
            undone: {
                let given = requests.prefix(acknowledged).reduce(0) { $0 + ($1.specs?.count ?? 0) }
                guard given > 0 else { return "nothing was added" }
                return "it has \(NumberFormat.count(given)) of the \(NumberFormat.count(specs.count)) entries"
            },
            { link throws(SessionFailure) in
                for request in requests.dropFirst(acknowledged) {
                    let count = request.specs?.count ?? 0
                    let reply = try link.request(request, patience: Self.longPatience)
                    // A session of an older version does not say it, and adds all.
                    added += reply.added ?? count
                    refused += reply.problems ?? []
                    acknowledged += 1
                }
            })
        return (added, refused, isStarted)
    }

    /// 60 s: what is added is acknowledged when it is saved, and a disk may be slow.
    private static let longPatience = Duration.seconds(60)
}

/// A run beside a session, and one that a session takes over.
extension Wiring {
    /// `winch` alone shows the session of the state folder in a terminal.
    var showsSession: Bool {
        guard command.isReopening, retrying == nil, command.session.role == nil, !command.keeping.ephemeral,
            isatty(STDOUT_FILENO) != 0
        else { return false }
        switch command.frontEnd.output {
        case .plain, .json, .quiet: return false
        case .auto, .tui: return isSessionRunning
        }
    }

    private var isSessionRunning: Bool { (try? SessionSocket(folder: stateFolder).connect()) != nil }

    var runsBesideSession: Bool { command.session.role == nil && !command.keeping.ephemeral && isSessionRunning }

    var besideSession: String { "a session is running; this run is not part of it; winch attach shows the session" }

    /// The options of the session that were changed while it ran.
    var sessionSettings: SessionSettingsFile { SessionSettingsFile(folder: stateFolder) }

    /// Why this run cannot be handed over; `nil`: it can.
    static func reasonAgainHandOver(_ start: RunStart) -> String? {
        guard let past = start.past else { return "The run is still starting; press & again in a moment" }
        return past.isKept ? nil : "This run is not saved, so it cannot go on in the background"
    }

    /// After the ledger is closed: the session that runs takes the transfers over, else a new one begins with them.
    ///
    /// - Returns: the exit code.
    func handOver() throws -> Int32 {
        if leaveToSession() { return 0 }
        let options = command.keeping.place.arguments + command.config.arguments + command.log.arguments
        let pid = try BackgroundSession(folder: stateFolder).start(options)
        ErrorOutput.report("the transfers go on in the background (process \(pid)); winch attach shows them")
        return 0
    }

    /// The session takes over what this run has left.
    ///
    /// - Returns: false: none runs, or it cannot take anything over.
    func leaveToSession() -> Bool {
        do throws(SessionFailure) {
            let access = SessionAccess(folder: stateFolder)
            let reply = try access.open(patience: Self.longPatience).link.request(
                SessionRequest(.takeOver), patience: Self.longPatience)
            if let words = reply.words {
                ErrorOutput.report("the session goes on with \(words); winch attach shows it")
            }
            return true
        } catch {
            if error != .notRunning(folder: stateFolder) { ErrorOutput.report(error.message) }
            return false
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
