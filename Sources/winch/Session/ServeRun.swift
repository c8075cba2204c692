import ArgumentParser
import Glibc
import WinchBatch
import WinchModel
import WinchQueue
import WinchSession
import WinchTerminal
import WinchTransport

/// `winch serve`: a run that others look at through a socket. Unless it stays in the foreground, it is started in a process of its
/// own.
struct ServeRun {
    let sources: SettingSources
    let ending: ProcessEnding

    private var command: WinchCommand { sources.command }
    private var folder: String { command.keeping.place.folder }

    func run() throws -> Int32 {
        try sources.refuse(.ofSession)
        try command.refuseOptionsOfOthers(besides: "serve")
        try command.refuseStandardOutput()
        if command.serve.unit { return try printUnit() }
        guard command.serve.foreground else { return try startInBackground() }
        let input = try RunInput(sources)
        let listener = try listen()
        let past = EarlierRuns(sources)
        let settings = SessionSettingsFile(folder: folder)
        let kept = settings.read() + past.options
        let continued = try kept.isEmpty ? self : ServeRun(sources: sources.continuing(kept), ending: ending)
        return try continued.serve(consume input, past, settings, listener)
    }

    private func startInBackground() throws -> Int32 {
        let readsInput = (command.target.inputFile + command.given.files).contains("-")
        let pid = try BackgroundSession(folder: folder).start(sources.arguments, readsInput: readsInput)
        print(PlainText("session started (process \(pid)); \(StateCommands(sources).line("attach")) shows it"))
        return 0
    }

    private func printUnit() throws -> Int32 {
        guard !command.target.inputFile.contains("-") else {
            throw ValidationError("a unit has no standard input: name a file instead of -i -")
        }
        let unit = SystemdUnit(
            program: ProcessTexts.program ?? "winch",
            arguments: sources.arguments.filter { $0 != "--unit" && $0 != "--foreground" },
            folder: WorkingFolder.current().absolute("."), session: command.keeping.place.session)
        Swift.print(unit.text, terminator: "")
        return 0
    }

    private func listen() throws -> SessionListener {
        // A terminal that closes does not end a session.
        signal(SIGHUP, SIG_IGN)
        if command.session.isInBackground { BackgroundSession.nameProcess() }
        do throws(SessionFailure) {
            return try SessionSocket(folder: folder).listen()
        } catch {
            if case .running = error, command.session.isUnlessRunning { throw ExitCode.success }
            throw error
        }
    }

    /// - Parameter given: consumed, so that the text of a long list is freed when it has been parsed.
    private func serve(
        _ given: consuming RunInput, _ past: EarlierRuns, _ settings: SessionSettingsFile, _ listener: SessionListener
    ) throws -> Int32 {
        let input = consume given
        let run = try Run(sources, ending, input, isWatched: true, session: settings)
        defer { run.log.close() }
        try run.begin(parts(of: run, consume input, past))
        let server = try server(of: run, listener)
        let isEndless = !command.serve.untilDone
        // A session waits for what is paused: a client can resume it. One without anything to do is done.
        let reporter = ReporterLoop(
            .quiet, queue: run.gate, mailbox: run.mailbox,
            isSettled: { !isEndless && $0.allSettled && !$0.isReading })
        let end = reporter.run()
        if server != nil { ServiceNotification.tell(.stopping) }
        server?.stop(end == .settled ? .done : .stopped)
        settings.finish()
        if let failure = run.start.failure { throw failure }
        run.finishHooks(waits: !isEndless && end != .quitAtOnce && run.start.summary?.unfinished == 0)
        guard end != .quitAtOnce else { return ending.quitAtOnce() }
        if let notice = past.lastNotice { ErrorOutput.report(notice) }
        run.tellCutList()
        // Its list is what the next session begins with, as far as it was read.
        if isEndless { return past.unsaved != nil ? 1 : run.start.isListCut ? RunSummary.unfinishedCode : 0 }
        guard let summary = run.start.summary else { return ending.quitAtOnce() }
        summary.lines(past.commandLine, withTotals: true).forEach(ErrorOutput.report)
        return run.exitCode(after: summary)
    }

    /// - Throws: the exit code when the session would have nothing to do and end at once.
    private func parts(of run: Run, _ given: consuming RunInput, _ past: EarlierRuns) throws -> RunStart.Parts {
        let input = consume given
        past.tellFailures { words in
            ErrorOutput.report(words)
            run.start.notice(words)
        }
        // What a list names is matched with earlier runs first: a session that is started with it again has each file once.
        let isMatchedFirst = !input.batches.specs.isEmpty
        var work = past.unreadLists
        // A session without anything to resume waits for what is added.
        if past.hasWork, !isMatchedFirst { work = past.reopen(withDone: true, withInput: false) }
        if input.batches.isShardEmpty, command.serve.untilDone, work.additions.isEmpty {
            for notice in past.notices + run.notices + input.batches.notices + work.notices {
                ErrorOutput.report(notice)
            }
            throw ExitCode(input.batches.hasErrors ? 1 : 0)
        }
        var parts = run.parts(consume input, work, notices: run.notices, past: past)
        parts.reopensRest = isMatchedFirst && past.hasWork
        parts.stopsAtSignal = true
        return parts
    }

    private func server(of run: Run, _ listener: SessionListener) throws -> SessionServer? {
        let (start, gate, clock) = (run.start, run.gate, run.clock)
        // Without an engine the run ends with its failure.
        guard start.host != nil else { return nil }
        var others = command.transferSettings
        // That of the command line is the one URL's.
        others.checksum = nil
        let (settings, uploads) = (others, command.upload.fields)
        let greeting = Greeting(
            winch: WinchVersion.text, session: command.keeping.place.session ?? "", pid: getpid(),
            origin: SessionAccess.clockOrigin)
        var ports = SessionActions(
            gate, parseBatch: { SessionActions.Batch($0, in: $1, settings: settings, uploads: uploads) },
            retry: { gate.retry($0, reply: $1) },
            takeOver: { reply in
                let left = start.past?.takeOver() ?? EarlierRuns.Work()
                left.notices.forEach(start.notice)
                gate.takeOver(left.additions) { reply(left.additions.count - $0.count, $0 + left.notices) }
            }, now: { clock.now() }, origin: { SessionAccess.clockOrigin })
        ports.unsaved = { start.past?.unsaved }
        let server = try SessionServer(listener, greeting: greeting, ports: ports)
        server.start()
        start.noteSession(server)
        start.awaitStored()
        // The process that has started it ends with this: the list is safe by then.
        if command.session.isInBackground { SessionLogFile(folder: folder).takeStandardStreams() }
        ServiceNotification.tell(.ready)
        return server
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
