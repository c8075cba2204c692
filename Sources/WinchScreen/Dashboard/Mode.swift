import WinchModel

/// What is open, which decides what a key does.
indirect enum Mode: Hashable, Sendable {
    case normal
    /// URLs to add are being typed.
    case prompt(Prompt)
    /// The filter is being typed.
    case filter(Prompt)
    /// The rate limit of the selected or tagged transfers is being typed.
    case limit(Prompt)
    /// A dialog waits for one of its answers.
    case question(Confirmation)
    /// A dialog asks for a secret, which is being typed.
    case secret(UserQuestion, Prompt)
    /// A command is being typed.
    case command(CommandPrompt)
    /// The URL of a transfer is being changed.
    case editing(TransferID, Prompt)
    case log(LogPanelView)
    case settings(SettingsView)
    /// The table's columns are chosen.
    case columns(ColumnsView)
    /// The help is open, scrolled down by `top` lines.
    case help(top: Int)
    /// The machines of a fleet, from this one on.
    case machines(top: Int)
    /// The keys of a panel are shown; any key goes back to it.
    case panelKeys(PanelKeys, over: Mode)
    /// The dashboard is leaving in order. Keys are ignored, except Ctrl-C, which leaves at once, Ctrl-Z and Ctrl-L.
    case quitting
}

extension Mode {
    /// The dialog that covers the middle of the screen.
    func dialog(of dashboard: Dashboard, board: QueueCopy) -> Dialog? {
        switch self {
        case .question(let question): dashboard.dialog(for: question, board: board)
        case .secret(let inquiry, _): inquiry.dialog
        case .normal, .prompt, .filter, .limit, .command, .editing, .log, .settings, .columns, .panelKeys, .help,
            .machines, .quitting:
            nil
        }
    }

    /// The prompt of any mode in which a line is typed.
    var prompt: Prompt? {
        switch self {
        case .prompt(let prompt), .filter(let prompt), .limit(let prompt), .editing(_, let prompt),
            .secret(_, let prompt):
            prompt
        case .command(let line): line.prompt
        case .log(let view): view.typing
        case .settings(let view): view.typing?.prompt
        case .normal, .question, .columns, .panelKeys, .help, .machines, .quitting: nil
        }
    }
}
