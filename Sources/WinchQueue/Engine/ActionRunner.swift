import WinchModel

/// Carries out the queue's actions by calls to the transport and the ledger. Has no state and makes no decisions.
struct ActionRunner: Sendable {
    let transport: any TransportPort
    let ledger: (any LedgerPort)?
    /// Receives the free space of a folder, in reply to `QueueAction.askSpace`.
    let reportSpace: @Sendable (_ folder: String, DiskSpaceReading?) -> Void
    /// Receives the stored details of a transfer, in reply to `QueueAction.recall`.
    let reportRecalled: @Sendable (TransferID, StoredDetails) -> Void

    func perform(_ action: QueueAction) {
        switch action {
        case .open(let request): transport.open(request)
        case .close(let id, let discarding): transport.close(id, discarding: discarding)
        case .bound(let id, let end): transport.bound(id, at: end)
        case .discard(let id, let resume, let folder, let addresses):
            transport.discard(id, resume, folder: folder, addresses: addresses)
        case .proceed(let id):
            guard let ledger else { return transport.proceed(id) }
            Task {
                await ledger.flush()
                transport.proceed(id)
            }
        case .withdraw(let request): transport.withdraw(request)
        case .probe(let request): transport.probe(request)
        case .stopProbe(let id): transport.stopProbe(id)
        case .limit(let id, let rate): transport.limit(id, to: rate)
        case .trust(let key, let isRemembered): transport.trust(key, remembering: isRemembered)
        case .unlock(let file, let passphrase): transport.unlock(keyFile: file, passphrase)
        case .askSpace(let folder):
            // A network file system may take long to answer; nothing waits for it.
            Task { reportSpace(folder, await transport.space(in: folder)) }
        case .recall(let id, let key):
            guard let ledger else { return }
            Task { if let details = await ledger.details(of: key) { reportRecalled(id, details) } }
        case .shutDown: break  // `Engine` itself does this one, because it awaits the end
        }
    }

    func shutDown() async {
        await transport.shutDown()
    }
}
