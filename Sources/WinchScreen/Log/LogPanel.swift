import WinchModel

struct LogPanel {
    let frame: Frame
    let view: LogPanelView

    private var look: Appearance { frame.look }
    private var theme: Theme { frame.theme }

    func draw(on canvas: inout Canvas) {
        let (layout, journal) = (frame.state.layout, frame.state.journal)
        let height = frame.state.panelHeight
        frame.drawBox(on: &canvas, title: [frame.run("Log", theme.title)] + filter, note: place(in: journal))
        let numbers = view.visible(journal, height: height)
        for (offset, number) in numbers.enumerated() {
            guard let entry = journal[number] else { continue }
            draw(entry, on: &canvas, row: layout.panelTop + 1 + offset)
        }
        if numbers.isEmpty {
            canvas.write(
                look.text("Nothing of this kind has happened."), theme.quiet, column: 2, row: layout.panelTop + 1,
                width: canvas.columns - 4)
        }
    }

    private var filter: [Run] {
        let level = view.level == .error ? "errors" : "\(view.level.rawValue) and above"
        let words = view.words.isEmpty ? "" : " with '\(view.words)'"
        return [frame.separator, frame.run((view.level == .debug ? "all" : level) + words, theme.quiet)]
    }

    private func place(in journal: LogPanelEntries) -> String {
        view.bottom == nil ? "following" : "\(journal.end - (view.bottom ?? 0) - 1) later"
    }

    /// Draws `09:41:07 WARN  #12 name    message` with aligned messages; in a narrow window without the time.
    private func draw(_ entry: LogEntry, on canvas: inout Canvas, row: Int) {
        let end = canvas.columns - 2
        var column = 2
        func write(_ text: String, _ style: Style, width: Int? = nil, cut: SafeText.Cut = .end) {
            column = canvas.write(
                look.text(text), style, column: column, row: row, width: min(width ?? .max, end - column), cut: cut)
        }
        let isWide = canvas.columns >= 60
        if isWide { write(frame.state.wallClock.time(of: entry.at) + " ", theme.quiet) }
        write(entry.level.mark + " ", style(of: entry.level))
        if let id = entry.id {
            let (start, width) = (column, min(40, max(12, canvas.columns / 4)))
            let name = entry.name.map { " \($0)" } ?? ""
            write("#\(id.number)\(name)", theme.key, width: width, cut: .beforeExtension)
            column = (isWide ? start + width : column) + 2
        }
        write(entry.message, entry.level == .debug ? theme.debug : theme.text)
    }

    private func style(of level: LogLevel) -> Style {
        switch level {
        case .error: theme.failure
        case .warning: theme.warning
        case .info: theme.moving
        case .debug: theme.debug
        }
    }
}

extension LogLevel {
    /// Five letters, so that the text after it is aligned.
    var mark: String { self == .warning ? "WARN " : rawValue.uppercased() + (self == .info ? " " : "") }
}

/// The part of the log that is in view: level, filter and scroll position.
struct LogPanelView: Hashable, Sendable {
    var level = LogLevel.info
    /// Only entries whose message or transfer name contains this text are shown, regardless of case; empty: all.
    private(set) var words = ""
    /// The prompt for the filter, while the user types it.
    var typing: Prompt?
    /// Number of the lowest entry in view; `nil`: the view follows the end of the log.
    private(set) var bottom: Int?

    /// The numbers of the entries in view, from the top; at most `height`.
    func visible(_ journal: LogPanelEntries, height: Int) -> [Int] {
        let end = max(journal.first, min(bottom ?? .max, journal.end - 1) + 1)
        var found: [Int] = []
        for number in (journal.first..<end).reversed() where found.count < height && shows(journal[number]) {
            found.append(number)
        }
        found.reverse()
        // Near the beginning of the log the rest of the view is filled with later entries.
        for number in end..<journal.end where !found.isEmpty && found.count < height && shows(journal[number]) {
            found.append(number)
        }
        return found
    }

    func shows(_ entry: LogEntry?) -> Bool {
        guard let entry, entry.level >= level else { return false }
        guard !words.isEmpty else { return true }
        let sought = words.lowercased()
        return entry.name?.lowercased().contains(sought) ?? false || entry.message.lowercased().contains(sought)
    }

    /// - Returns: `false` if the key closes the log.
    mutating func press(_ key: Key, intent: KeyAction?, journal: LogPanelEntries, height: Int) -> Bool {
        if let prompt = typing {
            type(key, prompt)
            return true
        }
        switch key {
        case "e": (level, bottom) = (.error, nil)
        case "w": (level, bottom) = (.warning, nil)
        case "i": (level, bottom) = (.info, nil)
        case "d": (level, bottom) = (.debug, nil)
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
            case .back, .log, .quit: return false
            default: break
            }
        }
        return true
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
        guard let lowest = visible(journal, height: height).last else { return bottom = nil }
        bottom = lowest
        if lines < 0 {
            bottom = visible(journal, height: 1 - lines).first
            // Scrolling up stops when the first entry is at the top.
            bottom = visible(journal, height: height).last
        } else {
            var left = lines
            for number in lowest + 1..<journal.end where left > 0 && shows(journal[number]) {
                (bottom, left) = (number, left - 1)
            }
            if left > 0 { bottom = nil }
        }
    }
}

/// The latest entries of the log. An entry keeps its number, so that a view can stay at its place while old entries
/// are dropped.
struct LogPanelEntries: Sendable {
    private var entries: ArraySlice<LogEntry> = []
    /// The number of the oldest entry.
    private(set) var first = 0

    /// 10,000 entries: about a day of a busy queue, and few enough to be filtered at every key press.
    static let most = 10_000

    /// One more than the number of the newest entry.
    var end: Int { first + entries.count }

    subscript(number: Int) -> LogEntry? {
        number >= first && number < end ? entries[entries.startIndex + number - first] : nil
    }

    /// Takes the log that the queue had before this front end joined, or while it had lost its place. Entries of the front end
    /// itself keep their places in time.
    mutating func join(_ log: [LogEntry]) {
        let known = Set(log)
        let own = entries.filter { !known.contains($0) }
        let all = log + own
        self = LogPanelEntries()
        // Stable: entries of the same instant stay in order.
        append(all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element))
    }

    /// Puts entries to their places in time.
    mutating func merge(_ new: [LogEntry]) {
        guard let last = entries.last, let first = new.map(\.at).min(), first < last.at else {
            return append(new.sorted { $0.at < $1.at })
        }
        join(new)
    }

    mutating func append(_ new: some Sequence<LogEntry>) {
        entries.append(contentsOf: new)
        guard entries.count > Self.most else { return }
        let surplus = entries.count - Self.most
        entries.removeFirst(surplus)
        first += surplus
        // A slice keeps removed entries and their texts until it is copied. At an eighth of `most` the copies cost eight
        // moves an entry, and the buffer stays about a megabyte.
        if entries.startIndex > Self.most / 8 { entries = Array(entries)[...] }
    }
}
