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

/// A line being typed, with a cursor. Stored as an array of characters, so that the cursor is an index and a key in a
/// long paste costs the same as in a short line.
struct Prompt: Hashable, Sendable {
    private(set) var characters: [Character] = []
    /// 0 to `characters.count`: where the next character goes.
    private(set) var cursor = 0
    /// Why the entered line or a paste was refused; cleared by the next key.
    var fault: String?
    /// Characters are drawn masked, for a passphrase. Line ends in a paste are dropped.
    let isMasked: Bool
    /// All of the text is selected: what is typed next replaces it.
    private(set) var isSelected = false

    var text: String { String(characters) }

    /// - Parameter text: the initial text; the cursor is at its end.
    init(text: String = "", isMasked: Bool = false, isSelected: Bool = false) {
        self.isMasked = isMasked
        insert(text)
        self.isSelected = isSelected && !characters.isEmpty
    }

    enum Outcome: Hashable, Sendable {
        case edited
        case entered
        case closed
        case ignored
    }

    mutating func press(_ key: Key) -> Outcome {
        fault = nil
        if isSelected { release(key) }
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .enter: return .entered
        case .escape: return .closed
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .backspace, .control("h"): remove(from: max(0, cursor - 1), to: cursor)
        case .delete, .control("d"): remove(from: cursor, to: min(characters.count, cursor + 1))
        case .control("u"): remove(from: 0, to: cursor)
        case .control("k"): remove(from: cursor, to: characters.count)
        case .control("w"): remove(from: startOfWord, to: cursor)
        case .control, .tab, .backTab, .up, .down, .pageUp, .pageDown, .function, .mouse: return .ignored
        }
        return .edited
    }

    /// Handles the first key after the whole text was selected: typing, pasting and deleting replace the text, other
    /// keys keep it and end the selection.
    private mutating func release(_ key: Key) {
        switch key {
        case .character, .paste, .backspace, .delete, .control("h"): remove(from: 0, to: characters.count)
        case .enter, .escape: return
        default: break
        }
        isSelected = false
    }

    /// Inserts text at the cursor. Line ends and tabs are kept, since they separate URLs and mirrors; other control
    /// characters are dropped. Text that has no room is refused as a whole: half a list would end in half a URL.
    private mutating func insert(_ text: String) {
        guard text.count <= Self.longest - characters.count else {
            fault = "Not pasted: a line has room for 2 million characters; add a longer list as a file, with its name"
            return
        }
        var new: [Character] = []
        for character in text {
            if character.isNewline {
                guard !isMasked else { continue }
                new.append("\n")
            } else if character == "\t" || !Self.isControl(character) {
                new.append(character)
            }
        }
        characters.insert(contentsOf: new, at: cursor)
        cursor += new.count
    }

    private mutating func remove(from start: Int, to end: Int) {
        characters.removeSubrange(start..<end)
        cursor = start
    }

    /// Start of the word left of the cursor, for deleting it. Words are separated by whitespace and `/`, so a
    /// component of a URL is a word; separators right of the word belong to it.
    private var startOfWord: Int {
        var place = cursor
        while place > 0, Self.parts(characters[place - 1]) { place -= 1 }
        while place > 0, !Self.parts(characters[place - 1]) { place -= 1 }
        return place
    }

    private static func parts(_ character: Character) -> Bool { character.isWhitespace || character == "/" }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// 2,000,000 characters of 16 bytes each: a paste of ten thousand URLs fits; a file pasted by mistake must not exhaust
    /// the memory.
    static let longest = 2_000_000
}
