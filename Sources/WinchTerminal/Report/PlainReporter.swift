import WinchModel

/// One line when a transfer settles, one for the queue at most every five seconds, one at the end. Lines never
/// contain control characters, whatever name a server gives to its file.
struct PlainReporter: Reporter {
    private struct Start {
        var at: Moment
        /// Bytes received since the start; what an earlier run left on disk is not included.
        var came: Int64 = 0
    }

    /// The output can show ASCII only.
    private let isASCII: Bool
    /// A part file stays after a failure.
    private let keepsParts: Bool
    private var starts: [TransferID: Start] = [:]
    private var totals = QueueTotals()
    private var began: Moment?
    private var now: Moment?
    private var lastQueueLine: Moment?
    /// Folders without disk space that were reported already. Each is reported once until a transfer finishes.
    private var fullFolders: Set<String> = []
    /// Bytes received in this run, including those that were discarded later, and those sent that the servers have taken.
    private var received: Int64 = 0

    /// 5 s: often enough to see in a log that the run is alive, and seldom enough not to fill the log.
    static let queueSpan = Duration.seconds(5)

    init(isASCII: Bool = false, keepsParts: Bool = true) {
        (self.isASCII, self.keepsParts) = (isASCII, keepsParts)
    }

    /// Queue lines are written with updates only: while nothing changes, nothing is written.
    var nextLineTime: Moment? { nil }
    mutating func lines(at now: Moment) -> [String] { [] }

    mutating func lines(for update: Update) -> [String] {
        began = began ?? update.at
        lastQueueLine = lastQueueLine ?? update.at
        now = update.at
        totals = update.totals
        var lines: [String] = []
        for event in update.events {
            guard let id = event.id else { continue }
            if case .moved = event.kind {
                received += event.completed
                starts[id]?.came += event.completed
            } else if case .rebase = event.kind, event.direction == .up, event.completed < 0,
                let came = starts[id]?.came
            {
                // The server has not taken these; those of an earlier run are not counted here.
                let lost = min(came, -event.completed)
                received -= lost
                starts[id]?.came -= lost
            }
            if let line = line(for: event, id: id, row: update.rows[id]) {
                lines.append(PlainText(line, isASCII: isASCII).description)
            }
        }
        if !totals.allSettled, let lastQueueLine, update.at - lastQueueLine >= Self.queueSpan {
            self.lastQueueLine = update.at
            lines.append(queueLine(at: update.at))
        }
        return lines
    }

    mutating func lastLines() -> [String] {
        guard let began, let now, totals.count > 0 else { return [] }
        let unfinished = totals.count - totals.settled
        var parts = ["total", counts + (unfinished > 0 ? ", \(unfinished) unfinished" : "")]
        if received > 0 {
            let time = DurationFormat.withTenths(now - began)
            parts.append("\(NumberFormat.bytes(ByteCount(bytes: received))) in \(time)")
            if let rate = ByteCount(bytes: received).rate(over: now - began) { parts.append(NumberFormat.rate(rate)) }
        }
        return [parts.joined(separator: "  ")]
    }

    /// The line for an event; `nil` for an event that is not reported.
    private mutating func line(for event: FeedEvent, id: TransferID, row: TransferSnapshot?) -> String? {
        func name() -> String { row?.path ?? "transfer \(id.number)" }
        switch event.kind {
        case .started:
            // Later attempts count for the same duration.
            if starts[id] == nil { starts[id] = Start(at: event.at) }
            return nil
        case .awaitingSpace(let folder):
            guard fullFolders.insert(folder).inserted else { return nil }
            let needs = event.size.map { " needs \(NumberFormat.bytes($0 - event.have))" } ?? ""
            return "waiting  for disk space in \(folder): \(name())\(needs)"
        case .finished(let outcome):
            fullFolders = []
            let line = finishedLine(outcome, event: event, row: row, start: starts.removeValue(forKey: id))
            // A tree may have very many folders.
            if let row, row.warning == nil, row.isSubfolder { return nil }
            return line + (row?.warning.map { "  \($0.kind): \($0.message)" } ?? "")
        case .failed(let failure):
            starts[id] = nil
            return "failed  \(failure.reported(name())): \(failure.message(keepsPart: keepsParts))"
        case .cancelled:
            starts[id] = nil
            return "cancelled  \(name())"
        // The line of the row's end may have been written before.
        case .warned(let warning):
            guard case .leftAtServer = warning else { return nil }
            return "\(warning.kind)  \(name()): \(warning.message)"
        case .removed:
            starts[id] = nil
            return nil
        case .added, .reopened, .redirected, .headers, .moved, .rebase, .sized, .paused, .resumed, .replying, .retrying,
            .connections, .verifying, .restored, .queueFinished:
            return nil
        }
    }

    private func finishedLine(
        _ outcome: TransferPhase.Outcome, event: FeedEvent, row: TransferSnapshot?, start: Start?
    ) -> String {
        let size = NumberFormat.bytes(event.have)
        let path = row?.path(to: outcome.path) ?? outcome.path
        switch outcome {
        case .skipped: return "skipped  \(path)  already there"
        case .listed(_, let found): return "finished  \(path)  \(found.words(of: outcome.path))"
        case .alreadyComplete:
            return "finished  \(path)  \(size)  \(event.direction == .up ? "already sent" : "already there")"
        case .saved, .sent:
            guard let start else { return "finished  \(path)  \(size)" }
            let span = event.at - start.at
            var line = "finished  \(path)  \(size)  \(DurationFormat.withTenths(span))"
            if start.came > 0, let rate = ByteCount(bytes: start.came).rate(over: span) {
                line += "  \(NumberFormat.rate(rate))"
            }
            return line
        }
    }

    private var counts: String {
        var words = "\(totals.finished) of \(totals.count) finished"
        if totals.failed > 0 { words += ", \(totals.failed) failed" }
        if totals.cancelled > 0 { words += ", \(totals.cancelled) cancelled" }
        if let folders = totals.listings?.openWords { words += ", " + folders }
        return words
    }

    private func queueLine(at now: Moment) -> String {
        let finishing = totals.finishing > 0 ? ", \(totals.finishing) finishing" : ""
        var parts = ["queue", counts + ", \(totals.active) active" + finishing]
        if !totals.isIndeterminate {
            let size = (totals.isEstimated ? "~" : "") + NumberFormat.bytes(ByteCount(bytes: totals.total))
            parts.append(totals.percentWords + (totals.mode == .accurate ? " of \(size)" : ""))
        }
        if let space = totals.awaitingSpace { parts.append("\(space.count) waiting for space in \(space.folder)") }
        if let limit = totals.hostLimits.first {
            parts.append("\(limit.host): limited to \(limit.connections) connections")
        }
        if let rate = totals.rate { parts.append(NumberFormat.rate(rate)) }
        if let finish = totals.finish {
            parts.append(TimeLeftFormat.left(finish - now, isGuessed: totals.isFinishEstimated))
        }
        return parts.joined(separator: "  ")
    }
}
