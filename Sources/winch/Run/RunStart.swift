import Dispatch
import Synchronization
import WinchKit
import WinchModel
import WinchQueue
import WinchScreen
import WinchSession
import WinchTerminal

/// Starts the engine and adds the first transfers of a run in pieces. A dashboard runs beside it, so that it shows the first
/// rows before the ledger is open and the rest of a long list is parsed.
final class RunStart: Sendable {
    struct Parts: Sendable {
        /// Parsed up to `firstPiece` or further.
        var batches: BatchFiles
        /// The list of earlier runs, where it is resumed.
        var reopened: [Addition] = []
        /// Messages that are known before the ledger is open; the problems have been told.
        var notices: [String] = []
        var problems: [String] = []
        /// As `EarlierRuns.Work.isIncomplete`.
        var isIncomplete = false
        /// What the batches do not name of the earlier runs joins the list after them.
        var reopensRest = false
        /// A signal that ends the run ends this too. It is left to the front end, which runs when this has returned.
        var stopsAtSignal = false
        let openLedger: @Sendable () -> EarlierRuns
        let openRoom: @Sendable (EarlierRuns) throws -> EngineHost
        /// Tells a problem that is found after the start, on standard error and in the log.
        let tellProblem: @Sendable (String) -> Void
    }

    /// 500 transfers: more rows than a screen has, in the queue 10 ms after the ledger is open.
    static let firstPiece = 500
    /// 1,000 to 20,000 transfers, a fiftieth of those added so far: what the engine needs for a piece for a moment stays small
    /// beside what it holds, and the order, which each piece copies, is not copied too often. 20,000 take it 0.1 s, and keys
    /// are answered in between.
    private static func piece(after count: Int) -> Int { min(max(1000, count / 50), 20_000) }

    /// 16,000 transfers: for less, the memory that reading has freed is not worth the time to look for it.
    private static let firstReturn = 16_000

    /// 2 s after a long list is with the engine, the screen and the ledger have it too.
    private static let settlingTime = 2.0

    private struct State {
        /// Until its thread runs: a closure would keep the whole list until the last of it is with the engine.
        var pending: Parts?
        var past: EarlierRuns?
        var host: EngineHost?
        var failure: (any Error)?
        var session: SessionServer?
        var hasErrors = false
        var isIncomplete = false
        var isListCut = false
    }

    private let gate: StartupCommandQueue
    private let queue: LocalQueue
    private let entries: RunEntries
    private let ending: ProcessEnding
    private let mailbox: LoopMailbox
    private let state = Mutex(State())

    init(
        _ queue: LocalQueue, _ entries: RunEntries, _ gate: StartupCommandQueue, _ ending: ProcessEnding,
        _ mailbox: LoopMailbox
    ) {
        (self.queue, self.entries, self.gate) = (queue, entries, gate)
        (self.ending, self.mailbox) = (ending, mailbox)
    }

    var past: EarlierRuns? { state.withLock { $0.past } }
    var host: EngineHost? { state.withLock { $0.host } }
    var summary: RunSummary? { host?.summary }
    var failure: (any Error)? { state.withLock { $0.failure } }
    /// Messages about what earlier runs have left and this one has not named.
    var reminders: [String] { entries.reminders }
    /// A batch has an entry that is left out because of an error.
    var hasErrors: Bool { state.withLock { $0.hasErrors } }
    /// Not all is in the queue: this run, or an earlier one that it goes on with, has not read its list to the end.
    var isIncomplete: Bool { state.withLock { $0.isIncomplete } }
    /// A signal has come before all of the list was in the queue.
    var isListCut: Bool { state.withLock { $0.isListCut } }

    /// Shows a message in the dashboard, or in those that are attached to the session. May be called on any thread.
    func notice(_ words: String) {
        if let session = state.withLock(\.session) { session.show(words) } else { mailbox.show([.notice(words)]) }
    }

    /// From now on messages are for the dashboards that are attached.
    func noteSession(_ server: SessionServer) { state.withLock { $0.session = server } }

    /// Returns at once; the rest is done on a thread of its own.
    func runBeside(_ parts: consuming Parts) {
        ending.expect(isStarting: true)
        state.withLock { $0.pending = parts }
        DispatchQueue(label: "winch.start", qos: .userInitiated).async {
            if let parts = self.state.withLock({ $0.pending.take() }) { self.run(parts) }
        }
    }

    /// Returns when all transfers are with the engine, or a signal has stopped it.
    func run(_ parts: consuming Parts) {
        defer { ending.expect(isStarting: false) }
        do {
            let past = parts.openLedger()
            state.withLock { $0.past = past }
            let engineHost = try parts.openRoom(past)
            ending.expect(engineHost)
            state.withLock { $0.host = engineHost }
            engineHost.start()
            add(consume parts, past)
        } catch {
            state.withLock { $0.failure = error }
            queue.feed.end()
        }
    }

    private func add(_ given: consuming Parts, _ past: EarlierRuns) {
        var parts = consume given
        entries.open(past, with: parts.reopened)
        var reopened = parts.reopened[...]
        parts.reopened = []
        var (isReading, isMarked, isStopped) = (false, false, false)
        var (size, count, nextReturn) = (Self.firstPiece, 0, Self.firstReturn)
        while true {
            parts.batches.read(size)
            let specs = parts.batches.takeSpecs(atMost: size)
            let piece = entries.placed(reopened.prefix(size)) + entries.additions(for: specs)
            reopened = reopened.dropFirst(size)
            if parts.reopensRest, parts.batches.isTaken {
                parts.reopensRest = false
                reopened += entries.reopenRest()
            }
            let isLast = parts.batches.isTaken && reopened.isEmpty
            if !isLast, !isReading {
                queue.inbox.read(true)
                // Before its first piece, so that a later run knows of the rest if this process is killed.
                isMarked = !parts.batches.isTaken
                if isMarked { past.note(isListUnread: true) }
            }
            queue.inbox.add(piece)
            if isLast { break }
            awaitEngine()
            // Opening the ledger and the libraries is over; the rest of the list takes the memory instead.
            if !isReading { ProcessMemory.releaseCode() }
            isReading = true
            gate.openForRows()
            isStopped = parts.stopsAtSignal && SignalMask.isEndPending
            if isStopped { break }
            count += piece.count
            size = Self.piece(after: count)
            if count >= nextReturn {
                ProcessMemory.returnFreed()
                nextReturn = count + count / 4
            }
        }
        if isReading {
            queue.inbox.read(false)
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.settlingTime) { ProcessMemory.returnFreed() }
        }
        let isListCut = isStopped && !parts.batches.isTaken
        if isMarked, !isListCut {
            wait(for: queue.inbox.callWhenStored)
            past.note(isListUnread: false)
        }
        entries.endList()
        gate.open()
        let found = parts.batches.takeProblems()
        found.forEach(parts.tellProblem)
        let notices = parts.notices + parts.batches.notices
        for notice in past.notices + notices { ErrorOutput.report(notice) }
        let problems = parts.problems + found + past.notices
        state.withLock { state in
            state.hasErrors = parts.batches.hasErrors
            (state.isIncomplete, state.isListCut) = (parts.isIncomplete || isStopped, isListCut)
        }
        // The problems come last, so that they stay visible.
        mailbox.show(notices.map(ScreenEvent.notice) + (problems.isEmpty ? [] : [.problems(problems)]))
    }

    /// Waits until everything that was added before is in the ledger, or the run has ended.
    func awaitStored() { wait(for: gate.callWhenStored) }

    /// Waits until the engine has added what it was sent, so that a long list is not stored twice.
    private func awaitEngine() { wait(for: queue.inbox.call) }

    private func wait(for call: (@escaping @Sendable () -> Void) -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        call { isDone.signal() }
        while isDone.wait(timeout: .now() + .seconds(1)) == .timedOut, !queue.feed.hasEnded {}
    }
}
