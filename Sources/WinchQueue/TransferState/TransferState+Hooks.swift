import WinchModel

extension FeedEvent.Kind {
    /// A hook may be called for it.
    var maySettle: Bool {
        switch self {
        case .finished, .failed: true
        default: false
        }
    }
}

extension TransferState {
    /// - Returns: the command that is due after the event; `nil`: none.
    func hookCall(for kind: FeedEvent.Kind) -> HookCall? {
        switch kind {
        // A Metalink that is replaced by its files is no file: those have their own calls.
        case .finished(.listed): nil
        case .finished(let outcome): settings.onDone.map { hookCall($0, .done(outcome)) }
        case .failed(let failure): settings.onFail.map { hookCall($0, .failed(failure)) }
        default: nil
        }
    }

    private func hookCall(_ command: HookCommand, _ event: HookCall.Event) -> HookCall {
        let isUpload = spec.direction == .up
        return HookCall(
            command, event, of: id, spec.direction, url: url.redacted, folder: isUpload ? "" : spec.folder,
            path: isUpload ? spec.upload?.file ?? name : name, have: have)
    }
}
