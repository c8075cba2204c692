import FoundationEssentials
package import WinchModel

/// One line of a client after its introduction. Each is answered by a line with the same `n`.
package struct SessionRequest: Codable, Sendable {
    /// What is to be done; in the protocol `do`.
    package enum Action: String, Codable, Sendable {
        /// The whole state, and then its changes.
        case follow
        /// The whole state once.
        case status
        /// No more changes.
        case unfollow
        /// Entries of a batch.
        case add
        case pause, resume, retry, cancel, remove
        /// The limit over all transfers.
        case limit
        /// The limit over all uploads. An action of its own: a server that does not know it refuses it, where it would apply
        /// a limit with another field to all transfers.
        case limitUpload = "limit-upload"
        /// What other runs of the same list have left.
        case takeOver = "take-over"
        /// A command of Winch's own dashboard.
        case command
        /// Ends the session; part files are kept.
        case stop
    }

    /// Which transfers; together with `ids` and `names`.
    package enum Selection: String, Codable, Sendable {
        case all, failed, waiting
    }

    package var n: Int
    package var action: Action
    package var ids: [TransferID]?
    /// Parts of names; each must be in the name of exactly one transfer.
    package var names: [String]?
    package var which: Selection?
    /// Of `limit` and `limitUpload`, in bytes a second; `nil`: none.
    package var rate: Double?
    /// Of `add`: lines as in a batch file.
    package var batch: String?
    /// Of `add`: the absolute path of the folder that relative paths in the batch are below.
    package var folder: String?
    /// Of `add`, instead of `batch`: entries that Winch has parsed, with their settings.
    package var specs: [TransferSpec]?
    package var command: Command?
    /// Of `command`: its passphrase or password, which the encoding of a command leaves out.
    package var secret: String?
    /// Of `follow`: these rows are sent first.
    package var visible: [TransferID]?
    /// Of `follow`: the client takes `appended` in updates.
    package var appends: Bool?

    private enum CodingKeys: String, CodingKey {
        case n, action = "do", ids, names, which, rate, batch, folder, specs, command, secret, visible, appends
    }

    package init(_ action: Action) {
        n = 0
        self.action = action
    }

    package init(carrying command: Command) {
        self.init(.command)
        (self.command, secret) = (command, command.secret?.text)
    }

    var wholeCommand: Command? { secret.flatMap { command?.with(Secret($0)) } ?? command }
}

package struct TransferRequest: Sendable {
    /// The command for them; true for all transfers, also those that are added later.
    let command: @Sendable ([TransferID], Bool) -> Command
    /// What was done, for people.
    package let done: String
    /// The phase that follows at once; `nil`: it is off the list.
    let result: TransferPhase?
    /// `TransferQueue.execute` does nothing with transfers in other phases.
    let changed: Set<TransferPhase.State>
}

extension SessionRequest.Action {
    /// `nil`: the request is none for transfers.
    package var forTransfers: TransferRequest? {
        switch self {
        case .pause:
            TransferRequest(
                command: { $1 ? .pauseAll : .pause($0) }, done: "paused", result: .paused,
                changed: [.waiting, .connecting, .requested, .moving, .replying, .backoff])
        case .resume:
            TransferRequest(
                command: { $1 ? .resumeAll : .resume($0) }, done: "resumed", result: .waiting(.slot),
                changed: [.paused])
        case .retry:
            TransferRequest(
                command: { ids, _ in .retry(ids) }, done: "retried", result: .waiting(.slot),
                changed: [.failed, .cancelled, .backoff])
        case .cancel:
            TransferRequest(
                command: { ids, _ in .cancel(ids) }, done: "cancelled", result: .cancelled,
                changed: Set(TransferPhase.State.allCases).subtracting([.finished, .cancelled]))
        case .remove:
            TransferRequest(
                command: { ids, _ in .remove(ids) }, done: "removed", result: nil,
                changed: [.finished, .failed, .cancelled])
        case .follow, .status, .unfollow, .add, .limit, .limitUpload, .takeOver, .command, .stop: nil
        }
    }
}

extension SessionRequest {
    /// The command for the chosen transfers; `nil`: the request is none for transfers.
    func command(for ids: [TransferID]) -> Command? { action.forTransfers?.command(ids, which == .all) }

    /// None of the transfers that it names is changed by it: `nothing to pause: transfer 1 is finished`.
    func refusal(of rows: [TransferSnapshot]) -> SessionFailure {
        guard !rows.isEmpty else { return .refused("nothing to \(action.rawValue): no transfer is named") }
        let states = rows.prefix(3).map { "transfer \($0.id.number) \($0.phase.words)" }.joined(separator: ", ")
        return .refused("nothing to \(action.rawValue): \(states)\(rows.count > 3 ? " and more" : "")")
    }
}

extension TransferPhase {
    fileprivate var words: String {
        switch self {
        case .waiting: "waits"
        case .connecting, .requested, .moving, .replying: "runs"
        case .paused: "is paused"
        case .backoff: "waits for its next attempt"
        case .verifying: "is being finished"
        case .finished: "is finished"
        case .failed: "has failed"
        case .cancelled: "is cancelled"
        }
    }
}

extension SessionRequest {
    /// 512 KiB: a line is held in memory as a whole at both ends, and other clients are answered between two lines.
    private static let entryBytesInLine = 512 << 10
    private static let otherBytes = 1 << 10

    /// Requests that add entries, as many as their lines have room for.
    ///
    /// - Parameter specs: with paths that mean the same to the session.
    /// - Throws: `.refused` for an entry that is longer than a line may be.
    package static func adding(_ specs: some Sequence<TransferSpec>) throws(SessionFailure) -> [SessionRequest] {
        let encoder = JSONEncoder()
        var requests: [SessionRequest] = []
        var (piece, bytes): ([TransferSpec], Int) = ([], 0)
        func end() {
            guard !piece.isEmpty else { return }
            var request = SessionRequest(.add)
            request.specs = piece
            requests.append(request)
            (piece, bytes) = ([], 0)
        }
        for spec in specs {
            let length = (try? encoder.encode(spec).count) ?? 0
            guard length + otherBytes <= LineBuffer.mostFromClients else {
                throw .refused(
                    "\(spec.expectedName): the entry has \(length) bytes, and a session takes \(LineBuffer.mostFromClients)"
                        + " in one; nothing was added")
            }
            if bytes + length > entryBytesInLine { end() }
            piece.append(spec)
            bytes += length
        }
        end()
        return requests
    }
}

/// A line of the server that answers a request.
package struct SessionReply: Codable, Sendable {
    package var n: Int
    /// Why it was refused; `nil`: it was carried out.
    package var error: String?
    /// What was done, for people.
    package var words: String?
    /// Of `add`: how many entries are new in the list; the others were in it.
    package var added: Int?
    /// Of `add`: how many of the others had settled and were started again.
    package var startedAnew: Int?
    /// Lines of the batch that were left out, and why.
    package var problems: [String]?
    /// Why the queue cannot be saved at the moment; `nil`: it is, and outlives the session.
    package var unsaved: String?

    /// The error of a request that the server does not know begins with these words.
    static let unknownRequest = "unknown request"

    package init(to n: Int, error: String? = nil, words: String? = nil, problems: [String]? = nil) {
        (self.n, self.error, self.words, self.problems) = (n, error, words, problems)
    }
}

/// What a line of the server may contain besides the greeting: exactly one of these.
package struct ServerLine: Codable, Sendable {
    package var reply: SessionReply?
    package var update: SessionUpdate?
    /// Why the server closes the connection.
    package var closing: String?
    /// Something that belongs to no transfer, for people: a command that was run has failed, for instance.
    package var notice: String?
    /// The connection is alive.
    package var ping: Int?
}
