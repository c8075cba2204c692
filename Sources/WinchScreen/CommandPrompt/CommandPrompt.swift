/// The line typed after `:`, with completion by Tab and recall of earlier lines.
struct CommandPrompt: Hashable, Sendable {
    var prompt: Prompt
    /// The candidates that Tab cycles through; `nil` unless several were found.
    private var cycle: Cycle?
    /// Position in the history, counted from its end; 0 is the line being typed.
    private var recalled = 0
    /// The line being typed, kept while a line of the history is shown.
    private var draft = ""

    private struct Cycle: Hashable, Sendable {
        var candidates: [String]
        var index: Int
        /// The line as it was when Tab was first pressed.
        var typed: String
    }

    init(_ prompt: Prompt = Prompt()) { self.prompt = prompt }

    var text: String { prompt.text }

    /// The candidate that is in the line, while Tab cycles through them; else `nil`.
    var chosen: String? { cycle.map { $0.candidates[$0.index] } }

    /// The line as the user typed it, without the candidate that Tab has put in.
    var typed: String { cycle?.typed ?? text }

    /// The text that the displayed list of candidates belongs to. While Tab cycles through them it is the text as
    /// typed, so that the list stays the same.
    var shownFor: String {
        if prompt.isSelected { return "" }
        return chosen == nil ? text : typed
    }

    /// - Parameters:
    ///   - history: earlier lines, the latest last.
    ///   - candidates: the whole lines that a text can be completed to.
    mutating func press(_ key: Key, history: [String], candidates: (String) -> [String]) -> Prompt.Outcome {
        switch key {
        case .tab: return complete(by: 1, candidates)
        case .backTab: return complete(by: -1, candidates)
        case .up: return recall(recalled + 1, history)
        case .down: return recall(recalled - 1, history)
        case .backspace where prompt.characters.isEmpty: return .closed
        default:
            cycle = nil
            return prompt.press(key)
        }
    }

    /// - Parameter step: 1 for the next candidate, -1 for the previous one; wraps around at both ends.
    private mutating func complete(by step: Int, _ candidates: (String) -> [String]) -> Prompt.Outcome {
        if var cycle {
            let count = cycle.candidates.count
            cycle.index = (cycle.index + step + count) % count
            prompt = Prompt(text: cycle.candidates[cycle.index])
            self.cycle = cycle
            return .edited
        }
        let found = candidates(prompt.isSelected ? "" : text)
        let index = step > 0 ? 0 : found.count - 1
        guard found.indices.contains(index) else { return .ignored }
        let typed = text
        prompt = Prompt(text: found[index])
        // A single candidate is accepted, so that the next Tab completes what may follow it.
        cycle = found.count > 1 ? Cycle(candidates: found, index: index, typed: typed) : nil
        return .edited
    }

    private mutating func recall(_ place: Int, _ history: [String]) -> Prompt.Outcome {
        guard place >= 0, place <= history.count else { return .ignored }
        if recalled == 0 { draft = text }
        recalled = place
        cycle = nil
        prompt = Prompt(text: place == 0 ? draft : history[history.count - place])
        return .edited
    }
}

/// A command that can be typed after `:`. Commands are derived from the key map and the live settings, so that keys,
/// help and command line cannot differ.
struct TypedCommand: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        case intent(KeyAction)
        case change(LiveSetting)
        case add
        case url
        case log
    }

    let name: String
    /// Placeholder of the argument; empty: the command takes none.
    let argument: String
    let words: String
    let effect: Effect
}

extension Dashboard {
    /// All commands, sorted by name.
    var commands: [TypedCommand] {
        var commands = LiveSetting.allCases.map {
            TypedCommand(name: $0.word, argument: "VALUE", words: $0.words, effect: .change($0))
        }
        commands += [
            TypedCommand(name: "add", argument: "URL or @FILE", words: "add URLs or a batch file", effect: .add),
            TypedCommand(name: "url", argument: "URL", words: "change the selected one's URL", effect: .url),
            TypedCommand(name: "log", argument: "LEVEL", words: "log of events, from a level up", effect: .log),
        ]
        var names = Set(commands.map(\.name))
        for binding in keyMap.bindings where names.insert(binding.intent.name).inserted {
            commands.append(
                TypedCommand(
                    name: binding.intent.name, argument: binding.intent == .filter ? "TEXT" : "", words: binding.words,
                    effect: .intent(binding.intent)))
        }
        return commands.sorted { $0.name < $1.name }
    }

    /// The lines that a line can be completed to, with a description each: command names while the first word is
    /// typed, then the command's values.
    func completions(of line: String) -> [(line: String, words: String)] {
        let line = line.drop { $0 == " " }
        guard let blank = line.firstIndex(of: " ") else {
            return commands.filter { $0.name.hasPrefix(line) }.map { command in
                (command.name + (command.argument.isEmpty ? "" : " "), command.words)
            }
        }
        let (name, typed) = (line[..<blank], line[line.index(after: blank)...].drop { $0 == " " })
        guard let command = commands.first(where: { $0.name == name }) else { return [] }
        return values(of: command).filter { $0.hasPrefix(typed) }.map { ("\(name) \($0)", "") }
    }

    private func values(of command: TypedCommand) -> [String] {
        switch command.effect {
        case .change(let setting): setting.choices(themes: themes)
        case .log: ["error", "warning", "info", "debug"]
        case .intent(.filter): ["state:active", "state:failed", "state:waiting", "state:paused", "state:done", "host:"]
        case .intent, .add, .url: []
        }
    }
}
