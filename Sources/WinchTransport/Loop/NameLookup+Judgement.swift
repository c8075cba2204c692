import WinchModel

extension NameLookup.Answer {
    /// The failure of an attempt, in the light of the system's answer about its host.
    func judgement(of failure: TransferFailure, host: String) -> TransferFailure {
        switch (failure, self) {
        case (.unreachable(let key, let reason), .found(isRoutable: false)),
            (.unreachable(let key, let reason), .notNow):
            .networkDown(host: key, reason: reason)
        case (.hostNotFound, .notNow), (.hostNotFound, .found), (.proxy, .notNow), (.proxy, .found):
            .nameServerDown(host: host)
        default: failure
        }
    }
}
