public import WinchModel

/// The result of one transfer.
public struct TransferResult: Hashable, Sendable, Identifiable {
    /// The transfer.
    public let id: TransferID
    /// The first URL of the transfer, without a login.
    public let url: String
    /// How it ended.
    public let ending: Ending
    /// The path of the file, including the target folder as given; `nil` unless finished, and for an upload.
    public let path: String?
    /// Bytes on disk, in the file or in the part file; of an upload bytes sent.
    public let bytes: ByteCount

    /// How a transfer ended.
    public enum Ending: Hashable, Sendable {
        /// The file is complete.
        case finished(TransferPhase.Outcome)
        /// It failed and was not retried.
        case failed(TransferFailure)
        /// It was cancelled; the part file is removed.
        case cancelled
        /// The queue was closed, or the waiting task was cancelled, before the transfer was settled; the part file is kept.
        case unfinished
    }

    init(id: TransferID, spec: TransferSpec, progress: Transfer.Progress?) {
        self.id = id
        url = spec.urls.first?.redacted ?? ""
        ending = progress.map { Ending($0.phase) } ?? .unfinished
        bytes = progress?.completed ?? .zero
        if case .finished(let outcome) = ending, spec.direction == .down {
            path = spec.folder.hasSuffix("/") ? spec.folder + outcome.path : spec.folder + "/" + outcome.path
        } else {
            path = nil
        }
    }
}

extension TransferResult.Ending {
    fileprivate init(_ phase: TransferPhase) {
        switch phase {
        case .finished(let outcome): self = .finished(outcome)
        case .failed(let failure): self = .failed(failure)
        case .cancelled: self = .cancelled
        case .waiting, .connecting, .requested, .moving, .paused, .backoff, .replying, .verifying: self = .unfinished
        }
    }
}
