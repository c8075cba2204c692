import WinchModel

extension Dashboard {
    mutating func press(_ key: Key, board: QueueCopy, now: Moment) -> [ScreenAction] {
        let isIgnored = ignoresKeysUntil.map { now < $0 } ?? false
        if case .mouse(let mouse) = key {
            return isIgnored || mode == .quitting ? [] : point(mouse, board: board, now: now)
        }
        switch keyMap[key] {
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        case .interrupt: return interrupt(board: board)
        default: break
        }
        if isIgnored { return [] }
        switch mode {
        case .normal: return pressOnDashboard(key, board: board, now: now)
        case .prompt(let prompt):
            return completePath(key, in: prompt) ?? press(key, in: prompt, board: board, now: now)
        case .command(let line):
            return completePath(key, in: line.prompt) ?? press(key, in: line, board: board, now: now)
        case .editing(_, let prompt), .limit(_, let prompt), .secret(_, let prompt):
            return press(key, in: prompt, board: board, now: now)
        case .log(let view):
            press(key, in: view)
            return []
        case .settings(let view): return press(key, in: view, board: board, now: now)
        case .filter(let prompt): return press(key, inFilter: prompt, board: board, now: now)
        case .question(let question): return answer(question, with: key, board: board, now: now)
        case .help(let top):
            let panel = helpPanel
            if let place = scrolled(key, from: top, page: panel.height, last: panel.lastTop) {
                mode = .help(top: place)
            } else if key == .enter || [.help, .back, .quit].contains(keyMap[key]) {
                mode = .normal
            }
            return []
        case .machines(let top):
            let (page, count) = (max(1, panelHeight - 1), fleet?.machines.count ?? 0)
            if let place = scrolled(key, from: top, page: page, last: max(0, count - page)) {
                mode = .machines(top: place)
            } else if [.machines, .back, .quit].contains(keyMap[key]) {
                mode = .normal
            }
            return []
        case .columns(let view): return press(key, in: view, board: board, now: now)
        case .panelKeys(_, let panel):
            mode = panel
            return []
        case .quitting: return []
        }
    }

    private mutating func pressOnDashboard(_ key: Key, board: QueueCopy, now: Moment) -> [ScreenAction] {
        if case .paste = key {
            // Text pasted into the dashboard is never interpreted as keys: it opens the prompt for adding URLs.
            notice = nil
            if fleet != nil { return act(.add, board: board, now: now) }
            mode = .prompt(Prompt())
            return press(key, in: Prompt(), board: board, now: now)
        }
        guard let intent = keyMap[key] else { return [] }
        notice = nil
        if intent.takesTheMark { selection.isFollowing = false }
        return act(intent, board: board, now: now)
    }

    /// Handles a key while a line is typed that has an effect only when it is entered or closed.
    private mutating func press(
        _ key: Key, in prompt: Prompt, board: QueueCopy, now: Moment
    ) -> [ScreenAction] {
        var prompt = prompt
        let typing = mode
        switch prompt.press(key) {
        case .edited, .ignored: replacePrompt(prompt)
        case .closed:
            mode = .normal
            if case .secret(let inquiry, _) = typing { return close(inquiry, .declined, at: now) }
        case .entered:
            mode = .normal
            do throws(InvalidValue) {
                switch typing {
                case .limit(let ids, _): return try setLimit(of: ids, to: prompt.text, board: board, now: now)
                case .editing(let id, _): return try setURL(of: id, to: prompt.text, now: now)
                case .secret(let inquiry, _): return close(inquiry, .typed(prompt.text), at: now)
                default: return prompt.characters.allSatisfy(\.isWhitespace) ? [] : [.add(prompt.text)]
                }
            } catch {
                mode = typing
                prompt.fault = error.message
                replacePrompt(prompt)
            }
        }
        return []
    }

    /// The line being typed is this one from now on.
    mutating func replacePrompt(_ prompt: Prompt) {
        switch mode {
        case .prompt: mode = .prompt(prompt)
        case .limit(let ids, _): mode = .limit(ids, prompt)
        case .editing(let id, _): mode = .editing(id, prompt)
        case .secret(let inquiry, _): mode = .secret(inquiry, prompt)
        case .command: mode = .command(CommandPrompt(prompt))
        default: break
        }
    }

    /// The first line of a panel after a key of movement.
    private func scrolled(_ key: Key, from top: Int, page: Int, last: Int) -> Int? {
        let place = keyMap[key]?.destination(from: top, page: page, last: last)
        return place.map { min(max(0, $0), last) }
    }
}

/// What is open, which decides what a key does.
indirect enum Mode: Hashable, Sendable {
    case normal
    /// URLs to add are being typed.
    case prompt(Prompt)
    case filter(Prompt)
    /// The rate limit of these transfers is being typed: those that were selected or tagged when that began.
    case limit([TransferID], Prompt)
    /// A dialog waits for one of its answers.
    case question(Confirmation)
    /// A dialog asks for a secret, or for the user name that belongs to it, which is being typed.
    case secret(UserQuestion, Prompt)
    case command(CommandPrompt)
    /// The URL of a transfer is being changed.
    case editing(TransferID, Prompt)
    case log(LogPanelView)
    case settings(SettingsView)
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
    /// The prompt of any mode in which a line is typed.
    var prompt: Prompt? {
        switch self {
        case .prompt(let prompt), .filter(let prompt), .limit(_, let prompt), .editing(_, let prompt),
            .secret(_, let prompt):
            prompt
        case .command(let line): line.prompt
        case .log(let view): view.typing
        case .settings(let view): view.typing?.prompt
        case .normal, .question, .columns, .panelKeys, .help, .machines, .quitting: nil
        }
    }
}
