import WinchBatch
import WinchModel

/// One JSON object per line: every event with what it changed, and the queue's totals at most ten times a second.
///
/// `delta` and `deltaTotal` are an event's changes of the queue's sums in accurate mode; their sums over all lines
/// give the totals, and over those with the direction `up` the totals of the uploads. Sizes are in bytes, durations in seconds;
/// `time` is in seconds since 1970.
struct JSONReporter: Reporter {
    private let unixOffset: Double
    /// A part file stays after a failure.
    private let keepsParts: Bool
    private var totals: QueueTotals?
    private var at = Moment(nanoseconds: 0)
    private var lastQueueLine: Moment?
    /// When the next queue line is due, because the totals have changed since the last one.
    private(set) var nextLineTime: Moment?
    /// Until it is written, as the first line; `nil`: the run takes the whole list.
    private var shard: ShardFigures?
    /// The last line written is the queue's.
    private var endsWithTotals = false

    /// Least time between two queue lines.
    static let queueSpan = Duration.milliseconds(100)

    /// - Parameter unixOffset: added to a moment's seconds, gives the seconds since 1970.
    init(unixOffset: Double, shard: ShardFigures? = nil, keepsParts: Bool = true) {
        (self.unixOffset, self.shard, self.keepsParts) = (unixOffset, shard, keepsParts)
    }

    mutating func lines(for update: Update) -> [String] {
        let lines =
            shardLines(at: update.at) + update.events.map { line(for: $0, row: $0.id.flatMap { update.rows[$0] }) }
        at = update.at
        if !lines.isEmpty { endsWithTotals = false }
        if totals != update.totals {
            totals = update.totals
            let turn = lastQueueLine.map { max(update.at, $0 + Self.queueSpan) } ?? update.at
            nextLineTime = nextLineTime ?? turn
        }
        return lines + self.lines(at: update.at)
    }

    private mutating func shardLines(at now: Moment) -> [String] {
        guard let figures = shard.take() else { return [] }
        var line = begin("shard", at: now)
        line.set("shard", figures.shard.index)
        line.set("shards", figures.shard.count)
        line.set("entries", figures.entries)
        line.set("of", figures.listed)
        return [line.text]
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
        line.set(totals, at: at)
        return [line.text]
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
        if let row, !["", "."].contains(row.folder), !event.kind.namesFolder { line.set("folder", row.folder) }
        line.set("delta", event.completed)
        line.set("deltaTotal", event.total)
        if event.id != nil { setPlace(event, &line) }
        event.kind.setDetails(of: row, at: event.at, keepsPart: keepsParts, &line)
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

extension FeedEvent.Kind {
    var word: String {
        switch self {
        case .added, .reopened: "added"
        case .started: "started"
        case .redirected: "redirected"
        case .headers: "headers"
        case .moved: "moved"
        case .rebase: "rebase"
        case .sized: "sized"
        case .paused: "paused"
        case .resumed: "resumed"
        case .retrying: "retrying"
        case .connections: "connections"
        case .awaitingSpace: "awaitingSpace"
        case .warned: "warned"
        case .verifying: "verifying"
        case .replying: "replying"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .removed: "removed"
        case .restored: "restored"
        case .queueFinished: "queueFinished"
        }
    }

    /// The event is about a folder of its own.
    var namesFolder: Bool { if case .awaitingSpace = self { true } else { false } }

    /// Of an upload the event tells what has been sent.
    var tellsSent: Bool {
        switch self {
        case .moved, .rebase, .paused, .retrying, .finished: true
        default: false
        }
    }

    /// Adds the fields that only this kind of event has.
    func setDetails(of row: TransferSnapshot?, at: Moment, keepsPart: Bool, _ line: inout JSONLine) {
        switch self {
        case .added(let url, let name):
            line.set("url", url)
            line.set("name", name)
        case .reopened(let url, let name, let standing):
            line.set("url", url)
            line.set("name", name)
            line.set("standing", standing.word)
            switch standing {
            case .finished(let outcome): line.set(outcome, of: row)
            case .failed(let failure): line.set(failure)
            case .unfinished, .paused, .cancelled: break
            }
        case .started(let attempt): line.set("attempt", attempt)
        case .redirected(let url): line.set("url", url)
        case .headers(let status): line.set("status", status)
        // The name of the case, without its value.
        case .rebase(let cause): line.set("cause", String("\(cause)".prefix { $0 != "(" }))
        case .retrying(let wait, let failure):
            line.set("wait", wait.seconds, digits: 3)
            line.set(failure, keepsPart: keepsPart)
        case .connections(let count, let reason, let open):
            line.set("connections", count)
            line.set("reason", reason)
            line.set("open", open.map { $0.line(at: at) })
        case .awaitingSpace(let folder): line.set("folder", folder)
        case .warned(let warning): line.set(warning.kind, warning.message)
        case .finished(let outcome):
            if let row { line.set("name", row.name) }
            line.set(outcome, of: row)
        case .failed(let failure):
            if let row {
                line.set("name", row.name)
                line.set("url", row.url)
            }
            line.set(failure, keepsPart: keepsPart)
        case .cancelled:
            if let row { line.set("name", row.name) }
        case .moved, .sized, .paused, .resumed, .verifying, .replying, .removed, .restored, .queueFinished: break
        }
    }
}

extension OpenConnection {
    /// Its number, the first and the last position of the bytes that it is still to bring, rate, server, age in seconds and phase.
    fileprivate func line(at now: Moment) -> JSONLine {
        var line = JSONLine()
        line.set("number", number)
        line.set("first", range?.lowerBound)
        line.set("last", range.map { $0.upperBound - 1 })
        line.set("rate", rate?.perSecond, digits: 0)
        line.set("host", host)
        line.set("age", (now - began).seconds, digits: 3)
        line.set("phase", "\(phase)")
        return line
    }
}
