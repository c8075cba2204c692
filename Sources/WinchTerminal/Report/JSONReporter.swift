import WinchModel

/// One JSON object per line: every event with what it changed, and the queue's totals at most ten times a second.
///
/// `delta` and `deltaTotal` are an event's changes of the queue's sums in accurate mode; their sums over all lines
/// give the totals, and over those with the direction `up` the totals of the uploads. Sizes are in bytes, durations in seconds;
/// `time` is in seconds since 1970.
struct JSONReporter: Reporter {
    private let unixOffset: Double
    private var totals: QueueTotals?
    private var at = Moment(nanoseconds: 0)
    private var lastQueueLine: Moment?
    /// When the next queue line is due, because the totals have changed since the last one.
    private(set) var nextLineTime: Moment?
    /// The last line written is the queue's.
    private var endsWithTotals = false

    /// Least time between two queue lines.
    static let queueSpan = Duration.milliseconds(100)

    /// - Parameter unixOffset: added to a moment's seconds, gives the seconds since 1970.
    init(unixOffset: Double) {
        self.unixOffset = unixOffset
    }

    mutating func lines(for update: Update) -> [String] {
        let lines = update.events.map { line(for: $0, row: $0.id.flatMap { update.rows[$0] }) }
        at = update.at
        if !lines.isEmpty { endsWithTotals = false }
        if totals != update.totals {
            totals = update.totals
            let turn = lastQueueLine.map { max(update.at, $0 + Self.queueSpan) } ?? update.at
            nextLineTime = nextLineTime ?? turn
        }
        return lines + self.lines(at: update.at)
    }

    mutating func lines(at now: Moment) -> [String] {
        guard let nextLineTime, nextLineTime <= now else { return [] }
        at = max(at, now)
        return queueLines()
    }

    /// The last line is always a queue line.
    mutating func lastLines() -> [String] { nextLineTime == nil && endsWithTotals ? [] : queueLines() }

    private mutating func queueLines() -> [String] {
        guard let totals else { return [] }
        nextLineTime = nil
        endsWithTotals = true
        lastQueueLine = at
        var line = begin("queue", at: at)
        line.set("mode", totals.mode.rawValue)
        line.set("completed", totals.completed)
        line.set("total", totals.total)
        line.set("fraction", Self.floored(totals.fraction), digits: 6)
        line.set("percent", totals.percent.map(Int64.init))
        line.set("estimated", totals.isEstimated)
        if let uploads = totals.uploads {
            var up = JSONLine()
            up.set("completed", uploads.completed)
            up.set("total", uploads.total)
            up.set("fraction", Self.floored(uploads.fraction), digits: 6)
            line.set("up", up)
        }
        line.set("count", totals.count)
        line.set("finished", totals.finished)
        line.set("failed", totals.failed)
        line.set("cancelled", totals.cancelled)
        line.set("waiting", totals.waiting)
        line.set("active", totals.active)
        line.set("finishing", totals.finishing)
        line.set("paused", totals.paused)
        line.set("retrying", totals.backoff)
        line.set("rate", totals.rate?.perSecond, digits: 0)
        line.set("eta", totals.finish.map { max(0, ($0 - at).seconds) }, digits: 1)
        return [line.text]
    }

    /// Rounded down to millionths: 1 is reported only when all transfers are settled.
    private static func floored(_ fraction: Double) -> Double {
        fraction < 1 ? min((fraction * 1e6).rounded(.down) / 1e6, 0.999_999) : fraction
    }

    private func begin(_ event: String, at moment: Moment) -> JSONLine {
        var line = JSONLine()
        line.set("event", event)
        line.set("time", Double(moment.nanoseconds) / 1e9 + unixOffset, digits: 3)
        return line
    }

    private func line(for event: FeedEvent, row: TransferSnapshot?) -> String {
        var line = begin(event.kind.word, at: event.at)
        if let id = event.id { line.set("id", id.number) }
        if event.direction == .up { line.set("direction", event.direction.rawValue) }
        line.set("delta", event.completed)
        line.set("deltaTotal", event.total)
        if event.id != nil { setPlace(event, &line) }
        event.kind.setDetails(of: row, at: event.at, &line)
        return line.text
    }

    private func setPlace(_ event: FeedEvent, _ line: inout JSONLine) {
        if event.direction == .up, event.kind.tellsSent { line.set("sent", event.have.bytes) }
        line.set("have", event.have.bytes)
        line.set("size", event.size?.bytes)
        let isFinished =
            switch event.kind {
            case .finished, .reopened(_, _, .finished): true
            default: false
            }
        guard isFinished || event.size != nil else { return }
        let fraction = Fraction(
            completed: event.have.bytes, total: event.size?.bytes ?? 0, allSettled: isFinished)
        line.set("percent", fraction.percent)
    }
}
