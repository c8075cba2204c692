package import WinchModel

extension FeedEvent.Kind {
    /// The event's name in JSON output.
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

    /// Of an upload the event tells what has been sent.
    var tellsSent: Bool {
        switch self {
        case .moved, .rebase, .paused, .retrying, .finished: true
        default: false
        }
    }

    /// Adds the fields that only this kind of event has.
    func setDetails(of row: TransferSnapshot?, at: Moment, _ line: inout JSONLine) {
        switch self {
        case .added(let url, let name):
            line.set("url", url)
            line.set("name", name)
        case .reopened(let url, let name, let standing):
            line.set("url", url)
            line.set("name", name)
            line.set("standing", standing.word)
            switch standing {
            case .finished(let outcome):
                line.set("outcome", outcome.word)
                if row?.direction != .up, let path = outcome.savedPath { line.set("path", path) }
                if let files = outcome.files { line.set("files", files) }
            case .failed(let failure): failure.setDetails(&line)
            case .unfinished, .paused, .cancelled: break
            }
        case .started(let attempt): line.set("attempt", attempt)
        case .redirected(let url): line.set("url", url)
        case .headers(let status): line.set("status", status)
        case .rebase(let cause): line.set("cause", cause.word)
        case .retrying(let wait, let failure):
            line.set("wait", wait.seconds, digits: 3)
            failure.setDetails(&line)
        case .connections(let count, let reason, let open):
            line.set("connections", count)
            line.set("reason", reason)
            line.set("open", open.map { $0.line(at: at) })
        case .awaitingSpace(let folder): line.set("folder", folder)
        case .warned(let warning): line.set(warning.kind, warning.message)
        case .finished(let outcome):
            if let row { line.set("name", row.name) }
            line.set("outcome", outcome.word)
            if row?.direction != .up, let path = outcome.savedPath { line.set("path", path) }
            if let files = outcome.files { line.set("files", files) }
            if let warning = row?.warning { line.set(warning.kind, warning.message) }
        case .failed(let failure):
            if let row {
                line.set("name", row.name)
                line.set("url", row.url)
            }
            failure.setDetails(&line)
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
        line.set("phase", phase.word)
        return line
    }
}

extension OpenConnection.Phase {
    fileprivate var word: String {
        switch self {
        case .connecting: "connecting"
        case .requested: "requested"
        case .moving: "moving"
        case .replying: "replying"
        }
    }
}

extension TransferFailure {
    /// Adds the message for the user, the exit code (numbered as aria2's), and the HTTP status if that was the
    /// reason.
    package func setDetails(_ line: inout JSONLine) {
        line.set("reason", message)
        line.set("code", Int(exitCode))
        if let httpStatus { line.set("status", httpStatus) }
    }
}

extension TransferPhase.Outcome {
    /// Nothing is there of a Metalink, and nothing new of an upload.
    package var savedPath: String? {
        switch self {
        case .saved(let path), .skipped(let path), .alreadyComplete(let path): path
        case .listed, .sent: nil
        }
    }

    /// Files that a Metalink has added.
    package var files: Int? {
        if case .listed(_, let files) = self { files } else { nil }
    }
}

extension Rebase.Cause {
    fileprivate var word: String {
        switch self {
        case .rangeIgnored: "rangeIgnored"
        case .rangeStartedEarlier: "rangeStartedEarlier"
        case .fileChanged: "fileChanged"
        case .rangeRefused: "rangeRefused"
        case .outgrown: "outgrown"
        case .guessOutgrown: "guessOutgrown"
        case .lostOnRetry: "lostOnRetry"
        case .wrongPiece: "wrongPiece"
        case .sentAgain: "sentAgain"
        case .appendRefused: "appendRefused"
        case .remoteSizeUnknown: "remoteSizeUnknown"
        case .remoteBytesDiffer: "remoteBytesDiffer"
        case .remoteFileGone: "remoteFileGone"
        case .retried: "retried"
        case .sizeLearned: "sizeLearned"
        case .added: "added"
        case .removed: "removed"
        case .modeChanged: "modeChanged"
        }
    }
}
