import ArgumentParser
import Glibc
import WinchLedger
import WinchModel
import WinchQueue
import WinchTerminal

/// `winch URL ...` and `winch put`: transfers of this process, until all are settled. `winch` alone resumes what earlier runs
/// have left, or shows the session that runs.
struct DownloadRun {
    let sources: SettingSources
    let ending: ProcessEnding
    /// Finds the failed transfers of earlier runs that alone are done; `nil`: the command line says what is done.
    var retrying: HistoryQuery?

    private var command: WinchCommand { sources.command }
    private var frontEnds: FrontEnds { FrontEnds(sources: sources) }
    private var session: SessionBesideRun { SessionBesideRun(sources: sources) }

    /// - Returns: the exit code, after all transfers have ended or the user has quit.
    func run() throws -> Int32 {
        try command.refuseOptionsOfOthers()
        try sources.refuseOptionsOfOtherEntries()
        if command.target.out == .standardOutput {
            return try StandardOutputRun(sources: sources, ending: ending).run()
        }
        if showsSession {
            try sources.refuse(.ofAttachment)
            // As without a session: what earlier runs have left goes on.
            _ = session.takesOver()
            return try AttachRun(sources: sources).run()
        }
        // The dashboard shows the first entries while the rest is parsed.
        let input = try RunInput(sources, atMost: frontEnds.mayHaveScreen ? RunStart.firstPiece : .max)
        let frontEnd = try frontEnds.open()
        guard command.isReopening else { return try run(consume input, frontEnd, nil) }
        // Told and not refused: a script that goes on with its queue may give the same options each time.
        if !frontEnd.isWatched, let words = sources.withoutEffect(.ofResumption) { ErrorOutput.report(words) }
        let past = EarlierRuns(sources)
        guard !past.options.isEmpty, retrying == nil else { return try run(consume input, frontEnd, past) }
        let continued = try DownloadRun(sources: sources.continuing(past.options), ending: ending)
        return try continued.run(consume input, frontEnd, past)
    }

    /// - Parameters:
    ///   - given: consumed, so that the text of a long list is freed when it has been parsed, and not when the run ends.
    ///   - past: the ledger, where an earlier run is resumed.
    private func run(_ given: consuming RunInput, _ frontEnd: OpenFrontEnd, _ past: EarlierRuns?) throws -> Int32 {
        var input = consume given
        if !frontEnd.isScreen { input.batches.read() }
        let (parser, shard) = (input.batches.parser, input.batches.shard)
        let run = try Run(sources, ending, input, isWatched: frontEnd.isWatched)
        defer { run.log.close() }
        try begin(run, consume input, frontEnd, past)

        var ports = DashboardPorts(run.gate)
        ports.reasonAgainHandOver = { run.start.reasonAgainHandOver }
        ports.optionsLeftByHandOver = { session.optionsLeft(of: run.options) }
        let dashboardEnd = try frontEnds.runDashboard(frontEnd, parser, run.mailbox, ports)
        if dashboardEnd == .quitAtOnce { return quitAtOnce(run, frontEnd) }
        // Runs the other front ends. After a dashboard it waits for the engine, and handles the Ctrl-C of an impatient user.
        let reporter = ReporterLoop(
            frontEnd.reportKind, isASCII: OutputLocale.isASCIITerminal(STDOUT_FILENO), shard: shard, queue: run.gate,
            mailbox: run.mailbox,
            isSettled: {
                $0.hasTransfers && $0.settled + $0.paused == $0.count && !$0.isReading
                    && $0.listings?.open == $0.listings?.paused
            })
        let end = reporter.run()
        if let failure = run.start.failure { throw failure }
        // A run that is handed over waits for its commands after the session has begun.
        if dashboardEnd != .handedOver {
            run.finishHooks(waits: end != .quitAtOnce && run.start.summary?.unfinished == 0)
        }
        guard end != .quitAtOnce, let summary = run.start.summary else { return quitAtOnce(run, frontEnd) }
        if case .outputClosed(let code) = end, code != EPIPE {
            ErrorOutput.report("standard output: \(String(cString: strerror(code)))")
            // The program that reads the output must notice that it is incomplete.
            if summary.exitCode == 0 { return RunSummary.outputCode }
        }
        if let notice = run.start.past?.lastNotice { ErrorOutput.report(notice) }
        if dashboardEnd == .handedOver {
            let code = try session.handOver()
            run.finishHooks(waits: true)
            return code
        }
        printSummary(summary, frontEnd, run.start.past?.commandLine)
        run.tellCutList()
        // Only now everything is named that this run has taken over.
        if past == nil { run.start.reminders.forEach(ErrorOutput.report) }
        return run.exitCode(after: summary)
    }

    /// Ends at once, with what the dashboard knew last: the engine's own summary would have to be waited for.
    private func quitAtOnce(_ run: Run, _ frontEnd: OpenFrontEnd) -> Int32 {
        if case .screen(let session) = frontEnd, session.unfinished > 0 {
            let summary = RunSummary(unfinished: session.unfinished)
            summary.lines(run.start.past?.commandLine, withTotals: true).forEach(ErrorOutput.report)
        }
        return ending.quitAtOnce()
    }

    /// A terminal can show the session of the state folder, and nothing else is asked for.
    private var showsSession: Bool {
        command.isReopening && retrying == nil && !command.keeping.ephemeral && isatty(STDOUT_FILENO) != 0
            && command.frontEnd.output.reportKind == nil && session.isRunning
    }

    /// Starts the run: beside a dashboard, which gets its first rows at once, else until all transfers are with the engine or a
    /// signal ends it.
    ///
    /// - Throws: when there is nothing to do, and no dashboard to add something.
    private func begin(
        _ run: Run, _ given: consuming RunInput, _ frontEnd: OpenFrontEnd, _ opened: EarlierRuns?
    ) throws {
        let input = consume given
        let isBesideSession = !command.keeping.ephemeral && session.isRunning
        let notices = (isBesideSession ? [session.notice] : []) + run.notices
        let isWatched = frontEnd.isWatched
        let past = opened ?? (isWatched ? nil : EarlierRuns(sources))
        if !frontEnd.isScreen { past?.tellFailures { ErrorOutput.report($0) } }
        var work = EarlierRuns.Work()
        if let opened { work = retrying.map(opened.retry) ?? opened.reopen(withDone: isWatched, withInput: true) }
        let isShardEmpty = input.batches.isShardEmpty
        if !isWatched || isShardEmpty || retrying != nil, work.additions.isEmpty, input.batches.specs.isEmpty {
            let otherUnfinished =
                opened == nil ? past.map { $0.reminders($0.continuation()) } ?? [] : work.notices
            for notice in (past?.notices ?? []) + notices + input.batches.notices + otherUnfinished {
                ErrorOutput.report(notice)
            }
            if isShardEmpty {
                let lines = input.batches.shard.map { frontEnd.reportKind.lines(ofEmpty: $0, run.clock) } ?? []
                for line in lines { print(line) }
                throw ExitCode(input.batches.hasErrors ? 1 : 0)
            }
            throw command.isReopening && past?.isKept == true
                ? ExitCode(work.isIncomplete ? RunSummary.unfinishedCode : 0) : command.nothingToFetch
        }
        var parts = run.parts(consume input, work, notices: notices, past: past)
        parts.stopsAtSignal = !isWatched
        if isWatched, let preview = preview(of: parts, at: run.clock.now()) {
            run.mailbox.updates.post(preview)
        }
        run.begin(consume parts, isBeside: isWatched)
    }

    /// The first rows of a dashboard.
    private func preview(of parts: RunStart.Parts, at now: Moment) -> Update? {
        let batches = parts.batches
        let first = parts.reopened.prefix(RunStart.firstPiece) + batches.specs.map { Addition(spec: $0) }
        return Update.preview(
            of: Array(first), settings: command.queueSettings(isWatched: true),
            isReading: !batches.isAtEnd || parts.reopened.count > first.count, at: now)
    }

    /// Prints the summary. After the dashboard it includes the totals, which plain output has printed already.
    private func printSummary(_ given: RunSummary, _ frontEnd: OpenFrontEnd, _ line: ((String) -> String)?) {
        var summary = given
        switch frontEnd {
        case .screen(let session):
            summary.asking = session.asking
            summary.lines(line, withTotals: true).forEach(ErrorOutput.report)
        case .report(.plain): summary.lines(line, withTotals: false).forEach(ErrorOutput.report)
        case .spoken, .report: break
        }
    }
}
