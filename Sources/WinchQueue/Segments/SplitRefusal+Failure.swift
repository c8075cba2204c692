import WinchModel

extension SplitRefusal {
    /// `nil`: the connection broke for a reason that says nothing of the number of connections.
    ///
    /// - Parameter isAnswered: bytes had come over it.
    init?(_ failure: TransferFailure, isAnswered: Bool) {
        guard !isAnswered else { return nil }
        switch failure {
        case .httpStatus(let code): self = .status(code)
        case .serverBusy, .loginRefused: self = .status(421)
        case .unreachable, .connectionLost, .connectTimeout, .cutShort, .tls: self = .noConnection
        default: return nil
        }
    }
}
