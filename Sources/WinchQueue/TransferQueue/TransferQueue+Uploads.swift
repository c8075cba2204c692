import WinchModel
import WinchProgress

extension TransferQueue {
    /// What a transport says of a body on its way out. The answer's own body moves nothing: it is neither saved nor counted.
    ///
    /// - Returns: `false` for what uploads have in common with downloads.
    mutating func takeSending(
        _ event: TransportEvent, of id: TransferID, in phase: TransferState.Phase, at now: Moment
    ) -> Bool {
        switch (phase, event) {
        case (.connecting, .sent(let have, let size)), (.requested, .sent(let have, let size)),
            (.moving, .sent(let have, let size)):
            send(id, have, of: size, at: now)
        case (.moving, .unsent), (.replying, .unsent):
            change(id, at: now, .moved, cause: .sentAgain) { transfer in
                transfer.phase = .moving
                transfer.have = .zero
                transfer.estimator = RateEstimator()
            }
        case (.connecting, .bodyEnded(let size)), (.requested, .bodyEnded(let size)), (.moving, .bodyEnded(let size)):
            change(id, at: now, .replying, cause: .fileChanged) { transfer in
                transfer.have = size
                transfer.size = .exact(size)
                transfer.phase = .replying
            }
        case (_, .sent), (_, .unsent), (_, .opened), (_, .moved), (_, .durable), (_, .bodyEnded),
            (_, .warned), (_, .verified):
            ignore()
        case (_, .requested), (_, .connected), (_, .demanded), (_, .redirected), (_, .finished), (_, .failed),
            (_, .stopped),
            (_, .probed):
            return false
        }
        return true
    }

    private mutating func send(_ id: TransferID, _ have: ByteCount, of size: ByteCount?, at now: Moment) {
        guard let transfer = self[id] else { return }
        // What was sent is only taken back by `unsent`; the first report may be of nothing yet.
        guard have > transfer.have || transfer.phase != .moving && have == transfer.have else { return ignore() }
        if transfer.phase != .moving { noteAnswer(to: id, isServed: true, at: now) }
        change(id, at: now, .moved, cause: .outgrown) { transfer in
            // The attempt begins: what an earlier one learned of the rate holds for it.
            if transfer.phase != .moving { transfer.estimator?.lose(downTo: have) }
            transfer.phase = .moving
            if let size { transfer.size = transfer.size.refined(by: .declared(size)) }
            transfer.setHave(have)
            if transfer.estimator == nil { transfer.estimator = RateEstimator() }
            let known = transfer.size.known
            transfer.estimator?.record(have, of: known, at: now)
        }
    }
}
