import WinchModel

extension SessionRequest {
    /// The command for the chosen transfers; `nil`: the request is none for transfers.
    func command(for ids: [TransferID]) -> Command? {
        // Of all: those too that are added later.
        let isForAll = which == .all
        return switch action {
        case .pause: isForAll ? .pauseAll : .pause(ids)
        case .resume: isForAll ? .resumeAll : .resume(ids)
        case .retry: .retry(ids)
        case .cancel: .cancel(ids)
        case .remove: .remove(ids)
        case .follow, .status, .unfollow, .add, .limit, .limitUpload, .takeOver, .command, .stop: nil
        }
    }
}
