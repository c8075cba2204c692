import WinchBatch
import WinchModel

extension Dashboard {
    mutating func press(_ key: Key, in line: CommandPrompt, board: QueueCopy, now: Moment) -> [ScreenAction] {
        var line = line
        switch line.press(key, history: history, candidates: { text in completions(of: text).map(\.line) }) {
        case .edited, .ignored: mode = .command(line)
        case .closed: mode = .normal
        case .entered:
            mode = .normal
            do throws(InvalidValue) {
                let actions = try run(line.text, board: board, now: now)
                remember(line.text)
                return actions
            } catch {
                line.prompt.fault = error.message
                mode = .command(line)
            }
        }
        return []
    }

    private mutating func remember(_ text: String) {
        let line = String(text.drop { $0 == " " })
        guard !line.isEmpty, history.last != line else { return }
        history = (history + [line]).suffix(Self.longestHistory)
    }

    /// Carries out a line typed after `:`.
    ///
    /// - Throws: the reason why the line is refused.
    private mutating func run(_ line: String, board: QueueCopy, now: Moment) throws(InvalidValue) -> [ScreenAction] {
        let line = line.drop { $0 == " " }
        guard !line.isEmpty else { return [] }
        let name = line.prefix { $0 != " " }
        let value = String(line.dropFirst(name.count).trimmingBlanks())
        // A prefix is enough if only one command begins with it.
        let named = commands.filter { $0.name == name }
        let begun = named.isEmpty ? commands.filter { $0.name.hasPrefix(name) } : named
        guard let command = begun.first, begun.count == 1 else {
            throw begun.isEmpty
                ? unknown(name) : InvalidValue("More than one command begins with \(name); Tab shows what there is")
        }
        switch command.effect {
        case .intent(.filter) where !value.isEmpty:
            filter(by: value, board: board, now: now)
            return []
        case .intent(let intent):
            guard value.isEmpty else { throw InvalidValue("\(command.name) takes nothing after it, not \(value)") }
            return act(intent, board: board, now: now)
        case .change(.columns) where value.isEmpty: return act(.columns, board: board, now: now)
        case .change(let setting): return try change(setting, to: value, board: board, now: now)
        case .add:
            if value.isEmpty { mode = .prompt(Prompt()) }
            return value.isEmpty ? [] : [.add(value)]
        case .url:
            guard !value.isEmpty else { return act(.editURL, board: board, now: now) }
            guard let id = readdressable(board: board, now: now) else { return [] }
            return try setURL(of: id, to: value, now: now)
        case .log:
            guard let level = value.isEmpty ? .info : LogLevel(rawValue: value) else {
                throw InvalidValue("log takes error, warning, info or debug, not \(value)")
            }
            mode = .log(LogPanelView(level: level))
            return []
        }
    }

    /// The refusal of an unknown command, with a suggestion: the nearest command, or for a value typed alone, such as
    /// a theme's name, the command that takes it.
    private func unknown(_ name: Substring) -> InvalidValue {
        let words = "There is no command \(name)"
        if let command = NearestName.of(name, among: commands.map(\.name)) {
            return InvalidValue("\(words); did you mean \(command)?")
        }
        for setting in LiveSetting.allCases {
            let choices = setting.choices(themes: themes).filter {
                $0.first?.isLetter ?? false && NameValueLine.boolean($0) == nil
            }
            if let value = NearestName.of(name, among: choices) {
                return InvalidValue("\(words); did you mean \(setting.word) \(value)?")
            }
        }
        return InvalidValue("\(words); Tab shows what there is")
    }

    /// 100 lines: about as many as a user types in a day.
    private static let longestHistory = 100

    mutating func setURL(of id: TransferID, to text: String, now: Moment) throws(InvalidValue) -> [ScreenAction] {
        do throws(TransferURL.Fault) {
            let url = try TransferURL(typed: text)
            notice = Notice("New URL: \(TransferURL.withoutSecrets(url.redacted))", now: now)
            return [.send(.setURL(id, url))]
        } catch {
            throw InvalidValue(error.message)
        }
    }
}
