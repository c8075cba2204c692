/// One line of the log. It stores the event, and `message` makes the text only when it is read, because a hundred thousand
/// entries may be added at once.
///
/// The text comes from servers and batch files: escape it before it is shown.
package struct LogEntry: Hashable, Sendable, Codable {
    package enum Subject: Hashable, Sendable, Codable {
        case event(FeedEvent.Kind, have: ByteCount, size: ByteCount?)
        /// A setting of the whole queue has a new value.
        case setting(name: String, value: String)
        /// A message to the user, such as a problem of the batch.
        case userMessage(String, LogLevel)
    }

    package var at: Moment
    /// `nil` for the queue itself.
    package var id: TransferID?
    /// The transfer's file name, where it is known; of a file of a folder with the path to it, as `TransferSnapshot.path`.
    package var name: String?
    package var subject: Subject

    package init(at: Moment, id: TransferID? = nil, name: String? = nil, subject: Subject) {
        (self.at, self.id, self.name, self.subject) = (at, id, name, subject)
    }

    /// - Parameter name: the transfer's file name; `nil` when the caller does not know it.
    /// - Returns: `nil` for `moved` events, which are not logged.
    package init?(_ event: FeedEvent, name: String?) {
        if case .moved = event.kind { return nil }
        self.init(
            at: event.at, id: event.id, name: name,
            subject: .event(event.kind, have: event.have, size: event.size))
    }

    package var level: LogLevel {
        switch subject {
        case .event(let kind, _, _): kind.level
        case .setting: .info
        case .userMessage(_, let level): level
        }
    }

    /// What happened, in a few words, without the name of the file.
    package var message: String {
        switch subject {
        case .event(let kind, let have, let size): kind.words(have: have, size: size)
        case .setting(let name, let value): "\(name): \(value)"
        case .userMessage(let words, _): words
        }
    }

    /// Values for programs that read the log file, such as `("status", "404")`; the message may repeat them.
    package var fields: [(name: String, value: String)] {
        guard case .event(let kind, let have, let size) = subject else { return [] }
        var fields: [(String, String)] = []
        if let name { fields.append(("name", name)) }
        fields += kind.fields
        if id != nil, kind.concernsBytes {
            fields.append(("have", "\(have.bytes)"))
            if let size { fields.append(("size", "\(size.bytes)")) }
        }
        return fields
    }
}

/// The severity of a log entry, in ascending order.
package enum LogLevel: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// For troubleshooting.
    case debug
    /// Normal events of every run.
    case info
    /// Something failed; Winch retries or waits.
    case warning
    /// A transfer has failed.
    case error

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left != right && allCases.first { $0 == left || $0 == right } == left
    }
}

/// The level, the message and the fields that each event of a transfer has in the log.
extension FeedEvent.Kind {
    var level: LogLevel {
        switch self {
        case .failed: .error
        case .retrying, .awaitingSpace: .warning
        case .warned(let warning): warning.isNote ? .info : .warning
        case .rebase(let cause): cause.isWarning ? .warning : .debug
        case .added, .reopened, .headers, .sized, .moved, .verifying, .replying: .debug
        case .started, .redirected, .connections, .paused, .resumed, .finished, .cancelled, .removed, .restored,
            .queueFinished:
            .info
        }
    }

    func words(have: ByteCount, size: ByteCount?) -> String {
        switch self {
        case .added: "added"
        case .reopened(_, _, let standing): "from an earlier run, \(standing.word)"
        case .started(let attempt):
            attempt > 1
                ? "started, attempt \(attempt)" + (have > .zero ? ", from \(NumberFormat.bytes(have))" : "") : "started"
        case .redirected(let url): "redirected to \(TransferURL.withoutSecrets(url))"
        case .headers(let status): status > 0 ? "status \(status)" : "response received"
        case .moved: "moved"
        case .rebase(let cause): "bar moved back: \(cause.words)"
        case .sized: size.map { "size \(NumberFormat.bytes($0))" } ?? "size unknown"
        case .paused: "paused at \(NumberFormat.bytes(have))"
        case .resumed: "waiting to start"
        case .retrying(let wait, let failure):
            wait > .zero
                ? "failed, next attempt in \(TimeLeftFormat.countdown(wait)): \(failure.message)"
                : "failed, next attempt at once: \(failure.message)"
        case .connections(let count, let reason, _): "\(reason); \(count) \(count == 1 ? "connection" : "connections")"
        case .awaitingSpace(let folder): "waiting for disk space in \(folder)"
        case .warned(let warning): warning.message
        case .verifying: "all bytes received, checking"
        case .replying: "sent, waiting for response"
        case .finished(.saved), .finished(.sent): "finished, \(NumberFormat.bytes(have))"
        case .finished(.skipped): "skipped: already there"
        case .finished(.alreadyComplete): "finished: already there"
        case .finished(.listed(let path, let found)): found.words(of: path)
        case .failed(let failure): "failed: \(failure.message)"
        case .cancelled: "cancelled"
        case .removed: "off the list"
        case .restored: "back on the list"
        case .queueFinished: "all transfers have ended"
        }
    }

    var fields: [(String, String)] {
        switch self {
        case .added(let url, _), .reopened(let url, _, _), .redirected(let url):
            [("url", TransferURL.withoutSecrets(url))]
        case .started(let attempt): [("attempt", "\(attempt)")]
        case .headers(let status): [("status", "\(status)")]
        case .retrying(let wait, let failure): [("wait", "\(wait.seconds)"), ("reason", failure.message)]
        case .failed(let failure): [("reason", failure.message)]
        case .rebase(let cause): [("cause", cause.words)]
        case .awaitingSpace(let folder): [("folder", folder)]
        case .warned(let warning): [(warning.kind, warning.shortMessage)]
        case .connections(let count, let reason, _): [("connections", "\(count)"), ("reason", reason)]
        case .finished(let outcome): [("path", outcome.path)]
        case .moved, .sized, .paused, .resumed, .verifying, .replying, .cancelled, .removed, .restored, .queueFinished:
            []
        }
    }

    var concernsBytes: Bool {
        switch self {
        case .added, .reopened, .redirected, .removed, .restored, .queueFinished: false
        default: true
        }
    }
}

extension Rebase.Cause {
    /// True when bytes were lost or the server changed its file or its answers; false for what the user did or the queue
    /// learned.
    package var isWarning: Bool {
        switch self {
        case .rangeIgnored, .rangeStartedEarlier, .fileChanged, .rangeRefused, .outgrown, .lostOnRetry, .wrongPiece,
            .sentAgain, .appendRefused, .remoteSizeUnknown, .remoteBytesDiffer, .remoteFileGone:
            true
        case .guessOutgrown, .retried, .sizeLearned, .added, .removed, .modeChanged: false
        }
    }
}

/// Turns updates into log entries: the events of transfers, and changes of the queue's settings.
package struct LogEntryBuilder: Sendable {
    private var settings: QueueSettings?

    package init() {}

    /// Makes the entries for the next update; call it once for each, in order.
    ///
    /// - Parameter most: how many events are used; when the update has more, only the latest.
    package mutating func entries(for update: Update, atMost most: Int = .max) -> [LogEntry] {
        var entries: [LogEntry] = []
        var reopened = Reopened()
        let first = update.events.count - min(most, update.events.count)
        for (index, event) in update.events.enumerated() {
            // Transfers of an earlier run are no news: there may be a hundred thousand, so they get one line together.
            if reopened.take(event) || index < first { continue }
            if let entry = reopened.takeEntry() { entries.append(entry) }
            if case .moved = event.kind { continue }
            let row = event.id.flatMap { update.rows[$0] }
            if let entry = LogEntry(event, name: row?.path) { entries.append(entry) }
        }
        if let entry = reopened.takeEntry() { entries.append(entry) }
        let now = QueueSettings().changed(by: update.totals)
        if let before = settings, before != now { entries += changes(from: before, to: now, at: update.at) }
        settings = now
        return entries
    }

    private func changes(from before: QueueSettings, to now: QueueSettings, at moment: Moment) -> [LogEntry] {
        var changes: [(String, String)] = []
        if before.slots != now.slots { changes.append(("simultaneous downloads", "\(now.slots)")) }
        if before.rateLimit != now.rateLimit {
            changes.append(("total rate limit", now.rateLimit.map(NumberFormat.rate) ?? "none"))
        }
        if before.uploadLimit != now.uploadLimit {
            changes.append(("rate limit of uploads", now.uploadLimit.map(NumberFormat.rate) ?? "none"))
        }
        if before.mode != now.mode { changes.append(("bar counts", now.mode == .accurate ? "bytes" : "files")) }
        if before.isHeld != now.isHeld { changes.append(("all transfers", now.isHeld ? "paused" : "resumed")) }
        return changes.map { LogEntry(at: moment, subject: .setting(name: $0.0, value: $0.1)) }
    }
}

/// Collects consecutive `reopened` events, so that they are logged as one line.
private struct Reopened {
    private var counts: [String: Int] = [:]
    private var last: TransferID?
    private var at: Moment?

    /// - Returns: whether the event belongs to the line and needs no entry of its own.
    mutating func take(_ event: FeedEvent) -> Bool {
        switch event.kind {
        case .reopened(_, _, let standing):
            counts[standing.word, default: 0] += 1
            (last, at) = (event.id, event.at)
            return true
        // A finished transfer of an earlier run is followed by its `finished` event; the line counts it already.
        case .finished where event.id == last && event.id != nil: return true
        default: return false
        }
    }

    /// The line for the events since the last call; `nil` without any.
    mutating func takeEntry() -> LogEntry? {
        guard let at else { return nil }
        defer { self = Reopened() }
        let count = counts.values.reduce(0, +)
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let words =
            "\(count) \(count == 1 ? "transfer" : "transfers") from an earlier run (\(parts.joined(separator: ", ")))"
        return LogEntry(at: at, subject: .userMessage(words, .info))
    }
}

/// The latest log entries of a queue. They belong to the feed and not to a screen, so that a front end that joins later has
/// them too.
package struct RecentLog: Sendable {
    /// Oldest first.
    private var entries: [LogEntry] = []
    private var builder = LogEntryBuilder()

    /// 1000 entries: the last minutes of a busy queue in about 150 KB.
    package static let most = 1000

    package init() {}

    /// - Parameter entries: of a snapshot, oldest first.
    package init(_ entries: [LogEntry]) { self.entries = entries }

    package mutating func take(_ update: Update) {
        entries += builder.entries(for: update, atMost: Self.most)
        entries.removeFirst(max(0, entries.count - Self.most))
    }

    /// The entries, at most `most`, oldest first.
    package var latest: ArraySlice<LogEntry> { entries[...] }
}
