import WinchModel

extension RunSummary {
    /// 0 all succeeded and nothing was left out, 7 unfinished work, else aria2's code when all failures share it, else 1.
    package var exitCode: Int32 {
        if unfinished > 0 { return Self.unfinishedCode }
        // What was stopped because another failed says nothing of its own.
        let codes = Set(failures.filter { $0 != .stoppedByFailFast }.map(\.exitCode))
        guard codes.count != 1 else { return codes.first ?? 1 }
        return failures.isEmpty && leftOut == 0 ? 0 : 1
    }

    package static let unfinishedCode: Int32 = 7
    /// The checksum lists have verified nothing.
    package static let checksumCode: Int32 = 32
    package static let usageCode: Int32 = 64
    /// Everything was fetched, and standard output would not take the news of it.
    package static let outputCode: Int32 = 17
}
