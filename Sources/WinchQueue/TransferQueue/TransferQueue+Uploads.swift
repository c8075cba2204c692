import WinchModel
import WinchProgress

extension TransferQueue {
    /// What a transport says of a body on its way out. The answer's own body moves nothing: it is neither saved nor counted.
    ///
    /// - Returns: `false` for what uploads have in common with downloads.
    mutating func takeSending(
        _ event: TransportEvent, of connection: Connection, at now: Moment
    ) -> Bool {
        let id = connection.id.transfer
        switch (connection.phase, event) {
        case (.connecting, .sent(let have, let size)), (.requested, .sent(let have, let size)),
            (.moving, .sent(let have, let size)):
            send(connection, have, of: size, at: now)
        case (.moving, .unsent), (.replying, .unsent):
            change(id, at: now, .moved, cause: .sentAgain) { transfer in
                transfer.connections.change(connection.id) { $0.phase = .moving }
                transfer.have = .zero
                transfer.estimator = RateEstimator()
            }
        case (.connecting, .bodyEnded(let size)), (.requested, .bodyEnded(let size)), (.moving, .bodyEnded(let size)):
            change(id, at: now, .replying, cause: .fileChanged) { transfer in
                transfer.have = size
                transfer.size = .exact(size)
                transfer.connections.change(connection.id) { $0.phase = .replying }
            }
        case (_, .sent), (_, .unsent), (_, .opened), (_, .moved), (_, .durable), (_, .bodyEnded),
            (_, .warned), (_, .verified), (_, .listed), (_, .joined), (_, .pieceEnded), (_, .rangeRefused),
            (_, .wrongPiece):
            ignore()
        case (_, .requested), (_, .connected), (_, .demanded), (_, .mirrors), (_, .redirected), (_, .finished),
            (_, .failed),
            (_, .stopped),
            (_, .probed):
            return false
        }
        return true
    }

    private mutating func send(_ connection: Connection, _ have: ByteCount, of size: ByteCount?, at now: Moment) {
        let id = connection.id.transfer
        guard let transfer = self[id] else { return }
        let isFirst = connection.phase != .moving
        // What was sent is only taken back by `unsent`; the first report may be of nothing yet.
        guard have > transfer.have || isFirst && have == transfer.have else { return ignore() }
        if isFirst { noteAnswer(to: connection, isServed: true, at: now) }
        change(id, at: now, .moved, cause: .outgrown) { transfer in
            // The attempt begins: what an earlier one learned of the rate holds for it.
            if isFirst { transfer.estimator?.lose(downTo: have) }
            transfer.connections.change(connection.id) { $0.phase = .moving }
            if let size { transfer.size = transfer.size.refined(by: .declared(size)) }
            transfer.setHave(have)
            if transfer.estimator == nil { transfer.estimator = RateEstimator() }
            let known = transfer.size.known
            transfer.estimator?.record(have, of: known, at: now)
        }
    }
}
