/// One line of the log. It stores the event, and `message` makes the text only when it is read, because a hundred thousand
/// entries may be added at once.
///
/// The text comes from servers and batch files: escape it before it is shown.
package struct LogEntry: Hashable, Sendable, Codable {
    /// What the entry is about.
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
    /// The transfer's file name, where it is known.
    package var name: String?
    package var subject: Subject

    package init(at: Moment, id: TransferID? = nil, name: String? = nil, subject: Subject) {
        self.at = at
        self.id = id
        self.name = name
        self.subject = subject
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

extension FeedEvent.Kind {
    var level: LogLevel {
        switch self {
        case .failed: .error
        case .retrying, .awaitingSpace: .warning
        case .rebase(let cause): cause.isWarning ? .warning : .debug
        case .added, .reopened, .headers, .sized, .moved, .verifying, .replying: .debug
        case .started, .redirected, .connections, .paused, .resumed, .finished, .cancelled, .removed, .restored,
            .queueFinished:
            .info
        }
    }

    fileprivate func words(have: ByteCount, size: ByteCount?) -> String {
        switch self {
        case .added: "added"
        case .reopened(_, _, let standing): "from an earlier run, \(standing.word)"
        case .started(let attempt):
            attempt > 1
                ? "started, attempt \(attempt)" + (have > .zero ? ", from \(NumberFormat.bytes(have))" : "") : "started"
        case .redirected(let url): "redirected to \(url)"
        case .headers(let status): status > 0 ? "status \(status)" : "response received"
        case .moved: "moved"
        case .rebase(let cause): "bar moved back: \(cause.words)"
        case .sized: size.map { "size \(NumberFormat.bytes($0))" } ?? "size unknown"
        case .paused: "paused at \(NumberFormat.bytes(have))"
        case .resumed: "queued again"
        case .retrying(let wait, let failure):
            wait > .zero
                ? "failed, next attempt in \(NumberFormat.countdown(wait)): \(failure.message)"
                : "failed, next attempt at once: \(failure.message)"
        case .connections(let count, let reason, _): "\(reason); \(count) \(count == 1 ? "connection" : "connections")"
        case .awaitingSpace(let folder): "waiting for disk space in \(folder)"
        case .verifying: "all bytes received, checking"
        case .replying: "sent, waiting for response"
        case .finished(.saved), .finished(.sent): "finished, \(NumberFormat.bytes(have))"
        case .finished(.skipped): "skipped: already there"
        case .finished(.alreadyComplete): "finished: already there"
        case .finished(.listed(_, let files)): "Metalink: \(TransferPhase.Outcome.filesAdded(files))"
        case .failed(let failure): "failed: \(failure.message)"
        case .cancelled: "cancelled"
        case .removed: "removed from list"
        case .restored: "restored to list"
        case .queueFinished: "all downloads have ended"
        }
    }

    fileprivate var fields: [(String, String)] {
        switch self {
        case .added(let url, _), .reopened(let url, _, _): [("url", url)]
        case .redirected(let url): [("url", url)]
        case .started(let attempt): [("attempt", "\(attempt)")]
        case .headers(let status): [("status", "\(status)")]
        case .retrying(let wait, let failure): [("wait", "\(wait.seconds)"), ("reason", failure.message)]
        case .failed(let failure): [("reason", failure.message)]
        case .rebase(let cause): [("cause", cause.words)]
        case .awaitingSpace(let folder): [("folder", folder)]
        case .connections(let count, let reason, _): [("connections", "\(count)"), ("reason", reason)]
        case .finished(let outcome): [("path", outcome.path)]
        case .moved, .sized, .paused, .resumed, .verifying, .replying, .cancelled, .removed, .restored, .queueFinished:
            []
        }
    }

    fileprivate var concernsBytes: Bool {
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
