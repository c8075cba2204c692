import WinchModel

/// The header's summary of the queue: one line in the compact layout, two lines around the bar in the roomy one.
/// In a session's dashboard the session's name stands for the title and is kept longest.
struct SummaryLine {
    let frame: Frame

    private var totals: QueueTotals { frame.totals }
    private var theme: Theme { frame.theme }
    private var isSilent: Bool { totals.active > 0 && totals.stalled == totals.active }
    private var isOver: Bool { totals.hasTransfers && totals.allSettled }

    var compact: StyledLine {
        let counts = counts(done: 12, failed: 11, active: 5)
        return StyledLine(
            left: TabBar(frame: frame).selecting + [name(rank: 6)] + (session(rank: 13) ?? batch) + counts,
            right: speed(rate: 10, left: 9), separator: frame.separator)
    }

    var title: StyledLine {
        let right = isOver ? [outcome] : speed(rate: 10, left: 9)
        let line = StyledLine(
            left: [name(rank: 12)] + (session(rank: 13) ?? batch), right: right, separator: frame.separator)
        let room = frame.state.columns - 2 * frame.state.layout.margin - line.columns - 2
        guard frame.state.layout.graph.isEmpty, !isOver,
            let cells = Sparkline(history: frame.board.history, symbols: frame.look.symbols)
                .cells(atMost: min(room, frame.state.columns / 3))
        else { return line }
        let curve = frame.run(String(cells), theme.graph)
        // The curve is joined to the last part, so that both are kept or dropped together.
        var all = line.right
        if let last = all.popLast() {
            all.append(Part(last.runs + [frame.run("  ", theme.quiet), curve], rank: last.rank))
        } else {
            all = [Part([curve], rank: 0)]
        }
        return StyledLine(left: line.left, right: all, separator: line.separator)
    }

    var figures: StyledLine {
        StyledLine(
            left: counts(done: 20, failed: 19, active: 7), right: conditions + elapsed(rank: 4),
            separator: frame.separator)
    }

    /// What currently holds the queue back: a step back, a batch that is being read, a pause, a rate limit, missing disk space, a host's
    /// connection limit, sizing.
    var conditions: [Part] {
        var parts: [Part] = []
        func add(_ words: String?, _ style: Style, rank: Int) {
            if let words { parts.append(frame.part(words, style, rank: rank)) }
        }
        add(frame.state.queueMotion?.cause(at: frame.now)?.words(in: totals.mode), theme.warning, rank: 18)
        add(totals.isReading ? "reading the list" : nil, theme.quiet, rank: 19)
        add(totals.listings?.openWords, theme.quiet, rank: 14)
        add(totals.isHeld && totals.isAllPaused ? "all paused" : nil, theme.paused, rank: 16)
        add(totals.rateLimit.map { "total limit \(NumberFormat.rate($0))" }, theme.paused, rank: 15)
        add(totals.uploadLimit.map { "upload limit \(NumberFormat.rate($0))" }, theme.paused, rank: 15)
        add(totals.awaitingSpace.map { "no disk space in \($0.folder)" }, theme.warning, rank: 17)
        if let limit = totals.hostLimits.first {
            let more = totals.hostLimits.count > 1 ? " and \(totals.hostLimits.count - 1) more" : ""
            let words = "\(limit.host)\(more): limited to \(limit.connections.counted("connection"))"
            add(words, theme.quiet, rank: 5)
        }
        add(totals.sizing.map { "asking for sizes \($0.answered)/\($0.asked)" }, theme.quiet, rank: 14)
        return parts
    }

    private func name(rank: Int) -> Part { frame.part("winch", theme.title, rank: rank) }

    /// That the queue is a session's, which goes on without this dashboard; `nil`: it is not.
    private func session(rank: Int) -> [Part]? {
        frame.state.session.map { name in
            [frame.part(name.isEmpty ? "session" : "session \(name)", theme.key, rank: rank, least: 7)]
        }
    }

    private var batch: [Part] {
        frame.state.title.isEmpty ? [] : [frame.part(frame.state.title, theme.text, rank: 1, least: 8)]
    }

    /// Once all transfers are settled. How they ended is in the figures.
    private var outcome: Part {
        let style = totals.failed > 0 ? theme.failure : totals.cancelled > 0 ? theme.warning : theme.done
        return frame.part("finished", style, rank: 10)
    }

    private func counts(done: Int, failed: Int, active rank: Int) -> [Part] {
        func part(_ count: Int, _ word: String, _ style: Style, rank: Int) -> Part? {
            count > 0 ? frame.part("\(count) \(word)", style, rank: rank) : nil
        }
        let hasEnded = totals.count > 0 && totals.finished == totals.count
        let first = frame.part(
            "\(totals.finished) of \(totals.count) done", hasEnded ? theme.done : theme.text, rank: done)
        let moving = totals.uploads.map { $0.count == totals.count ? "uploading" : "active" } ?? "downloading"
        let active = isSilent ? "stalled" : moving
        let asking = frame.state.awaitingAnswer.count
        let others = [
            part(totals.failed, "failed", theme.failure, rank: failed),
            part(asking, asking == 1 ? "waits for your answer" : "wait for your answer", theme.question, rank: failed),
            bytes(rank: frame.state.layout.form == .compact ? rank + 1 : failed - 1),
            uploads(rank: 2),
            part(totals.active, active, isSilent ? theme.warning : theme.moving, rank: rank),
            part(totals.finishing, "finishing", theme.moving, rank: rank + 1),
            part(totals.backoff, "retrying", theme.warning, rank: 4),
            part(totals.paused, "paused", theme.paused, rank: 3),
            part(totals.cancelled, "cancelled", theme.cancelled, rank: 2),
        ]
        return [first] + others.compactMap(\.self)
    }

    /// Beside downloads, what the uploads have sent: `↑ 1.0 of 2.0 GiB`.
    private func uploads(rank: Int) -> Part? {
        guard let uploads = totals.uploads, uploads.count < totals.count, uploads.bytesTotal > 0, !isOver else {
            return nil
        }
        let words = NumberFormat.progress(ByteCount(bytes: uploads.bytesDone), of: ByteCount(bytes: uploads.bytesTotal))
        let arrow = String(frame.look.symbols.state(.uploading))
        return frame.part(arrow + " " + words.replacing("/", with: " of "), theme.text, rank: rank)
    }

    /// `3.1 of 12.4 GiB`; once all transfers are settled, the bytes of this run with the time in which they came and their rate.
    private func bytes(rank: Int) -> Part? {
        guard totals.bytesTotal > 0 else { return nil }
        let (done, all) = (ByteCount(bytes: totals.bytesDone), ByteCount(bytes: totals.bytesTotal))
        guard isOver else {
            let words = NumberFormat.progress(done, of: all).replacing(
                "/", with: totals.areBytesEstimated ? " of ~" : " of ")
            return frame.part(words, theme.text, rank: rank)
        }
        var words = NumberFormat.bytes(done)
        if let mean = totals.meanRate, mean > .zero, totals.fetched > 0 {
            // The time without pauses: that since the first start would not fit the rate.
            // To the millisecond, lest a rounding error become a tenth.
            let seconds = (Double(totals.fetched) / mean.perSecond * 1000).rounded() / 1000
            words =
                NumberFormat.bytes(ByteCount(bytes: totals.fetched)) + " in "
                + (seconds < 1 ? "under 1 s" : DurationFormat.withTenths(.saturating(seconds)))
                + ", mean " + NumberFormat.rate(mean)
        }
        return frame.part(words, theme.text, rank: rank)
    }

    /// The elapsed time; left out while no transfer is working, so that a paused screen does not change.
    private func elapsed(rank: Int) -> [Part] {
        guard !isOver, totals.working > 0, let span = totals.elapsed(at: frame.figuresAt) else { return [] }
        return [frame.part("elapsed " + DurationFormat.text(span), theme.quiet, rank: rank)]
    }

    private func speed(rate: Int, left: Int) -> [Part] {
        var parts: [Part] = []
        guard totals.active > 0 else { return parts }
        if let speed = totals.rate { parts.append(frame.part(NumberFormat.rate(speed), theme.title, rank: rate)) }
        if let finish = totals.finish {
            let span = finish - frame.figuresAt
            let words = TimeLeftFormat.left(span, isGuessed: totals.isFinishEstimated)
            parts.append(frame.part(words, theme.text, rank: left))
            // From a day on, the end time would need its day and be longer than the time left.
            if span < .seconds(86_400) {
                let end = frame.state.wallClock.time(of: finish).prefix(5)
                let words = "ends \(totals.isFinishEstimated ? "about " : "")\(end)"
                parts.append(frame.part(words, theme.quiet, rank: left - 1))
            }
        }
        return parts
    }
}

extension Rebase {
    /// `retry -600 B`, `+3 files`: the cause, and in accurate mode the bytes that were lost.
    func words(in mode: ProgressMode) -> String {
        if cause == .modeChanged { return mode == .accurate ? "counting bytes" : "counting files" }
        guard mode == .accurate, completed < 0 else { return cause.words }
        return cause.words + " " + NumberFormat.bytes(ByteCount(bytes: completed))
    }
}
