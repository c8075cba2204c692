package import WinchModel

/// Leaving the dashboard: on a key, on Ctrl-C, and by itself.
extension Dashboard {
    /// Asks for confirmation while a transfer is running or waits for a retry, else leaves.
    mutating func quit(board: QueueCopy) -> [ScreenAction] {
        let totals = board.totals
        if !isAttached, totals.working + totals.backoff > 0 || totals.isStarting && totals.waiting > 0 {
            mode = .question(.quit)
            return []
        }
        mode = .quitting
        return [.leave]
    }

    /// Handles Ctrl-C: like `quit`; if the quit question is open or the dashboard is leaving already, it leaves at
    /// once.
    mutating func interrupt(board: QueueCopy) -> [ScreenAction] {
        switch mode {
        case .quitting, .question(.quit):
            mode = .quitting
            return [.quitAtOnce]
        case .normal, .prompt, .filter, .limit, .command, .editing, .log, .settings, .question(.cancel),
            .question(.inquiry), .question(.background), .question(.stopSession),
            .secret, .columns, .panelKeys, .help, .machines:
            return quit(board: board)
        }
    }

    /// Leaves at `quitTime`.
    mutating func quitting(board: QueueCopy, now: Moment) -> [ScreenAction] {
        guard let due = quitTime, now >= due else { return [] }
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
        case .prompt, .filter, .limit, .command, .editing, .secret, .log, .settings, .columns, .panelKeys, .help,
            .machines, .quitting:
            return nil
        }
    }

    /// When the dashboard quits by itself; `nil`: it does not. For the spoken dashboard, which draws no frames.
    package func quitTime(board: QueueCopy, after now: Moment) -> Moment? {
        quitTime.map { max($0, now + look.frame) }
    }

    /// 2 s after an answer: by then the engine has restarted the transfers that needed it.
    private static let restart = Duration.seconds(2)
    /// Time in which the last bars fill up and stay highlighted (see `BarAnimation`).
    private static let quitDelay = Duration.milliseconds(500)
}
