import ArgumentParser
import Dispatch
import WinchBatch
import WinchKit
import WinchModel
import WinchQueue
import WinchTerminal
import WinchTransport

/// The parts of a run of this process that do not depend on its front end, made once: log, queue, engine with its ledger, hooks.
struct Run: Sendable {
    let clock = MonotonicClock()
    let mailbox: LoopMailbox
    let log: RunLogFiles
    let gate: StartupCommandQueue
    let start: RunStart
    private let sources: SettingSources
    private let sums: ChecksumListFiles
    private let isWatched: Bool
    private let session: SessionSettingsFile?
    private let queue = LocalQueue()
    private let entries: RunEntries
    private let hooks: HookRunner
    private let storedOptions: StoredRunOptions

    /// How long after its start a run no longer executes code that only the start needs.
    private static let startSpan = Duration.seconds(1)

    /// - Parameters:
    ///   - isWatched: a user sees the run and can act on problems.
    ///   - session: of a session, keeps what is changed while it runs; `nil`: the run is none.
    /// - Throws: when a log file cannot be opened for writing.
    init(
        _ sources: SettingSources, _ ending: ProcessEnding, _ input: RunInput, isWatched: Bool,
        session: SessionSettingsFile? = nil
    ) throws {
        // The options have been parsed, which touches more code than the rest of the run.
        ProcessMemory.releaseCode()
        (self.sources, sums, self.isWatched, self.session) = (sources, input.sums, isWatched, session)
        mailbox = try LoopMailbox()
        let (command, clock) = (sources.command, clock)
        let log = try Self.openLogs(command, clock, isSession: session != nil)
        for problem in input.problems { log.report(problem, .warning, at: clock.now()) }
        queue.feed.subscribe(mailbox.updates)
        let entries = RunEntries(sums, folder: session == nil ? nil : WorkingFolder.current())
        self.entries = entries
        gate = StartupCommandQueue(queue, entries)
        let start = RunStart(queue, entries, gate, ending, mailbox)
        // What a session in the background writes to standard error is in its log.
        let isLogged = command.session.isInBackground
        hooks = HookRunner(
            onSettled: command.hook.onSettled?.command, home: .current(), limit: command.hook.timeLimit
        ) { words in
            if !isLogged { ErrorOutput.report(words) }
            log.report(words, .warning, at: clock.now())
            start.notice(words)
        }
        storedOptions = StoredRunOptions(sources.outcomes, start: command.queueSettings(isWatched: isWatched)) {
            start.past?.keep($0)
            session?.writeSoon($0)
        }
        (self.log, self.start) = (log, start)
    }

    private static func openLogs(
        _ command: WinchCommand, _ clock: MonotonicClock, isSession: Bool
    ) throws -> RunLogFiles {
        var logs = RunLogFiles()
        let (level, offset) = (command.log.level, clock.unixOffset())
        do throws(InputFile.Failure) {
            if let path = command.log.file {
                logs.files.append(try LogFile(path: path, level: level, unixOffset: offset))
            }
            if isSession {
                let file = SessionLogFile(folder: command.keeping.place.folder)
                let rotation = file.rotation(isInBackground: command.session.isInBackground)
                logs.files.append(try LogFile(path: file.path, level: level, unixOffset: offset, rotation: rotation))
            }
        } catch {
            throw ValidationError("--log \(error.message)")
        }
        return logs
    }

    /// Those of the run that are stored, as they are now.
    var options: [NameValueLine] { storedOptions.settings }

    var notices: [String] { (StoredRunOptions.notice(sources.outcomes).map { [$0] } ?? []) + sources.notices }

    /// What the run starts with.
    ///
    /// - Parameter past: the ledger; `nil`: it is opened when the run starts.
    func parts(
        _ input: RunInput, _ work: EarlierRuns.Work, notices: [String], past: EarlierRuns?
    ) -> RunStart.Parts {
        RunStart.Parts(
            batches: input.batches, reopened: work.additions, notices: notices + work.notices,
            problems: input.problems, isIncomplete: work.isIncomplete,
            openLedger: { past ?? EarlierRuns(sources) },
            openRoom: { past in try openEngineHost(past) },
            tellProblem: { problem in
                ErrorOutput.report(problem)
                log.report(problem, .warning, at: clock.now())
            })
    }

    private func openEngineHost(_ past: EarlierRuns) throws -> EngineHost {
        let settings = sources.command.queueSettings(isWatched: isWatched)
        past.keep(storedOptions.settings)
        let engineHost = try EngineHost(
            settings: settings, listedChecksums: sums.lists, ledgerSession: past.ledgerSession, door: entries,
            queue: queue)
        for file in log.files { queue.feed.subscribe(file) }
        queue.feed.subscribe(hooks)
        queue.feed.subscribe(storedOptions)
        return engineHost
    }

    /// - Parameter isBeside: it returns at once, for a dashboard; else when all transfers are with the engine.
    func begin(_ parts: consuming RunStart.Parts, isBeside: Bool = false) {
        if isBeside { start.runBeside(parts) } else { start.run(parts) }
        Task.detached {
            try await Task.sleep(for: Self.startSpan)
            ProcessMemory.releaseCode()
        }
    }

    /// Ends the hooks with the run.
    ///
    /// - Parameter waits: everything is done but the hooks. Otherwise the user has left: those that run go on, the rest is not
    ///   run.
    func finishHooks(waits: Bool) {
        guard waits else {
            let dropped = hooks.close()
            guard dropped > 0 else { return }
            let words = "\(HookRunner.words(dropped)) \(dropped == 1 ? "was" : "were") not run"
            if !sources.command.session.isInBackground { ErrorOutput.report(words) }
            return log.report(words, .warning, at: clock.now())
        }
        guard !hooks.wait(until: .now() + .seconds(1)) else { return }
        ErrorOutput.report("waiting for \(HookRunner.words(hooks.count)); Ctrl-C leaves")
        SignalMask.open()
        _ = hooks.wait()
    }

    /// Tells that a signal has ended the run before its list was read to the end.
    func tellCutList() {
        guard start.isListCut else { return }
        ErrorOutput.report("the list was not read to its end; run the command again for the rest")
    }

    /// The exit code of a run that has ended in order, after a message about checksum lists that have verified nothing.
    func exitCode(after summary: RunSummary) -> Int32 {
        for notice in sums.notices(after: summary) { ErrorOutput.report(notice) }
        if let fault = sums.fault(after: summary) {
            ErrorOutput.report(fault)
            if summary.exitCode == 0 { return RunSummary.checksumCode }
        }
        guard summary.exitCode == 0 else { return summary.exitCode }
        return start.isIncomplete ? RunSummary.unfinishedCode : start.hasErrors ? 1 : 0
    }
}
