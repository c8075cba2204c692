import Glibc
package import WinchBatch
package import WinchModel
import WinchSystem

/// The event loop of a front end without a screen, on the main thread: takes updates, writes lines, handles signals.
///
/// A slow reader gets its lines late; the engine never waits for it.
package final class ReporterLoop {
    private var reporter: (any Reporter)?
    private let output: ReportOutput
    private let queue: any QueueAccess
    private let mailbox: LoopMailbox
    private let signals = SignalReader()
    private let clock = MonotonicClock()
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
    ///   - keepsParts: a part file stays after a failure.
    ///   - mailbox: its updates are those of `queue`.
    ///   - isSettled: whether there is nothing more to do; called at the start, when an empty queue sends no update, and
    ///     after every update.
    package init(
        _ kind: ReportKind, output: Int32 = 1, isASCII: Bool = false, shard: ShardFigures? = nil,
        keepsParts: Bool = true, queue: any QueueAccess, mailbox: LoopMailbox,
        isSettled: @escaping (QueueTotals) -> Bool = { $0.hasTransfers && $0.allSettled }
    ) {
        self.output = ReportOutput(output)
        self.queue = queue
        self.mailbox = mailbox
        self.isSettled = isSettled
        reporter = kind.reporter(
            unixOffset: clock.unixOffset(), isASCII: isASCII, shard: shard, keepsParts: keepsParts)
    }

    /// Runs until all transfers are settled, or a signal or closed output ends the run, and then until the engine has
    /// ended. A second SIGINT ends it at once.
    package func run() -> LoopEnd {
        while decisions.end != .quitAtOnce {
            let isLast = queue.feed.hasEnded
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
        if let update = mailbox.updates.take() {
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
            .input(signals.descriptor), .input(isUpdateWaiting ? -1 : mailbox.wake.descriptor),
            .output(output.hasUnsent ? output.descriptor : -1),
        ])
        poll.wait(
            until: [deadline, isUpdateWaiting ? nextUpdateTime : nil, reporter?.nextLineTime].compactMap(\.self).min(),
            clock: clock)
        output.flush()
        if poll.isReadable(signals.descriptor) {
            for signal in signals.take() { perform(decisions.hear(signal, .reporter)) }
        }
        if poll.isReadable(mailbox.wake.descriptor) {
            mailbox.wake.drain()
            hasUpdate = true
        }
    }

    private func perform(_ steps: [SignalActions.Step]) {
        for step in steps {
            switch step {
            case .quit: queue.send(.quit)
            case .stop: SignalMask.stopProcessGroup()
            case .resumeAfterStop: queue.send(.resumed(at: clock.now()))
            // Only a dashboard has a user to ask and a size.
            case .ask, .resize: break
            }
        }
    }
}

/// Converts updates to lines of text. Pure: updates in, lines out, without line ends.
protocol Reporter {
    /// - Parameter update: what has changed since the last update.
    mutating func lines(for update: Update) -> [String]
    /// When `lines(at:)` must be called even if no update arrives; `nil`: no line is due.
    var nextLineTime: Moment? { get }
    mutating func lines(at now: Moment) -> [String]
    /// The last lines, after the engine has ended.
    mutating func lastLines() -> [String]
}

/// The front ends that write lines instead of drawing a screen.
package enum ReportKind: String, Hashable, Sendable, CaseIterable {
    /// A line when a transfer settles, and one for the queue every few seconds.
    case plain
    /// A JSON object per line for every event.
    case json
    case quiet

    /// - Parameter shard: plain output leaves it to the messages on standard error.
    /// - Returns: `nil` for `quiet`.
    func reporter(unixOffset: Double, isASCII: Bool, shard: ShardFigures?, keepsParts: Bool) -> (any Reporter)? {
        switch self {
        case .plain: PlainReporter(isASCII: isASCII, keepsParts: keepsParts)
        case .json: JSONReporter(unixOffset: unixOffset, shard: shard, keepsParts: keepsParts)
        case .quiet: nil
        }
    }

    /// The output of a run that does not begin, because its shard has no entry of the list.
    ///
    /// - Parameter clock: says when that is.
    package func lines(ofEmpty shard: ShardFigures, _ clock: MonotonicClock) -> [String] {
        guard self == .json else { return [] }
        var reporter = JSONReporter(unixOffset: clock.unixOffset(), shard: shard)
        return reporter.lines(for: Update(at: clock.now()))
    }
}

/// Writes lines to standard output without blocking: lines are kept until the reader takes them.
final class ReportOutput {
    let descriptor: Int32
    private let isOwned: Bool
    private var unsent: ArraySlice<UInt8> = []
    /// The error number of a failed write, after which nothing is written; EPIPE: the reader has closed its end.
    private(set) var failure: Int32?
    var isClosed: Bool { failure != nil }

    /// 64 KiB, the capacity of a pipe: while this much is unsent, `hasRoom` is false and no updates are taken.
    private static let enough = 64 << 10

    /// A pipe or terminal is opened anew, so that `O_NONBLOCK` does not affect other processes that share it; a write
    /// to a file never blocks.
    init(_ shared: Int32) {
        var status = stat()
        let kind = fstat(shared, &status) == 0 ? status.st_mode & S_IFMT : 0
        let canWait = kind == S_IFIFO || kind == S_IFCHR
        let reopened = canWait ? open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
        isOwned = reopened >= 0
        descriptor = isOwned ? reopened : shared
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    var hasUnsent: Bool { !unsent.isEmpty }
    var hasRoom: Bool { unsent.count < Self.enough }

    func write(_ lines: [String]) {
        guard !lines.isEmpty, !isClosed else { return }
        var bytes = Array(unsent)
        for line in lines { bytes += Array(line.utf8) + [UInt8(ascii: "\n")] }
        unsent = bytes[...]
        flush()
    }

    /// Writes what the reader takes now.
    func flush() {
        while !unsent.isEmpty, !isClosed {
            let written = unsent.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                unsent = unsent.dropFirst(written)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                failure = errno
            }
        }
        if isClosed { unsent = [] }
    }
}
