public import WinchCore

extension NetworkQueue {
    /// Something that happened.
    ///
    /// For each attempt of a transfer they come in this order: `started`, `redirected` for each hop, `headers`, `bytes`
    /// as often as a follower keeps up with, then `verifying` and `finished`, or `failed`, or `retrying` and the next
    /// attempt. After the last one is settled comes `queueFinished`, exactly once per run; transfers added after that
    /// begin another run.
    public enum Event: Hashable, Sendable {
        case added(TransferID, url: String, name: String)
        case started(TransferID, attempt: Int)
        case redirected(TransferID, to: String)
        /// The body's own headers are in; bytes follow.
        case headers(TransferID, status: Int)
        /// Bytes on disk now, and the size if known.
        case bytes(TransferID, have: ByteCount, size: ByteCount?)
        /// A size became known, or a better one.
        case sized(TransferID, ByteCount?)
        /// Completed bytes or the fraction fell; `nil` stands for the queue itself.
        case rebased(TransferID?, Rebase.Cause)
        case paused(TransferID)
        /// Waiting for a slot again, after a pause or because a settled transfer was started anew.
        case resumed(TransferID)
        /// The next attempt starts in so long.
        case retrying(TransferID, in: Duration, after: TransferFailure)
        /// There is no room on the disk of this folder; it goes on by itself when there is.
        case awaitingSpace(TransferID, folder: String)
        /// The body is complete; checksum, fsync and rename.
        case verifying(TransferID)
        case finished(TransferID, RowPhase.Outcome)
        case failed(TransferID, TransferFailure)
        case cancelled(TransferID)
        /// Everything is settled.
        case queueFinished
        /// So many events were dropped here because their follower did not keep up.
        case missed(Int)

        /// The transfer it happened to; `nil` for the queue.
        public var transfer: TransferID? {
            switch self {
            case .added(let id, _, _), .started(let id, _), .redirected(let id, _), .headers(let id, _),
                .bytes(let id, _, _), .sized(let id, _), .paused(let id), .resumed(let id), .retrying(let id, _, _),
                .awaitingSpace(let id, _), .verifying(let id), .finished(let id, _), .failed(let id, _),
                .cancelled(let id):
                id
            case .rebased(let id, _): id
            case .queueFinished, .missed: nil
            }
        }
    }
}

extension NetworkQueue.Event {
    /// `nil` for what this queue never does.
    init?(_ event: FeedEvent) {
        switch (event.kind, event.id) {
        case (.added(let url, let name), let id?): self = .added(id, url: url, name: name)
        case (.started(let attempt), let id?): self = .started(id, attempt: attempt)
        case (.redirected(let url), let id?): self = .redirected(id, to: url)
        case (.headers(let status), let id?): self = .headers(id, status: status)
        case (.moved, let id?): self = .bytes(id, have: event.have, size: event.size)
        case (.sized, let id?): self = .sized(id, event.size)
        case (.rebase(let cause), let id): self = .rebased(id, cause)
        case (.paused, let id?): self = .paused(id)
        case (.resumed, let id?): self = .resumed(id)
        case (.retrying(let wait, let failure), let id?): self = .retrying(id, in: wait, after: failure)
        case (.awaitingSpace(let folder), let id?): self = .awaitingSpace(id, folder: folder)
        case (.verifying, let id?): self = .verifying(id)
        case (.finished(let outcome), let id?): self = .finished(id, outcome)
        case (.failed(let failure), let id?): self = .failed(id, failure)
        case (.cancelled, let id?): self = .cancelled(id)
        case (.queueFinished, _): self = .queueFinished
        default: return nil
        }
    }
}
