/// A command that can be typed after `:`. Commands are derived from the key map and the live settings, so that keys,
/// help and command line cannot differ.
struct TypedCommand: Hashable, Sendable {
    enum Effect: Hashable, Sendable {
        /// Carries out the intent of a key.
        case intent(KeyAction)
        case change(LiveSetting)
        /// Adds URLs or a batch file.
        case add
        /// Changes the URL of the selected transfer.
        case url
        /// Opens the log at a level.
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
