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
        case .redirected(let url): "redirected to \(url)"
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
        case .finished(.listed(_, let files)): "Metalink: \(TransferPhase.Outcome.filesAdded(files))"
        case .failed(let failure): "failed: \(failure.message)"
        case .cancelled: "cancelled"
        case .removed: "off the list"
        case .restored: "back on the list"
        case .queueFinished: "all downloads have ended"
        }
    }

    var fields: [(String, String)] {
        switch self {
        case .added(let url, _), .reopened(let url, _, _): [("url", url)]
        case .redirected(let url): [("url", url)]
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
