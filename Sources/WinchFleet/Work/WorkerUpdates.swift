import WinchModel
package import WinchSession

/// The queue of a worker as dashboards follow it: a copy of it, and what they have not been sent yet. All dashboards get the same
/// messages; one that joins makes the worker send the whole again, which the others take as well.
struct WorkerUpdates {
    private var copy: QueueCopy?
    private var unsent = UnsentUpdates()
    private var followedUntil: Moment?
    private var sentAt: Moment?

    /// Changes of the list are sent at once, that is with the next tick of the worker; mere movements of bytes each second.
    private static let movementPace = Duration.seconds(1)
    /// Of an update; a worker with thousands of small files a second would fill the line with them.
    private static let mostEvents = 50

    var isFollowed: Bool { followedUntil != nil }
    var watched: TransferID? { unsent.watched }

    mutating func take(_ request: FollowRequest, at now: Moment) {
        followedUntil = now + FollowRequest.lifetime
        if let watched = request.watched { unsent.watched = watched }
        if request.isWhole ?? false {
            let watched = unsent.watched
            unsent = UnsentUpdates()
            unsent.watched = watched
        }
    }

    /// Takes the next update of the engine; the first is the whole queue.
    mutating func note(_ given: Update) {
        guard isFollowed else { return }
        var update = given
        update.events = update.events.filter(\.isForDashboards).suffix(Self.mostEvents)
        if copy == nil { copy = QueueCopy() }
        copy?.apply(update)
        unsent.note(update)
    }

    /// - Returns: false: no dashboard has asked for long.
    mutating func pass(to now: Moment) -> Bool {
        guard let end = followedUntil, now >= end else { return true }
        self = WorkerUpdates()
        return false
    }

    mutating func takeMessages(at now: Moment, log: () -> [LogEntry]) -> [SessionUpdate] {
        guard let copy, unsent.hasNews else { return [] }
        if !unsent.isNotable, unsent.isWhole, let sentAt, now - sentAt < Self.movementPace { return [] }
        sentAt = now
        var messages = [unsent.takeMessage(from: copy, log: log, at: now)]
        // The rest of a whole that does not fit into one.
        while unsent.hasNews, messages.count < 100 {
            messages.append(unsent.takeMessage(from: copy, log: { [] }, at: now))
        }
        return messages
    }
}

extension FeedEvent {
    /// It tells how an entry fares; what only accompanies each entry is left out.
    fileprivate var isForDashboards: Bool {
        switch kind {
        case .finished, .failed, .retrying, .rebase, .awaitingSpace, .warned: true
        case .added, .reopened, .started, .connections, .redirected, .headers, .moved, .sized, .paused, .resumed,
            .verifying,
            .replying,
            .cancelled, .removed, .restored, .queueFinished:
            false
        }
    }
}

/// What a worker publishes while a dashboard follows it: a change of its queue, as in the protocol of sessions.
package struct WorkerUpdate: Codable, Sendable {
    package var update: SessionUpdate
    /// By the number of a row in the update: the sequence of its entry in the queue of the run.
    package var entries: [Int: UInt64]?

    /// Its instant alone, with the worker's clock.
    struct Time: Decodable {
        struct Update: Decodable {
            var at: Moment
        }

        var update: Update
    }
}

/// What a dashboard asks of workers. Those that hear nothing for `lifetime` publish nothing any more.
package struct FollowRequest: Codable, Hashable, Sendable {
    /// The whole queue, and not only its changes.
    var isWhole: Bool?
    /// The row whose details are shown.
    var watched: TransferID?

    package init() {}

    /// Reads a message; what it does not understand is no more than that a dashboard is there.
    init(_ body: [UInt8]) {
        self = KeyValueBucket.decode(body) ?? FollowRequest()
    }

    /// A dashboard repeats its request in a third of this time.
    static let lifetime = Duration.seconds(15)
}

extension FleetRun {
    /// Where dashboards send a `FollowRequest`.
    ///
    /// - Parameter worker: `nil`: all of them.
    func followSubject(ofWorker worker: String?) -> String { "winch.\(name).follow.\(worker ?? "all")" }
}
