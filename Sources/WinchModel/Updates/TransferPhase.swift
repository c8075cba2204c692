/// The phase of a transfer, with the data that a front end needs to describe it.
public enum TransferPhase: Hashable, Sendable, Codable {
    /// It has not started, or continues after a pause or a failure.
    case waiting(Wait)
    case connecting
    /// The request has been sent; the first byte of the response has not arrived.
    case requested
    /// Bytes of the body are arriving or leaving.
    case moving
    /// The user has paused it; the part file is kept.
    case paused
    /// Attempt number `attempt` starts at `until`; number `limit` is the last one, 0: no limit. Counted as `--max-tries` counts:
    /// since bytes last came.
    case backoff(until: Moment, attempt: Int, limit: Int, failure: TransferFailure)
    /// The whole body of an upload has been sent; the server's response has not arrived.
    case replying
    /// The file is being hashed, synced and renamed; or the transfer has failed, and its connections are being closed.
    case verifying
    case finished(Outcome)
    /// It failed and is not retried.
    case failed(TransferFailure)
    /// The user has cancelled it; the part file is removed.
    case cancelled

    /// What a waiting transfer waits for. In the library it is `slot` also when the host has
    /// no free connection.
    public enum Wait: Hashable, Sendable, Codable {
        /// One of the queue's slots is needed.
        case slot
        /// A connection to its host is needed.
        case hostSlot
        /// The queue is held.
        case held
        /// The server is being asked for its size.
        case sizing
        /// The file system of this folder has too little space for it.
        case space(folder: String)
    }

    public enum Outcome: Hashable, Sendable, Codable {
        /// The file was downloaded to this path, below the target folder.
        case saved(path: String)
        /// Nothing was downloaded, because a file of that name existed (`--on-conflict skip`).
        case skipped(path: String)
        /// Nothing was downloaded or sent, because the same file was complete already.
        case alreadyComplete(path: String)
        /// The file was uploaded. The path is its name.
        case sent(path: String)
        /// It was a folder or a Metalink, which is not saved: what it names was added to the queue. The path is its name.
        indirect case listed(path: String, Found)
    }

    /// True for finished, failed and cancelled.
    package var isSettled: Bool {
        switch self {
        case .finished, .failed, .cancelled: true
        default: false
        }
    }

    /// True from the start of the connection until the file is finished.
    package var isActive: Bool {
        switch self {
        case .connecting, .requested, .moving, .replying, .verifying: true
        default: false
        }
    }
}

extension TransferPhase {
    /// A phase without its data, for JSON.
    package enum State: String, Codable, CaseIterable, Sendable {
        case waiting, connecting, requested, moving, paused, backoff, replying, verifying, finished, failed, cancelled
    }

    package var state: State {
        switch self {
        case .waiting: .waiting
        case .connecting: .connecting
        case .requested: .requested
        case .moving: .moving
        case .paused: .paused
        case .backoff: .backoff
        case .replying: .replying
        case .verifying: .verifying
        case .finished: .finished
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
}

extension TransferPhase.Outcome {
    /// Where the file is.
    package var path: String {
        switch self {
        case .saved(let path), .skipped(let path), .alreadyComplete(let path), .sent(let path), .listed(let path, _):
            path
        }
    }

    /// An outcome without its data, by its name in JSON, in hooks and in the ledger.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case saved, skipped, alreadyComplete, sent, listed
    }

    /// - Parameter found: of `listed`.
    package init(_ kind: Kind, path: String, found: Found?) {
        self =
            switch kind {
            case .saved: .saved(path: path)
            case .skipped: .skipped(path: path)
            case .alreadyComplete: .alreadyComplete(path: path)
            case .sent: .sent(path: path)
            case .listed: .listed(path: path, found ?? Found())
            }
    }

    package var kind: Kind {
        switch self {
        case .saved: .saved
        case .skipped: .skipped
        case .alreadyComplete: .alreadyComplete
        case .sent: .sent
        case .listed: .listed
        }
    }

    package var word: String { kind.rawValue }

    /// What a folder or a Metalink has added; `nil` of other outcomes.
    package var found: Found? { if case .listed(_, let found) = self { found } else { nil } }
}

extension Found {
    /// `1,234 files`
    package var fileCount: String { Self.counted(files, "file") }

    /// What became of a folder or a Metalink: `1,234 files, 3 folders, 56 unchanged`, or `Metalink: 3 files added`.
    ///
    /// - Parameter path: of the outcome; that of a folder ends in a slash.
    package func words(of path: String) -> String {
        guard path.utf8.last == UInt8(ascii: "/") else { return "Metalink: \(fileCount) added" }
        var words = fileCount
        if folders > 0 { words += ", " + Self.counted(folders, "folder") }
        if unchanged > 0 { words += ", \(NumberFormat.count(unchanged)) unchanged" }
        return words
    }

    static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(NumberFormat.count(count)) \(noun)s"
    }
}
