import WinchModel

extension TransferQueue {
    /// Gives a transfer another address in place of the one in use; its other mirrors stay.
    ///
    /// A connection is closed first. What is kept stays: the transport goes on with it if the file at the new address
    /// proves to be the same one.
    mutating func setURL(_ url: TransferURL, of id: TransferID, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id], transfer.spec.direction == .down else { return [] }
        switch transfer.phase {
        case .waiting, .backoff:
            // Out of the line and in again: it stood there for the old address's host.
            change(id, at: now, nil) { $0.phase = .paused }
            move(id, to: url, at: now)
            change(id, at: now, nil) { $0.phase = .waiting }
        case .paused: move(id, to: url, at: now)
        case .failed:
            move(id, to: url, at: now)
            retry(id, at: now)
        case .active:
            change(id, at: now, nil) { transfer in
                transfer.close(.keeping)
                transfer.phase = .paused
            }
            move(id, to: url, at: now)
            change(id, at: now, nil) { $0.phase = .waiting }
            return transfer.closings(discarding: false)
        case .verifying, .finished, .cancelled: break
        }
        return []
    }

    private mutating func move(_ id: TransferID, to url: TransferURL, at now: Moment) {
        change(id, at: now, .redirected(url: url.redacted)) { $0.replaceURL(with: url) }
    }
}
