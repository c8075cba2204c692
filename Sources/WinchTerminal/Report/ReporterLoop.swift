import Glibc
public import WinchCore

/// The life of a face that is not a screen, on the main thread: takes updates, writes lines, heeds signals.
///
/// A slow reader gets its lines late; the engine never waits for it.
public final class ReporterLoop {
    private var reporter: (any Reporter)?
    private let output: ReportOutput
    private let mailbox: Mailbox
    private let wake: WakePort
    private let completion: Completion
    private let signals = SignalReader()
    private let clock = MonotonicClock()
    private let send: (Command) -> Void
    private let isSettled: (QueueTotals) -> Bool
    /// Why it ends; the engine has been told to quit then.
    private var end: LoopEnd?
    private var wasInterrupted = false
    /// The engine has ended: no news follows.
    private var isOver = false
    private var hasMail = true
    /// When the mailbox may be opened next.
    private var opens: Moment?
    private var lastTotals = QueueTotals()

    /// Many small updates become one; nobody notices 10 ms at the end of a run.
    private static let mailSpan = Duration.milliseconds(10)
    /// For the last lines after a signal.
    private static let patience = Duration.milliseconds(500)

    /// - Parameters:
    ///   - output: as a rule standard output.
    ///   - isASCII: it shows nothing else to a person.
    ///   - mailbox: wakes `wake` when it turns full.
    ///   - completion: finished once the engine has ended, after its last update.
    ///   - isSettled: whether there is nothing more to do; asked after every update.
    ///   - send: takes a command to the engine; must not wait.
    public init(
        _ kind: ReportKind, output: Int32 = 1, isASCII: Bool = false, mailbox: Mailbox, wake: WakePort,
        completion: Completion,
        isSettled: @escaping (QueueTotals) -> Bool = { $0.count > 0 && $0.allSettled },
        send: @escaping (Command) -> Void
    ) {
        self.output = ReportOutput(output)
        self.mailbox = mailbox
        self.wake = wake
        self.completion = completion
        self.isSettled = isSettled
        self.send = send
        reporter = kind.reporter(unixOffset: clock.unixOffset(), isASCII: isASCII)
    }

    /// Runs until all is settled or something ends it, and the engine has ended; the second SIGINT ends it at once.
    public func run() -> LoopEnd {
        while end != .leftAtOnce {
            let isLast = completion.isFinished
            let now = clock.now()
            if isLast || isOpen(at: now) { takeMail(at: now) }
            if let lines = reporter?.lines(at: now) { output.write(lines) }
            if isLast { return finish() }
            // A reader that is gone wants no more of it. A full disk loses lines, not the files that are coming.
            if output.failure == EPIPE { quit(.outputClosed(EPIPE)) }
            wait()
        }
        return .leftAtOnce
    }

    private func isOpen(at now: Moment) -> Bool {
        hasMail && output.hasRoom && opens.map { $0 <= now } ?? true
    }

    private func takeMail(at now: Moment) {
        hasMail = false
        opens = now + Self.mailSpan
        guard let update = mailbox.take() else { return }
        lastTotals = update.totals
        if let lines = reporter?.lines(for: update) { output.write(lines) }
        if isSettled(update.totals) { quit(.settled) }
    }

    /// The first reason counts.
    private func quit(_ reason: LoopEnd) {
        guard end == nil else { return }
        end = reason
        send(.quit)
    }

    private func finish() -> LoopEnd {
        isOver = true
        if let lines = reporter?.lastLines() { output.write(lines) }
        // Whoever was told to end does not wait for a reader that may never come back.
        let deadline = if case .signalled = end { clock.now() + Self.patience } else { nil as Moment? }
        while output.hasUnsent, end != .leftAtOnce, deadline.map({ $0 > clock.now() }) ?? true {
            wait(until: deadline)
        }
        if let failure = output.failure, end == .settled || end == nil { return .outputClosed(failure) }
        return end ?? .left
    }

    /// News is there and its time will come: nobody need wake us for it.
    private var mailWaits: Bool { hasMail && output.hasRoom && !isOver }

    private func wait(until deadline: Moment? = nil) {
        var poll = PollSet([
            .input(signals.descriptor), .input(mailWaits ? -1 : wake.descriptor),
            .output(output.hasUnsent ? output.descriptor : -1),
        ])
        poll.wait(until: [deadline, mailWaits ? opens : nil, reporter?.owed].compactMap(\.self).min(), clock: clock)
        output.flush()
        if poll.isReadable(signals.descriptor) { signals.take().forEach(heed) }
        if poll.isReadable(wake.descriptor) {
            wake.drain()
            hasMail = true
        }
    }

    private func heed(_ news: SignalNews) {
        switch news {
        case .interrupt:
            if wasInterrupted { end = .leftAtOnce } else { quit(.signalled(SIGINT)) }
            wasInterrupted = true
        case .terminate: quit(.signalled(SIGTERM))
        case .hangUp: quit(.signalled(SIGHUP))
        case .suspend: SignalGate.stopProcessGroup()
        case .continued: send(.resumed(at: clock.now()))
        case .resized: break
        }
    }
}
