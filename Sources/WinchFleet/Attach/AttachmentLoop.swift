import WinchModel
import WinchTransport

/// The state of an attachment, and what it does for each input. Used by one task.
struct AttachmentLoop {
    private let attachment: FleetAttachment
    private let report: @Sendable (FleetAttachment.Report) -> Void
    private var board = FleetBoard()
    private var feeds: [String: WorkerFeed] = [:]
    private var ticks = 0
    /// Of the failures: how many there were, and up to where they have been read.
    private var failures: (count: UInt64, last: UInt64)?
    private(set) var isOver = false

    /// After a retry the latest failures are read again from so far before the end.
    private static let failuresRead: UInt64 = 2000

    init(_ attachment: FleetAttachment, _ report: @escaping @Sendable (FleetAttachment.Report) -> Void) {
        (self.attachment, self.report) = (attachment, report)
    }

    private var link: NatsLink { attachment.run.jetStream.link }

    mutating func take(_ input: FleetAttachment.Input) {
        let now = SystemClock.moment()
        switch input {
        case .event(let event):
            if case .record(let worker, nil) = event { feeds[worker] = nil }
            board.apply(event, at: now)
        case .message(let worker, let body):
            switch feeds[worker, default: WorkerFeed()].take(body, at: now) {
            case .update(let update, let entries):
                board.apply(.update(worker: worker, update, entries: entries), at: now)
            case .unknown: board.apply(.unknown(worker: worker), at: now)
            }
        case .link(let event): take(event, at: now)
        case .command(let command): obey(command)
        case .failures(let count, let last): readFailures(count: count, last: last)
        case .tick: tick(at: now)
        }
    }

    private mutating func take(_ event: NatsLink.Event, at now: Moment) {
        switch event {
        case .lost:
            board.apply(.connection(isThere: false), at: now)
            report(.connection("Connection to \(link.shownServer) lost; winch connects again by itself"))
        case .back:
            board.apply(.connection(isThere: true), at: now)
            report(.connection(nil))
            ticks = 0
        case .fault(let words): report(.notice("The server says: \(words)"))
        case .closed(let reason):
            isOver = true
            report(.ended(.closed(reason: reason)))
        }
    }

    private mutating func tick(at now: Moment) {
        // Workers publish as long as they are asked.
        if ticks % 20 == 0 {
            follow(nil, FollowRequest())
            attachment.askForControl()
        }
        if ticks % 4 == 0 { attachment.askForCounts() }
        ticks += 1
        let news = board.takeNews(at: now)
        for worker in news.wanted {
            var request = FollowRequest()
            request.isWhole = true
            follow(worker, request)
        }
        report(.news(news))
    }

    private func follow(_ worker: String?, _ request: FollowRequest) {
        link.publish(attachment.run.followSubject(ofWorker: worker), KeyValueBucket.encode(request))
    }

    private mutating func readFailures(count: UInt64, last: UInt64) {
        defer { failures = (count, last) }
        guard let known = failures else {
            guard count > 0 else { return }
            return attachment.askForFailures(from: last - min(last, Self.failuresRead) + 1, isWhole: true)
        }
        let new = last - min(last, known.last)
        if count < known.count &+ new {
            attachment.askForFailures(from: last - min(last, Self.failuresRead) + 1, isWhole: true)
        } else if new > 0 {
            attachment.askForFailures(from: known.last + 1, isWhole: false)
        }
    }

    private mutating func obey(_ command: Command) {
        switch command {
        case .pauseAll: change { $0.isPaused = true }
        case .resumeAll: change { $0.isPaused = false }
        case .setRateLimit(let limit): change { $0.limit = limit?.perSecond }
        case .retryFailed:
            attachment.perform { (run) throws(FleetFault) in
                let count = try await run.retry()
                return "\(NumberFormat.count(count.again)) in the queue again" + count.rest
            }
        case .retry(let ids): retry(ids)
        case .cancel(let ids):
            let entries = board.entries(of: ids)
            attachment.perform { (run) throws(FleetFault) in
                try await run.cancel(entries)
                return nil
            }
        case .watch(let id, _): watch(id)
        case .quit, .resumed: break
        default: report(.notice("Not done: a fleet does not do this from its dashboard"))
        }
    }

    private func change(_ change: @escaping @Sendable (inout RunControl) -> Void) {
        attachment.perform { (run) throws(FleetFault) in
            try await run.change(change)
            return nil
        }
    }

    private func retry(_ ids: [TransferID]) {
        let numbers = board.failed(of: ids).map { "\($0)" }
        guard !numbers.isEmpty else {
            return report(.notice("Not done: the machine repeats it by itself"))
        }
        attachment.perform { (run) throws(FleetFault) in
            let count = try await run.retry(numbers)
            return count.unusable > 0 ? "Not done" + count.rest : nil
        }
    }

    private func watch(_ id: TransferID?) {
        guard let new = id.flatMap({ board.place(of: $0) }) else { return }
        var request = FollowRequest()
        request.watched = new.row
        follow(new.worker, request)
    }
}

extension FleetRun.RetryCount {
    fileprivate var rest: String {
        unusable > 0 ? "; \(NumberFormat.count(unusable)) left: no entries that this winch can download" : ""
    }
}
