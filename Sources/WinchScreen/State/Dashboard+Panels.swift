import WinchCore

/// What is to be done as soon as the details of a transfer have come.
struct Awaited: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case openFolder, copyURL, editURL
    }

    let id: TransferID
    let purpose: Purpose
}

extension Dashboard {
    /// Details, log, settings and command line.
    mutating func actOnPanels(_ intent: Intent, board: Board, now: Moment) -> [ScreenAction] {
        switch intent {
        case .details:
            guard let id = selection.id, board[id] != nil else { return nothingSelected(now: now) }
            isDetailsOpen.toggle()
            detailsTop = 0
        case .scrollDetailsDown: scrollDetails(by: 1, board: board, now: now)
        case .scrollDetailsUp: scrollDetails(by: -1, board: board, now: now)
        case .openFolder: return ask(for: .openFolder, board: board, now: now)
        case .copyURL: return ask(for: .copyURL, board: board, now: now)
        case .editURL: return ask(for: .editURL, board: board, now: now)
        case .log: mode = .log(LogView())
        case .settings: mode = .settings(SettingsView())
        case .nextTheme: wearNextTheme(now: now)
        case .command: mode = .command(CommandLine())
        default: break
        }
        return []
    }

    private mutating func nothingSelected(now: Moment) -> [ScreenAction] {
        notice = Notice("There is no transfer yet: a adds one", now: now)
        return []
    }

    private mutating func scrollDetails(by lines: Int, board: Board, now: Moment) {
        guard isDetailsOpen, let panel = detailsPanel(board: board, now: now) else { return }
        detailsTop = min(max(0, detailsTop + lines * max(1, panel.height / 2)), panel.lastTop)
    }

    /// At once when the details are here, else when they come.
    private mutating func ask(for purpose: Awaited.Purpose, board: Board, now: Moment) -> [ScreenAction] {
        guard let id = selection.id, board[id] != nil else { return nothingSelected(now: now) }
        awaited = Awaited(id: id, purpose: purpose)
        return arrived(board: board, now: now)
    }

    /// Does what was waiting for the details that are here now.
    mutating func arrived(board: Board, now: Moment) -> [ScreenAction] {
        guard let awaited, let details = board.details, details.id == awaited.id else { return [] }
        self.awaited = nil
        switch awaited.purpose {
        case .openFolder:
            notice = Notice("Opening \(details.place)", now: now)
            return [.openFolder(details.place)]
        case .copyURL:
            notice = Notice("Copied \(details.url)", now: now)
            return [.copy(details.url)]
        case .editURL:
            // Somebody who types meanwhile is not interrupted.
            if mode == .normal { mode = .editing(details.id, Prompt(text: details.url)) }
            return []
        }
    }

    /// Tells the engine whose details are wanted, when that changes.
    mutating func watch(board: Board) -> [ScreenAction] {
        let wanted = awaited?.id ?? (isDetailsOpen && layout.form != .line ? selection.id : nil)
        guard wanted != watched else { return [] }
        watched = wanted
        return [.send(.watch(wanted))]
    }

    /// The details fit beside the table.
    var areDetailsBeside: Bool { isDetailsOpen && columns >= DetailsPanel.leastBeside && layout.form != .line }

    /// Columns that the table has.
    var tableColumns: Int { areDetailsBeside ? columns - DetailsPanel.widthBeside(columns) : columns }
}

// MARK: - Keys in panels

extension Dashboard {
    /// Lines of a panel that covers the table.
    var panelHeight: Int { max(1, layout.footer - layout.panelTop - 2) }

    mutating func press(_ key: Key, in view: LogView) {
        var view = view
        switch view.press(key, intent: keyMap[key], journal: journal, height: panelHeight) {
        case .stays: mode = .log(view)
        case .closes: mode = .normal
        }
    }

    mutating func press(_ key: Key, in view: SettingsView, board: Board, now: Moment) -> [ScreenAction] {
        var view = view
        let settings = settingsShown(board: board)
        let (count, height) = (settings.count, panelHeight)
        var actions: [ScreenAction] = []
        let marked = settings.indices.contains(view.index) ? settings[view.index] : nil
        switch (key, keyMap[key]) {
        case (.left, _), (.right, _), (" ", _), ("+", _), ("-", _), ("=", _):
            guard let marked else { break }
            guard let live = LiveSetting(marked.name) else {
                notice = Notice("\(marked.name) holds for the whole run", now: now)
                break
            }
            let isNext = key != .left && key != "-"
            actions = change(live, to: neighbour(of: live, isNext: isNext, board: board), board: board, now: now)
        case (.enter, _):
            guard let live = marked.flatMap({ LiveSetting($0.name) }) else { break }
            mode = .command(CommandLine(live.word + " "))
            return []
        case (_, .up): view.move(to: view.index - 1, count: count, height: height)
        case (_, .down): view.move(to: view.index + 1, count: count, height: height)
        case (_, .pageUp): view.move(to: view.index - height, count: count, height: height)
        case (_, .pageDown): view.move(to: view.index + height, count: count, height: height)
        case (_, .first): view.move(to: 0, count: count, height: height)
        case (_, .last): view.move(to: count - 1, count: count, height: height)
        case (_, .back), (_, .settings), (_, .quit):
            mode = .normal
            return []
        default: break
        }
        mode = .settings(view)
        return actions
    }

    mutating func press(_ key: Key, editing id: TransferID, _ prompt: Prompt, now: Moment) -> [ScreenAction] {
        var prompt = prompt
        switch prompt.press(key) {
        case .edited, .ignored: mode = .editing(id, prompt)
        case .closed: mode = .normal
        case .entered:
            mode = .normal
            return setURL(of: id, to: prompt.text, now: now)
        }
        return []
    }

    private mutating func setURL(of id: TransferID, to text: String, now: Moment) -> [ScreenAction] {
        do throws(TransferURL.Fault) {
            let url = try TransferURL(text)
            notice = Notice("From now on \(url.redacted)", now: now)
            return [.send(.setURL(id, url))]
        } catch {
            notice = Notice(error.message, now: now)
            return []
        }
    }

    mutating func press(_ key: Key, in line: CommandLine, board: Board, now: Moment) -> [ScreenAction] {
        var line = line
        switch line.press(key, history: history, candidates: { text in completions(of: text).map(\.line) }) {
        case .edited, .ignored: mode = .command(line)
        case .closed: mode = .normal
        case .entered:
            mode = .normal
            return run(line.text, board: board, now: now)
        }
        return []
    }

    /// Carries out a line typed after `:`.
    mutating func run(_ line: String, board: Board, now: Moment) -> [ScreenAction] {
        let line = line.drop { $0 == " " }
        guard !line.isEmpty else { return [] }
        if history.last != String(line) { history = (history + [String(line)]).suffix(Self.longestHistory) }
        let name = line.prefix { $0 != " " }
        let value = line.dropFirst(name.count).trimmingBlanks
        // What is unmistakable may be short.
        let named = commands.filter { $0.name == name }
        let begun = named.isEmpty ? commands.filter { $0.name.hasPrefix(name) } : named
        guard let command = begun.first, begun.count == 1 else {
            let words = begun.isEmpty ? "There is no command" : "More than one command begins with"
            let question = begun.isEmpty ? NearestName.question(for: name, among: commands.map(\.name)) : ""
            notice = Notice("\(words) \(name)\(question.isEmpty ? "; Tab shows what there is" : question)", now: now)
            return []
        }
        switch command.effect {
        case .intent(.filter) where !value.isEmpty:
            filter(by: value, board: board, now: now)
            return []
        case .intent(let intent): return act(intent, board: board, now: now)
        case .sort:
            guard let column = RowSort.Column.allCases.first(where: { "\($0)" == value }) else {
                let names = RowSort.Column.allCases.map { "\($0)" }.joined(separator: ", ")
                notice = Notice("sort takes \(names), not \(value.isEmpty ? "nothing" : value)", now: now)
                return []
            }
            sort(list.sort.column == column ? list.sort : RowSort(column: column), board: board, now: now)
            return []
        case .change(let setting): return change(setting, to: value, board: board, now: now)
        case .add:
            if value.isEmpty { mode = .prompt(Prompt()) }
            return value.isEmpty ? [] : [.add(value)]
        case .url:
            guard let id = selection.id else { return nothingSelected(now: now) }
            return value.isEmpty
                ? act(.editURL, board: board, now: now) : setURL(of: id, to: value, now: now)
        case .log:
            mode = .log(LogView(level: LogLevel(rawValue: value) ?? .info))
            return []
        }
    }

    /// More than anybody looks back.
    private static let longestHistory = 100
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var rest = drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
