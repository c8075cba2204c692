/// How a run ended, for the exit code and the last line.
public struct RunSummary: Hashable, Sendable {
    public var finished = 0
    public var cancelled = 0
    public var unfinished = 0
    public var failures: [TransferFailure] = []

    public init(finished: Int = 0, cancelled: Int = 0, unfinished: Int = 0, failures: [TransferFailure] = []) {
        self.finished = finished
        self.cancelled = cancelled
        self.unfinished = unfinished
        self.failures = failures
    }

    public init(_ queue: TransferQueue) {
        for transfer in queue.transfers {
            switch transfer.phase {
            case .finished: finished += 1
            case .cancelled: cancelled += 1
            case .failed(let failure): failures.append(failure)
            case .waiting, .connecting, .requested, .moving, .replying, .verifying, .paused, .backoff: unfinished += 1
            }
        }
    }

    /// 0 all succeeded, 7 unfinished work, else aria2's code when all failures share it, else 1.
    public var exitCode: Int32 {
        if unfinished > 0 { return Self.unfinishedCode }
        // What was stopped because another failed says nothing of its own.
        let codes = Set(failures.filter { $0 != .stoppedByFailFast }.map(\.exitCode))
        guard codes.count != 1 else { return codes.first ?? 1 }
        return failures.isEmpty ? 0 : 1
    }

    /// One line for a person.
    public var words: String {
        let counts = [
            (finished, "done"), (failures.count, "failed"), (cancelled, "cancelled"),
            (unfinished, "unfinished, parts kept"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "nothing was fetched" : parts.joined(separator: ", ")
    }

    public static let unfinishedCode: Int32 = 7
    public static let usageCode: Int32 = 64
    /// Everything was fetched, and standard output would not take the news of it.
    public static let outputCode: Int32 = 17
}
