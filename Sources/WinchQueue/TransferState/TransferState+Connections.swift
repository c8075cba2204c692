import WinchModel
import WinchProgress

/// The connections as a front end shows them.
extension TransferState {
    /// Changes nothing, as the next: see `summarize`.
    mutating func find(_ id: ConnectionID) -> Connection? { connections[id] }

    /// As `Connections.answered`.
    mutating func countAnswered(at host: String, except id: ConnectionID) -> Int {
        connections.answered(at: host, except: id)
    }

    /// Where the bytes are; `nil`: at the start of the file, from one connection, and more may come.
    var splitProgress: SplitProgress? {
        guard spec.direction == .down, settledClass != .ok else { return nil }
        let (open, reason) = (counts.open, connectionReason)
        let onDisk = resume?.have == have ? resume?.onDisk ?? ByteRanges() : ByteRanges(prefix: have)
        let isInParts = open > 1 || onDisk.hasGap
        guard isInParts || reason != nil else { return nil }
        let isFixed = reason != nil && (splitting?.obstacle != nil || splitting == nil)
        let segments = isInParts ? splitting?.map?.segments ?? [] : []
        return SplitProgress(
            connections: open, onDisk: isInParts ? onDisk.ranges : [],
            working: segments.filter { !$0.range.isEmpty }.map(\.range.lowerBound), reason: reason, isFixed: isFixed)
    }

    /// Why there are not more connections; `nil`: more are tried, or not needed.
    var connectionReason: String? {
        guard spec.direction == .down, case .active = phase else { return nil }
        let reasons = [splitting?.reason, hasMirrors ? splitting?.mirrorReason : nil].compactMap { $0 }
        if !reasons.isEmpty { return reasons.joined(separator: "; ") }
        let isUnknown = isMoving && size.known == nil
        return isUnknown ? SplitObstacle.unknownSize.words : nil
    }

    /// In the order of opening.
    func openConnections(at now: Moment) -> [OpenConnection] {
        connections.open.compactMap { connection in
            guard let phase = connection.phase.shown else { return nil }
            let segment = splitting?.map?[connection.id.number]
            let rate = segment.map { $0.rate(at: now).map { ByteRate(perSecond: $0) } } ?? estimator?.rate(at: now)
            return OpenConnection(
                number: connection.id.number, range: segment?.range ?? rest(of: connection),
                rate: phase == .moving ? rate : nil, host: connection.host, began: connection.startedAt, phase: phase)
        }
    }

    /// What the only connection of a file is still to bring.
    private func rest(of connection: Connection) -> Range<Int64>? {
        guard connection.phase == .moving, spec.direction == .down, let size = size.known?.bytes,
            connection.position < size
        else { return nil }
        return connection.position..<size
    }
}

extension Connection.Phase {
    /// `nil`: it is not open any more.
    fileprivate var shown: OpenConnection.Phase? {
        switch self {
        case .connecting: .connecting
        case .requested: .requested
        case .moving: .moving
        case .replying: .replying
        case .delivered, .closing: nil
        }
    }
}
