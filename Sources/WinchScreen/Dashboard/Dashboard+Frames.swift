package import WinchModel

extension Dashboard {
    /// When the next frame is due because something animates or counts down; `nil`: nothing changes by itself.
    package func nextFrame(board: QueueMirror, after now: Moment) -> Moment? {
        var due: [Moment] = []
        if animates(board: board, now: now) { due.append(now + look.frame) }
        if countsDown(board: board) { due.append(now.nextSecond) }
        if figures.isBehind { due.append(max(SteadyFigures.next(after: now), now + look.frame)) }
        due += ends.filter { $0 > now }
        // What is overdue comes with the next frame: the result is never in the past, even if the loop is late.
        if let sort = list.due { due.append(max(sort, now + look.frame)) }
        if let quitTime { due.append(max(quitTime, now + look.frame)) }
        return due.min()
    }

    private func animates(board: QueueMirror, now: Moment) -> Bool {
        guard look.isAnimated, layout.form != .line else { return false }
        if queueAnimates(board: board, now: now) { return true }
        let width = columnLayout[.bar]?.width ?? 0
        return motions.contains { id, motion in
            guard let row = board[id] else { return false }
            if motion.shown(at: now) == nil { return row.barReading.isFlowing }
            return motion.isMoving(width: width, shape: .line, at: now)
                || look.theme.isRainbow && row.barReading.isFlowing
        }
    }

    private func queueAnimates(board: QueueMirror, now: Moment) -> Bool {
        guard let queueMotion else { return false }
        let isFlowing = board.totals.barReading.isFlowing
        if queueMotion.shown(at: now) == nil { return isFlowing }
        return queueMotion.isMoving(width: queueBarWidth(board: board, now: now), at: now)
            || look.theme.isRainbow && isFlowing
    }

    /// Some text in view changes every second, such as a countdown or an elapsed time.
    private func countsDown(board: QueueMirror) -> Bool {
        if board.totals.finish != nil, board.totals.active > 0 { return true }
        // The header shows the elapsed time while any transfer is working.
        if board.totals.startedAt != nil, board.totals.working > 0, layout.form == .roomy { return true }
        if isDetailsOpen, let id = selection.id, board[id]?.phase.isActive ?? false { return true }
        return motions.keys.contains { id in
            guard let row = board[id] else { return false }
            return row.isCountingDown
        }
    }

    /// Instants at which something temporary disappears: a highlighted bar, a cause, the notice.
    private var ends: [Moment] {
        var ends = motions.values.flatMap { [$0.freshUntil, $0.causeUntil] }
        ends += [queueMotion?.freshUntil, queueMotion?.causeUntil, notice?.until]
        return ends.compactMap(\.self)
    }
}

extension TransferSnapshot {
    fileprivate var isCountingDown: Bool {
        switch phase {
        case .backoff: true
        case .moving: stalledSince != nil || finish != nil
        case .waiting, .connecting, .requested, .paused, .replying, .verifying, .finished, .failed, .cancelled: false
        }
    }
}

extension Moment {
    /// The next whole second of the clock: all countdowns tick together, once a second.
    fileprivate var nextSecond: Moment {
        let second: Int64 = 1_000_000_000
        let into = ((nanoseconds % second) + second) % second
        return Moment(nanoseconds: nanoseconds &+ (second - into))
    }
}

extension Dashboard {
    /// When the dashboard quits by itself; `nil`: it does not. For the spoken dashboard, which draws no frames.
    package func quitTime(board: QueueMirror, after now: Moment) -> Moment? {
        quitTime.map { max($0, now + look.frame) }
    }
}
