package import WinchModel

extension Dashboard {
    mutating func actOnSession(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch (intent == .stopSession, isAttached) {
        case (false, true):
            notice = Notice("It runs in the background already; q leaves, and the session goes on", now: now)
        case (false, false): return [.planHandOver]
        case (true, true): mode = .question(.stopSession(KeptBytes(board)))
        case (true, false): notice = Notice("This is no session; q quits", now: now)
        }
        return []
    }

    /// Hands the run over; asks first when that loses something.
    ///
    /// - Parameter options: that no session takes over, as in a sentence; empty: there are none.
    mutating func handOver(without options: String, board: QueueCopy) -> [ScreenAction] {
        let losing = board.ids { $0.wouldBeginAgain }
        guard !losing.isEmpty || !options.isEmpty else { return [.handOver] }
        mode = .question(.background(losing, options: options))
        return []
    }

    /// The row with the figures to show. While the connection to the session is lost they are those of then: the rate and the
    /// time left are no longer known.
    func shown(_ row: TransferSnapshot) -> TransferSnapshot {
        var row = figures.shown(row)
        if lostConnection != nil { (row.rate, row.finish) = (nil, nil) }
        return row
    }

    /// The folder with the figures to show, as above.
    func shown(_ folder: FolderLine) -> FolderLine {
        var folder = figures.shown(folder)
        if lostConnection != nil { folder.rate = nil }
        return folder
    }

    /// The totals with the figures to show, as above.
    func shown(_ totals: QueueTotals) -> QueueTotals {
        var totals = figures.shown(totals)
        if lostConnection != nil { (totals.rate, totals.finish) = (nil, nil) }
        return totals
    }

    func backgroundDialog(_ ids: [TransferID], _ options: String, board: QueueCopy) -> UserQuestion {
        let (begin, their) =
            ids.count == 1 ? ("1 transfer begins", "its server") : ("\(ids.count) transfers begin", "their servers")
        var sentences = ["Go on in the background?"]
        if !options.isEmpty { sentences.append("The session does not take over \(options).") }
        if !ids.isEmpty { sentences.append("\(begin) again from 0, because \(their) cannot continue.") }
        return UserQuestion(
            title: "Background", question: sentences.joined(separator: " "),
            details: ids.isEmpty ? [] : [firstNames(ids.compactMap { board[$0] })], kind: .yesOrNo)
    }

    func stopDialog(_ totals: QueueTotals, _ kept: KeptBytes) -> UserQuestion {
        UserQuestion(
            title: "Stop",
            question: (["Stop the session and its transfers?"] + kept.sentences).joined(separator: " "),
            details: ["\(totals.finished) of \(totals.count) done"], kind: .yesOrNo)
    }
}

extension Dashboard {
    /// Asks for confirmation while a transfer is running or waits for a retry, or a folder is to be listed, else leaves.
    mutating func quit(board: QueueCopy) -> [ScreenAction] {
        guard !isAttached, stopsAnything(board.totals) else {
            mode = .quitting
            return [.leave]
        }
        mode = .question(.quit(KeptBytes(board)))
        return []
    }

    private func stopsAnything(_ totals: QueueTotals) -> Bool {
        totals.working + totals.backoff > 0 || totals.isStarting && totals.waiting > 0 || totals.unpausedListings > 0
    }

    /// Handles Ctrl-C: like `quit`; if the quit question is open or the dashboard is leaving already, it leaves at
    /// once.
    mutating func interrupt(board: QueueCopy) -> [ScreenAction] {
        switch mode {
        case .quitting, .question(.quit):
            mode = .quitting
            return [.quitAtOnce]
        default: return quit(board: board)
        }
    }

    /// Leaves at `quitTime`, or when all transfers have ended while the user is asked whether to stop them. While one is paused
    /// or waits, the question stays: the user may still want it.
    mutating func quitting(board: QueueCopy, now: Moment) -> [ScreenAction] {
        let isOver = inquiries.isEmpty && !board.totals.isStarting && board.totals.allSettled
        let asks = if case .question(.quit) = mode { true } else { false }
        let isAnswered = asks && isOver
        guard isAnswered || quitTime.map({ now >= $0 }) ?? false else { return [] }
        mode = .quitting
        return [.leave]
    }

    /// When the dashboard leaves by itself, if `quitsWhenSettled`: after the last bar has been shown as finished.
    /// `nil` while a transfer is unsettled, an inquiry is open, or the user is typing or reading a panel.
    var quitTime: Moment? {
        guard quitsWhenSettled, inquiries.isEmpty, let settledSince else { return nil }
        switch mode {
        case .normal, .question:
            let end = settledSince + (look.isAnimated ? Self.quitDelay : .zero)
            return answeredAt.map { max(end, $0 + Self.restart) } ?? end
        default: return nil
        }
    }

    /// When the dashboard quits by itself; `nil`: it does not. For the spoken dashboard, which draws no frames.
    package func quitTime(board: QueueCopy, after now: Moment) -> Moment? {
        quitTime.map { max($0, now + look.frame) }
    }

    /// 2 s after an answer: by then the engine has restarted the transfers that needed it.
    static let restart = Duration.seconds(2)
    /// Time in which the last bars fill up and stay highlighted (see `BarAnimation`).
    private static let quitDelay = Duration.milliseconds(500)
}
