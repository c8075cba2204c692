public import WinchCore

/// How one transfer ended.
public struct TransferResult: Hashable, Sendable, Identifiable {
    public let id: TransferID
    /// The address that was asked for first, without a login in it.
    public let url: String
    public let ending: Ending
    /// Where the file is, the folder included; `nil` unless finished.
    public let path: String?
    /// Bytes on disk, in the file or in the part that was kept.
    public let bytes: ByteCount

    /// The ways to end.
    public enum Ending: Hashable, Sendable {
        case finished(RowPhase.Outcome)
        case failed(TransferFailure)
        case cancelled
        /// The queue was closed, or the waiting task cancelled, before it was settled; the part stays.
        case unfinished
    }

    init(id: TransferID, spec: TransferSpec, progress: Transfer.Progress?) {
        self.id = id
        url = spec.urls.first?.redacted ?? ""
        ending = progress.map { Ending($0.phase) } ?? .unfinished
        bytes = progress?.completed ?? .zero
        if case .finished(let outcome) = ending {
            path = spec.folder.hasSuffix("/") ? spec.folder + outcome.path : spec.folder + "/" + outcome.path
        } else {
            path = nil
        }
    }
}

extension TransferResult.Ending {
    fileprivate init(_ phase: RowPhase) {
        switch phase {
        case .finished(let outcome): self = .finished(outcome)
        case .failed(let failure): self = .failed(failure)
        case .cancelled: self = .cancelled
        case .waiting, .connecting, .requested, .moving, .paused, .backoff, .replying, .verifying: self = .unfinished
        }
    }
}
