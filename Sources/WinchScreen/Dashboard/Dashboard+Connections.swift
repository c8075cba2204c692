import WinchModel

/// More and fewer connections for a file.
extension Dashboard {
    mutating func changeConnections(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        let chosen = chosen(board)
        guard !chosen.isEmpty else { return nothingSelected(board: board, now: now) }
        let isMore = intent == .moreConnections
        if tags.isEmpty, let id = chosen.first, let row = board[id] {
            if let reason = row.connectionsAreFixed {
                notice = Notice("No other number of connections: \(reason)", now: now)
                return []
            }
            if isMore, row.has(SplitLimit.most) {
                notice = Notice("More than \(SplitLimit.most) connections are not possible", now: now)
                return []
            }
            let words = isMore ? "One more connection" : row.has(1) ? "One connection only" : "One fewer connection"
            let isHostFull = isMore && row.phase == .moving && board.totals.fullHosts.contains(row.host)
            let holder = isHostFull ? board.holder(of: row.host, besides: id) : nil
            let place =
                holder.map { "; host is full: \($0.name) has \($0.connections) of \($0.all) connections" }
                ?? (isHostFull ? " when \(row.host) has a free one" : "")
            notice = Notice("\(words) for \(row.name)\(place)", now: now)
            return [.send(.changeConnections([id], by: isMore ? 1 : -1))]
        }
        let able = chosen.filter { board[$0]?.connectionsAreFixed == nil }
        guard !able.isEmpty else {
            notice = Notice("No other number of connections: not possible for any of the tagged", now: now)
            return []
        }
        let each = "\(isMore ? "One more" : "One fewer") connection for each of \(able.count.counted("download"))"
        notice = Notice(each + hiddenWords(able), now: now)
        return [.send(.changeConnections(able, by: isMore ? 1 : -1))]
    }
}

extension TransferSnapshot {
    /// Why the number of connections cannot be changed; `nil`: it can.
    fileprivate var connectionsAreFixed: String? {
        if direction == .up { return "an upload has one" }
        switch phase {
        case .verifying, .finished, .replying: return phase.inapplicableReason
        case .waiting, .connecting, .requested, .moving, .paused, .backoff, .failed, .cancelled: break
        }
        guard let split, split.isFixed else { return nil }
        return split.reason ?? "the server cannot serve parts"
    }

    /// It moves over so many connections.
    fileprivate func has(_ count: Int) -> Bool { phase == .moving && split?.connections ?? 1 == count }
}
