import WinchModel

/// Keys about sessions, which are runs that go on without a terminal.
extension Dashboard {
    mutating func actOnSession(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch (intent == .stopSession, isAttached) {
        case (false, true):
            notice = Notice("It runs in the background already; q leaves, and the session goes on", now: now)
        case (false, false):
            let losing = transfersThatWouldBeginAgain(board)
            guard !losing.isEmpty else { return [.handOver] }
            mode = .question(.background(losing))
        case (true, true): mode = .question(.stopSession)
        case (true, false): notice = Notice("This is no session; q quits", now: now)
        }
        return []
    }

    /// The row with the figures to show. While the connection to the session is lost they are those of then: the rate and the
    /// time left are no longer known.
    func shown(_ row: TransferSnapshot) -> TransferSnapshot {
        var row = figures.shown(row)
        if lostConnection != nil { (row.rate, row.finish) = (nil, nil) }
        return row
    }

    /// The totals with the figures to show, as above.
    func shown(_ totals: QueueTotals) -> QueueTotals {
        var totals = figures.shown(totals)
        if lostConnection != nil { (totals.rate, totals.finish) = (nil, nil) }
        return totals
    }

    private func transfersThatWouldBeginAgain(_ board: QueueCopy) -> [TransferID] {
        var ids: [TransferID] = []
        board.visit { row, _ in
            if row.wouldBeginAgain { ids.append(row.id) }
        }
        return ids
    }

    func backgroundDialog(_ ids: [TransferID], board: QueueCopy) -> Dialog {
        let (begin, their) =
            ids.count == 1 ? ("1 transfer begins", "its server") : ("\(ids.count) transfers begin", "their servers")
        let names = ids.prefix(Self.namesShown).compactMap { board[$0].map { fitted($0.name, in: 28) } }
        let more = ids.count > names.count ? " and \(ids.count - names.count) more" : ""
        return Dialog(
            title: "Background",
            question: "Go on in the background? \(begin) again from 0, because \(their) cannot continue.",
            details: [names.joined(separator: ", ") + more], answers: Dialog.yesOrNo)
    }

    func stopDialog(_ totals: QueueTotals) -> Dialog {
        Dialog(
            title: "Stop", question: "Stop the session and its transfers? Partial files are kept.",
            details: ["\(totals.finished) of \(totals.count) done"], answers: Dialog.yesOrNo)
    }
}
