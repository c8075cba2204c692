import WinchModel
import WinchProgress

extension TransferQueue {
    /// What a transport says of a body on its way out. The answer's own body moves nothing: it is neither saved nor counted.
    ///
    /// - Returns: `nil` for what uploads have in common with downloads.
    mutating func takeSending(
        _ event: TransportEvent, of connection: Connection, at now: Moment
    ) -> [QueueAction]? {
        let id = connection.id.transfer
        let isSending = connection.phase.isBeforeAnswer || connection.phase.isMoving
        switch event {
        case .placed(let point, let isHeld) where isSending:
            place(connection, point, at: now)
            return isHeld ? [.proceed(connection.id)] : []
        case .sent(let have, let size) where isSending: send(connection, have, of: size, at: now)
        case .unsent(let have, let cause) where connection.isOpen: takeBack(connection, to: have, cause, at: now)
        case .bodyEnded(let size) where isSending:
            if let have = self[id]?.have { noteArrival(size - have, of: id) }
            change(id, at: now, .replying, cause: .fileChanged) { transfer in
                transfer.setSent(size)
                transfer.size = .exact(size)
                transfer.connections.change(connection.id) { $0.phase = .replying }
            }
        case .replied(let reply): detailsStore[id]?.take(reply)
        case .sent, .unsent, .opened, .moved, .durable, .bodyEnded, .verified, .found, .listed, .ended, .wrongPiece,
            .placed, .demanded, .mirrors:
            // A server that names mirrors names places for downloads: nothing is sent there.
            ignore()
        case .requested, .connected, .redirected, .warned, .finished, .failed, .stopped, .probed: return nil
        }
        return []
    }

    /// The source is open, or the server has said what it has. What an earlier attempt sent counts only as far as the server
    /// has it; what the server has beyond that was not sent by this attempt.
    private mutating func place(_ connection: Connection, _ point: ResumePoint, at now: Moment) {
        let id = connection.id.transfer
        guard let transfer = self[id] else { return }
        let cause: Rebase.Cause =
            if point.have < transfer.have { .lostOnRetry } else if point.have > transfer.have { .outgrown } else {
                transfer.size.known == nil ? .sizeLearned : .fileChanged
            }
        change(id, at: now, nil, cause: cause) { transfer in
            transfer.resume = point
            if connection.phase == .connecting { transfer.warning = nil }
            if let total = point.total {
                transfer.size = .exact(total)
            } else if transfer.size.known != nil {
                transfer.size = .unknown(estimate: transfer.size.guess)
            }
            transfer.setHave(point.have)
        }
        ledger?.noteNow(id)
    }

    private mutating func send(_ connection: Connection, _ have: ByteCount, of size: ByteCount?, at now: Moment) {
        let id = connection.id.transfer
        guard let transfer = self[id] else { return }
        let isFirst = connection.phase != .moving
        // What was sent is only taken back by `unsent`; the first report may be of nothing yet.
        guard have > transfer.have || isFirst && have == transfer.have else { return ignore() }
        // What the server had is in `place`: the rest was sent, also before the first report.
        noteArrival(have - transfer.have, of: id)
        if isFirst {
            startMeter(at: now)
            noteAnswer(to: connection, isServed: true, at: now)
        }
        change(id, at: now, have > transfer.have ? .moved : nil, cause: .outgrown) { transfer in
            // The attempt begins: what an earlier one learned of the rate holds for it.
            if isFirst { transfer.estimator?.lose(downTo: have) }
            transfer.connections.change(connection.id) { $0.phase = .moving }
            if let size { transfer.size = transfer.size.refined(by: .declared(size)) }
            transfer.setSent(have)
            if transfer.estimator == nil { transfer.estimator = RateEstimator() }
            let known = transfer.size.known
            transfer.estimator?.record(have, of: known, at: now)
        }
    }

    private mutating func takeBack(_ connection: Connection, to have: ByteCount, _ cause: Rebase.Cause, at now: Moment)
    {
        let id = connection.id.transfer
        guard let transfer = self[id], have <= transfer.have else { return ignore() }
        change(id, at: now, .moved, cause: cause) { transfer in
            if connection.phase == .replying { transfer.connections.change(connection.id) { $0.phase = .moving } }
            transfer.have = have
            transfer.resume?.onDisk = ByteRanges(prefix: have)
            transfer.estimator = RateEstimator()
        }
    }
}

extension TransferState {
    /// Bytes of an upload that left this machine.
    fileprivate mutating func setSent(_ count: ByteCount) {
        setHave(count)
        resume?.onDisk = ByteRanges(prefix: count)
    }
}
