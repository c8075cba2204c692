import WinchModel

/// The part of the log that is in view: level, filter and scroll position.
struct LogPanelView: Hashable, Sendable {
    /// Entries below this level are not shown.
    var level = LogLevel.info
    /// Only entries whose message or transfer name contains this text are shown, regardless of case; empty: all.
    private(set) var words = ""
    /// The prompt for the filter, while the user types it.
    var typing: Prompt?
    /// Number of the lowest entry in view; `nil`: the view follows the end of the log.
    private(set) var bottom: Int?

    /// What a key did to the view.
    enum Outcome: Hashable, Sendable {
        case stays, closes
    }

    /// The numbers of the entries in view, from the top; at most `height`.
    func visible(_ journal: LogPanelEntries, height: Int) -> [Int] {
        var found: [Int] = []
        var number = min(bottom ?? .max, journal.end - 1)
        while found.count < height, number >= journal.first {
            if shows(journal[number]) { found.append(number) }
            number -= 1
        }
        // Near the beginning of the log the rest of the view is filled with later entries.
        guard let lowest = found.first, found.count < height else { return found.reversed() }
        var next = lowest + 1
        var below: [Int] = []
        while found.count + below.count < height, next < journal.end {
            if shows(journal[next]) { below.append(next) }
            next += 1
        }
        return found.reversed() + below
    }

    func shows(_ entry: LogEntry?) -> Bool {
        guard let entry, entry.level >= level else { return false }
        guard !words.isEmpty else { return true }
        let sought = words.lowercased()
        return entry.name?.lowercased().contains(sought) ?? false || entry.message.lowercased().contains(sought)
    }

    /// - Parameters:
    ///   - intent: the key's intent in the key map.
    ///   - height: lines in view.
    mutating func press(_ key: Key, intent: KeyAction?, journal: LogPanelEntries, height: Int) -> Outcome {
        if let prompt = typing {
            type(key, prompt)
            return .stays
        }
        switch key {
        case "e": show(.error)
        case "w": show(.warning)
        case "i": show(.info)
        case "d": show(.debug)
        case "/": typing = Prompt(text: words)
        default:
            switch intent {
            case .up: scroll(-1, journal, height: height)
            case .down: scroll(1, journal, height: height)
            case .pageUp: scroll(1 - height, journal, height: height)
            case .pageDown: scroll(height - 1, journal, height: height)
            case .first: bottom = journal.first
            case .last: bottom = nil
            case .back where !words.isEmpty: (words, bottom) = ("", nil)
            case .back, .log, .quit: return .closes
            default: break
            }
        }
        return .stays
    }

    private mutating func show(_ level: LogLevel) {
        self.level = level
        bottom = nil
    }

    /// Handles a key in the filter prompt; the log is filtered after each.
    private mutating func type(_ key: Key, _ prompt: Prompt) {
        var prompt = prompt
        switch prompt.press(key) {
        case .edited, .ignored:
            typing = prompt
            (words, bottom) = (prompt.text, nil)
        case .entered: typing = nil
        case .closed: (typing, words, bottom) = (nil, "", nil)
        }
    }

    /// Scrolls by `lines` shown entries, up if negative. Beyond the last entry the view follows the end again.
    private mutating func scroll(_ lines: Int, _ journal: LogPanelEntries, height: Int) {
        let seen = visible(journal, height: height)
        guard var number = seen.last else { return bottom = nil }
        var left = abs(lines)
        let step = lines < 0 ? -1 : 1
        var found = number
        while left > 0 {
            number += step
            guard number >= journal.first, number < journal.end else { break }
            if shows(journal[number]) { (found, left) = (number, left - 1) }
        }
        // Scrolling up stops when the first entry is at the top.
        if step < 0 {
            var view = self
            view.bottom = found
            bottom = view.visible(journal, height: height).last
        } else {
            bottom = left > 0 ? nil : found
        }
    }
}
