import WinchCore

/// What keys mean at the moment.
indirect enum Mode: Hashable, Sendable {
    case normal
    /// A line is being typed.
    case prompt(Prompt)
    /// The filter is being typed.
    case filter(Prompt)
    /// The rate limit of the selected or tagged ones is being typed.
    case limit(Prompt)
    /// A question waits for `y`.
    case question(Question)
    /// A command is being typed.
    case command(CommandLine)
    /// The address of a transfer is being changed.
    case editing(TransferID, Prompt)
    case log(LogView)
    case settings(SettingsView)
    /// The table's columns are chosen.
    case columns(ColumnsView)
    /// The help is open, its first `top` lines scrolled away.
    case help(top: Int)
    /// The keys of a panel are shown; any key goes back to it.
    case panelKeys(PanelKeys, over: Mode)
    /// Leaving in order has been asked for; only Ctrl-C means something still.
    case leaving
}

extension Mode {
    /// The line being typed, whatever for.
    var prompt: Prompt? {
        switch self {
        case .prompt(let prompt), .filter(let prompt), .limit(let prompt), .editing(_, let prompt): prompt
        case .command(let line): line.prompt
        case .log(let view): view.typing
        case .settings(let view): view.typing?.prompt
        case .normal, .question, .columns, .panelKeys, .help, .leaving: nil
        }
    }
}

/// What is asked before something that cannot be undone.
enum Question: Hashable, Sendable {
    /// Not empty.
    case cancel([TransferID])
    case quit

    /// The words for the footer; `name` is that of the transfers in question, made safe by whoever draws it.
    func words(name: String, running: Int) -> String {
        switch self {
        case .cancel(let ids): "Cancel \(name) and remove \(ids.count == 1 ? "its part" : "their parts")?"
        case .quit:
            switch running {
            case 0: "Quit? Nothing is running; parts are kept"
            case 1: "Quit? 1 is running; parts are kept"
            default: "Quit? \(running) are running; parts are kept"
            }
        }
    }
}
