import Glibc
package import WinchBatch
package import WinchModel

/// The event loop of a front end without a screen, on the main thread: takes updates, writes lines, handles signals.
///
/// A slow reader gets its lines late; the engine never waits for it.
package final class ReporterLoop {
    private var reporter: (any Reporter)?
    private let output: ReportOutput
    private let mailbox: UpdateBuffer
    private let wake: WakePort
    private let completion: EngineEnd
    private let signals = SignalReader()
    private let clock = MonotonicClock()
    private let send: (Command) -> Void
    private let isSettled: (QueueTotals) -> Bool
    private var decisions = SignalActions()
    /// The engine has ended: no update follows.
    private var isOver = false
    private var hasUpdate = true
    /// When the next update may be taken from the mailbox.
    private var nextUpdateTime: Moment?
    private var lastTotals = QueueTotals()

    /// 10 ms: many small updates are merged into one, and the delay at the end of a run is not noticeable.
    private static let updateInterval = Duration.milliseconds(10)
    /// Longest wait for the reader to take the last lines after a signal.
    private static let timeout = Duration.milliseconds(500)

    /// - Parameters:
    ///   - output: normally standard output.
    ///   - isASCII: the output can show ASCII only; JSON is not affected.
    ///   - shard: what the run has of the list; `nil`: all.
    ///   - mailbox: calls `wake` when it gets an update while it is empty.
    ///   - completion: finished once the engine has ended, after its last update.
    ///   - isSettled: whether there is nothing more to do; called at the start, when an empty queue sends no update, and
    ///     after every update.
    ///   - send: sends a command to the engine; must not block.
    package init(
        _ kind: ReportKind, output: Int32 = 1, isASCII: Bool = false, shard: ShardFigures? = nil,
        mailbox: UpdateBuffer, wake: WakePort,
        completion: EngineEnd,
        isSettled: @escaping (QueueTotals) -> Bool = { $0.count > 0 && $0.allSettled },
        send: @escaping (Command) -> Void
    ) {
        self.output = ReportOutput(output)
        self.mailbox = mailbox
        self.wake = wake
        self.completion = completion
        self.isSettled = isSettled
        self.send = send
        reporter = kind.reporter(unixOffset: clock.unixOffset(), isASCII: isASCII, shard: shard)
    }

    /// Runs until all transfers are settled, or a signal or closed output ends the run, and then until the engine has
    /// ended. A second SIGINT ends it at once.
    package func run() -> LoopEnd {
        while decisions.end != .quitAtOnce {
            let isLast = completion.isFinished
            let now = clock.now()
            if isLast || isOpen(at: now) { takeUpdate(at: now) }
            if let lines = reporter?.lines(at: now) { output.write(lines) }
            if isLast { return finish() }
            // A reader that has closed its end also ends the run. After other errors, such as a full disk, only lines
            // are lost: the transfers continue.
            if output.failure == EPIPE { quit(.outputClosed(EPIPE)) }
            wait()
        }
        return .quitAtOnce
    }

    private func isOpen(at now: Moment) -> Bool {
        hasUpdate && output.hasRoom && nextUpdateTime.map { $0 <= now } ?? true
    }

    private func takeUpdate(at now: Moment) {
        hasUpdate = false
        nextUpdateTime = now + Self.updateInterval
        if let update = mailbox.take() {
            lastTotals = update.totals
            if let lines = reporter?.lines(for: update) { output.write(lines) }
        }
        if isSettled(lastTotals) { quit(.settled) }
    }

    private func quit(_ reason: LoopEnd) { perform(decisions.finish(reason)) }

    private func finish() -> LoopEnd {
        isOver = true
        if let lines = reporter?.lastLines() { output.write(lines) }
        // After a signal the loop must not wait for a reader that may never read again.
        let deadline = if case .signalled = decisions.end { clock.now() + Self.timeout } else { nil as Moment? }
        while output.hasUnsent, decisions.end != .quitAtOnce, deadline.map({ $0 > clock.now() }) ?? true {
            wait(until: deadline)
        }
        let end = decisions.end
        if let failure = output.failure, end == .settled || end == nil { return .outputClosed(failure) }
        return end ?? .left
    }

    /// An update is in the mailbox and will be taken at `nextUpdateTime`, so that no wake-up is needed.
    private var isUpdateWaiting: Bool { hasUpdate && output.hasRoom && !isOver }

    private func wait(until deadline: Moment? = nil) {
        var poll = PollSet([
            .input(signals.descriptor), .input(isUpdateWaiting ? -1 : wake.descriptor),
            .output(output.hasUnsent ? output.descriptor : -1),
        ])
        poll.wait(
            until: [deadline, isUpdateWaiting ? nextUpdateTime : nil, reporter?.nextLineTime].compactMap(\.self).min(),
            clock: clock)
        output.flush()
        if poll.isReadable(signals.descriptor) {
            for signal in signals.take() { perform(decisions.hear(signal, .reporter)) }
        }
        if poll.isReadable(wake.descriptor) {
            wake.drain()
            hasUpdate = true
        }
    }

    private func perform(_ steps: [SignalActions.Step]) {
        for step in steps {
            switch step {
            case .quit: send(.quit)
            case .stop: SignalMask.stopProcessGroup()
            case .resumeAfterStop: send(.resumed(at: clock.now()))
            // Only a dashboard has a user to ask and a size.
            case .ask, .resize: break
            }
        }
    }
}
