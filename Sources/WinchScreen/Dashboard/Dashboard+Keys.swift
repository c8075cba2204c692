import WinchModel

extension Dashboard {
    /// Handles a key in the current mode.
    mutating func press(_ key: Key, board: QueueCopy, now: Moment) -> [ScreenAction] {
        if case .mouse(let mouse) = key { return mode == .quitting ? [] : point(mouse, board: board, now: now) }
        switch keyMap[key] {
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        case .interrupt: return interrupt(board: board)
        default: break
        }
        switch mode {
        case .normal: return pressOnDashboard(key, board: board, now: now)
        case .prompt(let prompt): return completePath(key, in: prompt) ?? press(key, in: prompt)
        case .command(let line):
            return completePath(key, in: line.prompt) ?? press(key, in: line, board: board, now: now)
        case .editing(let id, let prompt): return press(key, editing: id, prompt, now: now)
        case .log(let view):
            press(key, in: view)
            return []
        case .settings(let view): return press(key, in: view, board: board, now: now)
        case .filter(let prompt): return press(key, inFilter: prompt, board: board, now: now)
        case .limit(let prompt): return press(key, inLimit: prompt, board: board, now: now)
        case .question(let question): return answer(question, with: key, board: board, now: now)
        case .secret(let inquiry, let prompt): return press(key, inSecret: prompt, of: inquiry, now: now)
        case .help(let top): return pressInHelp(key, top: top)
        case .machines(let top):
            pressInMachines(key, top: top)
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
            return press(key, in: Prompt())
        }
        guard let intent = keyMap[key] else { return [] }
        notice = nil
        if intent.takesTheMark { selection.isFollowing = false }
        return act(intent, board: board, now: now)
    }

    private mutating func press(_ key: Key, in prompt: Prompt) -> [ScreenAction] {
        var prompt = prompt
        switch prompt.press(key) {
        case .edited, .ignored:
            mode = .prompt(prompt)
            return []
        case .closed:
            mode = .normal
            return []
        case .entered:
            mode = .normal
            return prompt.isBlank ? [] : [.add(prompt.text)]
        }
    }

    private mutating func pressInHelp(_ key: Key, top: Int) -> [ScreenAction] {
        let panel = helpPanel
        switch keyMap[key] {
        case .up: mode = .help(top: max(0, top - 1))
        case .down: mode = .help(top: min(panel.lastTop, top + 1))
        case .pageUp: mode = .help(top: max(0, top - panel.height))
        case .pageDown: mode = .help(top: min(panel.lastTop, top + panel.height))
        case .first: mode = .help(top: 0)
        case .last: mode = .help(top: panel.lastTop)
        case .help, .back, .quit: mode = .normal
        default: if key == .enter { mode = .normal }
        }
        return []
    }
}

extension Prompt {
    /// The text is empty or all whitespace.
    fileprivate var isBlank: Bool { characters.allSatisfy(\.isWhitespace) }
}
