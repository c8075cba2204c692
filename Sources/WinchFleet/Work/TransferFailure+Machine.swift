import WinchModel

extension TransferFailure {
    /// The cause lies with this machine, so that another one may succeed.
    var isMachinesFault: Bool {
        switch self {
        case .diskFull, .folder, .readWrite, .nameServerDown, .networkDown: true
        default: false
        }
    }
}
