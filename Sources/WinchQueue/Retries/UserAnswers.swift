import WinchModel

/// What the user has answered to the questions of failed transfers, and when.
///
/// Several transfers of a host connect at the same time. One that began before the answer may fail for the same reason
/// after it, and then needs only another connection.
struct UserAnswers: Sendable {
    private var trusted: [(key: HostKey, at: Moment)] = []
    private var unlocked: [String: Moment] = [:]

    mutating func trust(_ key: HostKey, at now: Moment) {
        trusted.removeAll { $0.key.isSame(as: key) }
        trusted.append((key, now))
    }

    mutating func unlock(keyFile: String, at now: Moment) { unlocked[keyFile] = now }

    /// Whether the question of this failure was answered after the connection began.
    func answered(_ failure: TransferFailure, since start: Moment) -> Bool {
        switch failure {
        case .hostKeyUnknown(let key): trusted.contains { $0.key.isSame(as: key) && $0.at > start }
        case .keyLocked(let file, isWrong: false): unlocked[file].map { $0 > start } ?? false
        default: false
        }
    }
}
