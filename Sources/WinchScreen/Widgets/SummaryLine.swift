import WinchCore

/// What the header says of the queue as a whole, in one line or, with more room, in two around the bar.
///
/// When room is short parts go in this order. Title line: the curve of the rate becomes shorter, then goes, the title is
/// cut, then goes, then the time left, then the rate.
/// Counts: cancelled, paused, retrying, queued, active; then of the right side slots, sizing, limit, held, the word
/// simple or accurate, the cause of a step back; failed, and last done. In one line: title, cancelled, paused, retrying,
/// queued, active, the name winch, time left, rate, failed, done.
struct SummaryLine {
    let frame: Frame

    private var totals: QueueTotals { frame.totals }
    private var theme: Theme { frame.theme }

    /// Everything in one line.
    var compact: PartLine {
        let counts = counts(done: 12, failed: 11, active: 5, queued: 4)
        return PartLine(
            left: ListLine(frame: frame).selecting + [name(rank: 6)] + batch + counts, right: speed(rate: 10, left: 9),
            separator: frame.separator)
    }

    var title: PartLine {
        let line = PartLine(left: [name(rank: 12)] + batch, right: speed(rate: 10, left: 9), separator: frame.separator)
        let room = frame.state.columns - 2 * frame.state.layout.margin - line.columns - 2
        guard frame.state.layout.graph.isEmpty,
            let cells = Sparkline(frame.board.history, look: frame.look).cells(atMost: min(room, widestCurve))
        else { return line }
        let curve = frame.run(String(cells), theme.quiet)
        // It belongs to the words before it, and is there only where all of them have room.
        var right = line.right
        if let last = right.popLast() {
            right.append(Part(last.runs + [frame.run("  ", theme.quiet), curve], rank: last.rank))
        } else {
            right = [Part([curve], rank: 0)]
        }
        return PartLine(left: line.left, right: right, separator: line.separator)
    }

    /// The curve of the rate takes a third of the line at most.
    private var widestCurve: Int { frame.state.columns / 3 }

    var counts: PartLine {
        PartLine(
            left: counts(done: 20, failed: 19, active: 7, queued: 6), right: conditions(withSlots: true),
            separator: frame.separator)
    }

    /// How the queue is counted and held back, the most telling last.
    ///
    /// - Parameter withSlots: how many run at a time, too; said where it costs nothing.
    func conditions(withSlots: Bool) -> [Part] {
        var parts: [Part] = []
        if let cause = frame.state.queueMotion?.cause(at: frame.now) {
            parts.append(Part([frame.run(cause.words(in: totals.mode), theme.warning)], rank: 18))
        }
        if totals.isHeld { parts.append(Part([frame.run("held", theme.paused)], rank: 16)) }
        if let limit = totals.rateLimit {
            parts.append(Part([frame.run("limit \(Format.rate(limit))", theme.paused)], rank: 15))
        }
        if let space = totals.awaitingSpace {
            parts.append(Part([frame.run("no space in \(space.folder)", theme.warning)], rank: 17))
        }
        if let limit = totals.hostLimits.first {
            let more = totals.hostLimits.count > 1 ? " (and others less)" : ""
            let places = limit.connections == 1 ? "1 connection" : "\(limit.connections) connections"
            parts.append(Part([frame.run("\(limit.host) takes \(places)\(more)", theme.quiet)], rank: 5))
        }
        if let sizing = totals.sizing {
            parts.append(Part([frame.run("sizing \(sizing.answered)/\(sizing.asked)", theme.quiet)], rank: 14))
        }
        if withSlots { parts.append(Part([frame.run("\(totals.slots) at a time", theme.quiet)], rank: 3)) }
        parts.append(Part([frame.run(totals.mode.rawValue, theme.quiet)], rank: 17))
        return parts
    }

    private func name(rank: Int) -> Part {
        Part([frame.run("winch", theme.title)], rank: rank)
    }

    private var batch: [Part] {
        frame.state.title.isEmpty ? [] : [Part([frame.run(frame.state.title, theme.text)], rank: 1, least: 8)]
    }

    private func counts(done: Int, failed: Int, active: Int, queued: Int) -> [Part] {
        func part(_ count: Int, _ word: String, _ style: Style, rank: Int) -> Part? {
            count > 0 ? Part([frame.run("\(count) \(word)", style)], rank: rank) : nil
        }
        let hasEnded = totals.count > 0 && totals.finished == totals.count
        let first = Part(
            [frame.run("\(totals.finished) of \(totals.count) done", hasEnded ? theme.done : theme.text)], rank: done)
        let others = [
            part(totals.active, "active", theme.moving, rank: active),
            part(totals.waiting, "queued", theme.quiet, rank: queued),
            part(totals.backoff, "retrying", theme.warning, rank: 4),
            part(totals.paused, "paused", theme.paused, rank: 3),
            part(totals.failed, "failed", theme.failure, rank: failed),
            part(totals.cancelled, "cancelled", theme.cancelled, rank: 2),
        ]
        return [first] + others.compactMap(\.self)
    }

    private func speed(rate: Int, left: Int) -> [Part] {
        var parts: [Part] = []
        if totals.active > 0, let speed = totals.rate {
            parts.append(Part([frame.run(Format.rate(speed), theme.text)], rank: rate))
        }
        if totals.active > 0, let finish = totals.finish {
            parts.append(
                Part(
                    [
                        frame.run(
                            Format.left(finish - frame.now, isGuessed: totals.isFinishEstimated), theme.quiet)
                    ], rank: left))
        }
        return parts
    }
}

extension Rebase {
    /// `retry -600 B`, `+3 files`: the cause, and the bytes it took where it counts bytes.
    func words(in mode: ProgressMode) -> String {
        guard mode == .accurate, completed < 0 else { return cause.words }
        return cause.words + " " + Format.bytes(ByteCount(bytes: completed))
    }
}
