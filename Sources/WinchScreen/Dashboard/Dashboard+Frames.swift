package import WinchModel

extension Dashboard {
    /// When the next frame is due because something animates or counts down; `nil`: nothing changes by itself.
    package func nextFrame(board: QueueCopy, after now: Moment) -> Moment? {
        var due: [Moment] = []
        if let step = nextAnimation(board: board, now: now) { due.append(step) }
        if countsDown(board: board) { due.append(now.nextSecond) }
        if figures.isBehind { due.append(max(FigureRefresh.next(after: now), now + look.frame)) }
        due += ends.filter { $0 > now }
        // What is overdue comes with the next frame: the result is never in the past, even if the loop is late.
        if let sort = list.due { due.append(max(sort, now + look.frame)) }
        if let quitTime { due.append(max(quitTime, now + look.frame)) }
        return due.min()
    }

    /// Everything that has changed so far is on the screen.
    package mutating func frameWasDrawn() { hasNews = false }

    /// The event, which has been handled, changes nothing on the screen before `nextFrame`: figures wait for their refresh, and a bar
    /// that moves on begins where it is.
    func isQuiet(_ event: ScreenEvent) -> Bool {
        switch event {
        case .tick: true
        case .updated(let update):
            update.isOfFigures && !figures.showsNews && mode == .normal && look.isAnimated && layout.form != .line
        default: false
        }
    }

    /// When a bar in view will look different by itself.
    private func nextAnimation(board: QueueCopy, now: Moment) -> Moment? {
        guard look.isAnimated, layout.form != .line else { return nil }
        var due: [Moment?] = []
        if let queueMotion {
            due.append(
                next(
                    of: queueMotion, isFlowing: board.totals.active > 0,
                    width: queueBarWidth(board: board, now: now), shape: .block, now: now))
        }
        let width = columnLayout[.bar]?.width ?? 0
        for (id, motion) in motions {
            let folder = list.folder(id, board.totals)
            guard let isFlowing = folder.map({ $0.rate != nil }) ?? board[id]?.isFlowing else { continue }
            due.append(next(of: motion, isFlowing: isFlowing, width: width, shape: .line, now: now))
        }
        return due.compactMap(\.self).min()
    }

    private func next(
        of motion: BarAnimation, isFlowing: Bool, width: Int, shape: ProgressBar.Shape, now: Moment
    ) -> Moment? {
        // A marquee and a rainbow change with every frame, while bytes arrive.
        if isFlowing, look.theme.isRainbow || motion.shown(at: now) == nil { return now + look.frame }
        return motion.nextStep(width: width, shape: shape, after: now, frame: look.frame)
    }

    /// Some text in view changes every second, such as a countdown or an elapsed time.
    private func countsDown(board: QueueCopy) -> Bool {
        if board.totals.finish != nil, board.totals.active > 0 { return true }
        // The header shows the elapsed time while any transfer is working.
        if board.totals.startedAt != nil, board.totals.working > 0, layout.form == .roomy { return true }
        if isDetailsOpen, let id = selection.id, board[id]?.phase.isActive ?? false { return true }
        return motions.keys.contains { id in
            board[list.folder(id, board.totals)?.listing ?? id]?.isCountingDown ?? false
        }
    }

    /// Instants at which something temporary disappears: a highlighted bar, a cause, the notice.
    private var ends: [Moment] {
        var ends = motions.values.flatMap { [$0.freshUntil, $0.causeUntil] }
        ends += [queueMotion?.freshUntil, queueMotion?.causeUntil, notice?.until]
        return ends.compactMap(\.self)
    }
}

extension Update {
    /// Bytes have moved, and nothing else that is shown outside of rows and totals.
    fileprivate var isOfFigures: Bool {
        base != nil && removed.isEmpty && order == nil && seconds.isEmpty && details.isEmpty && addedAgain.isEmpty
            && events.allSatisfy { $0.kind == .moved }
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
        return Moment(nanoseconds: (nanoseconds.quotient(flooredBy: second) &+ 1) &* second)
    }
}
