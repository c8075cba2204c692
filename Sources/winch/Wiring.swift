import ArgumentParser
import Dispatch
import Glibc
import WinchBatch
import WinchKit
import WinchLedger
import WinchModel
import WinchQueue
import WinchScreen
import WinchSession
import WinchTerminal

/// Creates and connects the parts of a run: ledger, engine with transport, and front end.
struct Wiring: Sendable {
    let sources: SettingSources
    let command: WinchCommand
    private let ending: ProcessEnding
    /// Writes the settings of a session on a thread of its own: a home folder may hang, and the engine must not.
    private let settingsWriter = DispatchQueue(label: "winch.settings")
    /// Finds the failed transfers of earlier runs that alone are done; `nil`: the command line says what is done.
    let retrying: HistoryQuery?

    init(sources: SettingSources, ending: ProcessEnding, retrying: HistoryQuery? = nil) {
        self.sources = sources
        self.ending = ending
        self.retrying = retrying
        command = sources.command
    }

    /// - Returns: the exit code, after all transfers have ended or the user has quit.
    func run() throws -> Int32 {
        switch command.session.role {
        case .serve where command.session.unit: return try printUnit()
        case .serve where !command.session.foreground: return try startInBackground()
        case .attach: return try AttachRun(sources).run()
        case .add: return try AddRun(sources: sources).run()
        case .serve: try sources.refuse(.ofSession)
        case nil: break
        }
        if showsSession {
            try sources.refuse(.ofAttachment)
            // As without a session: what earlier runs have left goes on.
            _ = sessionBeside.takesOver()
            return try AttachRun(sources).run()
        }
        if command.target.out == .standardOutput { return try StandardOutputRun(sources, ending).run() }
        // The dashboard shows the first entries while the rest is parsed.
        let count = FrontEnds(sources: sources).mayHaveScreen ? RunStart.firstPiece : .max
        let input = try RunInput(sources, atMost: count)
        let frontEnd = try command.session.role == .serve ? .session(openSession()) : FrontEnds(sources: sources).open()
        guard command.isReopening || frontEnd.listener != nil else {
            return try run(consume input, frontEnd, nil)
        }
        let past = EarlierRuns(command.keeping, title: sources.title)
        let kept = (frontEnd.listener == nil ? [] : sessionSettings.read()) + past.options
        guard !kept.isEmpty, retrying == nil else {
            return try run(consume input, frontEnd, past)
        }
        let continued = Wiring(sources: try sources.continuing(kept), ending: ending)
        return try continued.run(consume input, frontEnd, past)
    }

    /// - Parameters:
    ///   - given: consumed, so that the text of a long list is freed when it has been parsed, and not when the run ends.
    ///   - opened: the ledger, where an earlier run is resumed.
    private func run(_ given: consuming RunInput, _ frontEnd: OpenFrontEnd, _ opened: EarlierRuns?) throws -> Int32 {
        let input = consume given
        let (sums, problems) = (input.sums, input.problems)
        var batches = input.batches
        if !frontEnd.isScreen { batches.read() }
        let shard = batches.shard
        // The options have been parsed, which touches more code than the rest of the run.
        ProcessMemory.releaseCode()
        let clock = MonotonicClock()
        let mailbox = try LoopMailbox.open()
        let log = try openLogs(clock, problems)
        defer { log.close() }
        let queue = LocalQueue()
        queue.feed.subscribe(mailbox.updates)
        let entries = RunEntries(sums, folder: frontEnd.listener == nil ? nil : WorkingFolder.current())
        let gate = StartupCommandQueue(queue, entries)
        let start = RunStart(queue, entries, gate, ending, mailbox)
        let parser = batches.parser
        let hooks = hookRunner(log, clock, start)
        let parts = try parts(consume batches, sums, problems, frontEnd, opened, queue, clock, log, hooks)
        begin(consume parts, with: start, isScreen: frontEnd.isScreen, clock, mailbox)
        Task.detached {
            try await Task.sleep(for: Self.startSpan)
            ProcessMemory.releaseCode()
        }

        var ports = DashboardPorts(gate)
        ports.reasonAgainHandOver = { start.reasonAgainHandOver }
        let dashboardEnd = try FrontEnds(sources: sources).runDashboard(frontEnd, parser, mailbox, ports)
        if dashboardEnd == .quitAtOnce { return ending.quitAtOnce() }
        // Runs the other front ends. After a dashboard it waits for the engine, and handles the Ctrl-C of an impatient user.
        let server = try frontEnd.listener.flatMap { try serve(start, through: gate, $0, clock) }
        let isSession = frontEnd.listener != nil
        let isEndless = isSession && !command.session.untilDone
        let reporter = ReporterLoop(
            frontEnd.reportKind, isASCII: OutputLocale.isASCIITerminal(STDOUT_FILENO), shard: shard, queue: gate,
            mailbox: mailbox,
            isSettled: { totals in
                // A session waits for what is paused: a client can resume it. One without anything to do is done.
                let isDone =
                    isSession ? totals.allSettled : totals.count > 0 && totals.settled + totals.paused == totals.count
                return !isEndless && isDone && !totals.isReading
            })
        let end = reporter.run()
        if server != nil { ServiceManager.tell(.stopping) }
        server?.stop(end == .settled ? .done : .stopped)
        if isSession { finishSettings() }
        if let failure = start.failure { throw failure }
        // A run that is handed over waits for its commands after the session has begun.
        if dashboardEnd != .handedOver {
            finish(hooks, waits: !isEndless && end != .quitAtOnce && start.summary?.unfinished == 0, log, clock)
        }
        if isEndless, end != .quitAtOnce {
            // Its list is what the next session begins with.
            if let notice = start.past?.lastNotice { ErrorOutput.report(notice) }
            return start.past?.hasFailed ?? false ? 1 : 0
        }
        guard end != .quitAtOnce, var summary = start.summary else { return ending.quitAtOnce() }
        if case .screen(let session) = frontEnd { summary.asking = session.asking }
        if case .outputClosed(let code) = end, code != EPIPE {
            ErrorOutput.report("standard output: \(String(cString: strerror(code)))")
            // The program that reads the output must notice that it is incomplete.
            if summary.exitCode == 0 { return RunSummary.outputCode }
        }
        let past = start.past
        if let notice = past?.lastNotice { ErrorOutput.report(notice) }
        if dashboardEnd == .handedOver {
            let code = try sessionBeside.handOver()
            finish(hooks, waits: true, log, clock)
            return code
        }
        printSummary(summary, frontEnd, isKept: past?.isKept ?? false)
        if let fault = sums.fault(after: summary) {
            ErrorOutput.report(fault)
            if summary.exitCode == 0 { return RunSummary.checksumCode }
        }
        return summary.exitCode == 0 && start.hasErrors ? 1 : summary.exitCode
    }

    /// A setting that was changed just before the end is in the file as well, unless the home folder hangs.
    private func finishSettings() {
        let isWritten = DispatchSemaphore(value: 0)
        settingsWriter.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .seconds(2))
    }

    /// Starts the run: beside a dashboard, which gets its first rows at once, else until all transfers are with the engine.
    private func begin(
        _ parts: consuming RunStart.Parts, with start: RunStart, isScreen: Bool, _ clock: MonotonicClock,
        _ mailbox: LoopMailbox
    ) {
        guard isScreen else { return start.run(parts) }
        let batches = parts.batches
        let first = parts.reopened.prefix(RunStart.firstPiece) + batches.specs.map { Addition(spec: $0) }
        let isReading = !batches.isAtEnd || parts.reopened.count > first.count
        let preview = Update.preview(
            of: Array(first), settings: queueSettings(isWatched: true), isReading: isReading, at: clock.now())
        if let preview { mailbox.updates.post(preview) }
        start.runBeside(parts)
    }

    /// - Throws: when there is nothing to do, and no dashboard to add something.
    private func parts(
        _ batches: consuming BatchFiles, _ sums: ChecksumListFiles, _ problems: [String], _ frontEnd: OpenFrontEnd,
        _ opened: EarlierRuns?,
        _ queue: LocalQueue, _ clock: MonotonicClock, _ log: RunLogFiles, _ hooks: HookRunner
    ) throws -> RunStart.Parts {
        let (keeping, title, isWatched) = (command.keeping, sources.title, frontEnd.isWatched)
        let continuing =
            (runsBesideSession ? [SessionBesideRun.notice] : [])
            + (StoredRunOptions.notice(sources.outcomes).map { [$0] } ?? [])
        let past = opened ?? (isWatched ? nil : EarlierRuns(keeping, title: title))
        if !frontEnd.isScreen { past?.tellFailures { ErrorOutput.report($0) } }
        // A session without anything to resume waits for what is added.
        let resumed = frontEnd.listener != nil && opened?.hasWork == false ? nil : opened
        // What a list names is matched with earlier runs first: a session that is started with it again has each file once.
        let isMatchedFirst = frontEnd.listener != nil && !batches.specs.isEmpty
        let work: EarlierRuns.Work
        if let resumed, !isMatchedFirst {
            work =
                retrying.map(resumed.retry)
                ?? resumed.reopen(withDone: isWatched, withInput: frontEnd.listener == nil)
        } else {
            work = EarlierRuns.Work()
        }
        let notices = continuing + sources.notices
        let isShardEmpty = batches.isShardEmpty && (frontEnd.listener == nil || command.session.untilDone)
        if !isWatched || isShardEmpty || retrying != nil, work.additions.isEmpty, batches.specs.isEmpty {
            let otherUnfinished =
                opened == nil ? past.map { EarlierRuns.notices($0.continuation()) } ?? [] : work.notices
            for notice in (past?.notices ?? []) + notices + batches.notices + otherUnfinished {
                ErrorOutput.report(notice)
            }
            if isShardEmpty {
                for line in batches.shard.map({ frontEnd.reportKind.lines(ofEmpty: $0, clock) }) ?? [] { print(line) }
                throw ExitCode(batches.hasErrors ? 1 : 0)
            }
            throw command.isReopening && past?.isKept == true ? ExitCode(0) : command.nothingToFetch
        }
        return RunStart.Parts(
            batches: batches, reopened: work.additions, notices: notices + work.notices,
            problems: problems, isReopening: opened != nil && !isMatchedFirst,
            isSession: frontEnd.listener != nil, reopensRest: isMatchedFirst && resumed != nil,
            openLedger: { past ?? EarlierRuns(keeping, title: title) },
            openRoom: { past in
                try openEngineHost(past, log.files + [hooks], sums.list, queue, isWatched: isWatched)
            },
            tellProblem: { problem in
                ErrorOutput.report(problem)
                log.report(problem, .warning, at: clock.now())
            })
    }

    private func queueSettings(isWatched: Bool) -> QueueSettings {
        command.queueSettings(isWatched: isWatched)
    }

    /// How long after its start a run no longer executes code that only the start needs.
    private static let startSpan = Duration.seconds(1)

    /// Prints the summary. After the dashboard it includes the totals, which plain output has printed already.
    private func printSummary(_ summary: RunSummary, _ frontEnd: OpenFrontEnd, isKept: Bool) {
        switch frontEnd {
        case .screen: summary.lines(isKept: isKept, withTotals: true).forEach(ErrorOutput.report)
        case .report(.plain): summary.lines(isKept: isKept, withTotals: false).forEach(ErrorOutput.report)
        case .spoken, .report, .session: break
        }
    }

    private var sessionBeside: SessionBesideRun { SessionBesideRun(command: command) }

    /// `winch` alone shows the session of the state folder in a terminal.
    private var showsSession: Bool {
        guard command.isReopening, retrying == nil, command.session.role == nil, !command.keeping.ephemeral,
            isatty(STDOUT_FILENO) != 0
        else { return false }
        switch command.frontEnd.output {
        case .plain, .json, .quiet: return false
        case .auto, .tui: return sessionBeside.isRunning
        }
    }

    private var runsBesideSession: Bool {
        command.session.role == nil && !command.keeping.ephemeral && sessionBeside.isRunning
    }

    /// The options of the session that were changed while it ran.
    private var sessionSettings: SessionSettingsFile { SessionSettingsFile(folder: stateFolder) }

    private func openEngineHost(
        _ past: EarlierRuns, _ subscribers: [any UpdateSubscriber], _ listed: ChecksumList, _ queue: LocalQueue,
        isWatched: Bool
    ) throws -> EngineHost {
        let settings = queueSettings(isWatched: isWatched)
        let options = StoredRunOptions(sources.outcomes, start: settings)
        past.keep(options.settings)
        do throws(TransferFailure) {
            let engineHost = try EngineHost(
                settings: settings, listedChecksums: listed, ledgerSession: past.ledgerSession, queue: queue)
            for subscriber in subscribers { queue.feed.subscribe(subscriber) }
            let sessionSettings = command.session.role == .serve ? sessionSettings : nil
            let writer = settingsWriter
            queue.feed.subscribe(
                RunOptionsKeeper(options) { settings in
                    past.keep(settings)
                    if let sessionSettings { writer.async { sessionSettings.write(settings) } }
                })
            return engineHost
        } catch {
            throw ErrorOutput.Fatal(error.message)
        }
    }
}
