/// The line after `:`, with what it may become by Tab and what was typed before.
struct CommandLine: Hashable, Sendable {
    private(set) var prompt: Prompt
    /// What Tab goes through.
    private var cycle: Cycle?
    /// Place in the history, from the end; 0 is the line being typed.
    private var recalled = 0
    /// The line being typed, while another is recalled.
    private var draft = ""

    private struct Cycle: Hashable, Sendable {
        var candidates: [String]
        var index: Int
        /// The line as it was when Tab was first pressed.
        var typed: String
    }

    init(_ text: String = "") {
        prompt = Prompt(text: text)
    }

    var text: String { prompt.text }

    /// Which of the candidates is in the line, while Tab goes through them.
    var chosen: String? { cycle.map { $0.candidates[$0.index] } }

    /// The line without what Tab has put in.
    var typed: String { cycle?.typed ?? text }

    /// - Parameters:
    ///   - history: earlier lines, the latest last.
    ///   - candidates: what a line may become, whole.
    mutating func press(_ key: Key, history: [String], candidates: (String) -> [String]) -> Prompt.Outcome {
        switch key {
        case .tab:
            complete(candidates)
            return .edited
        case .up: return recall(recalled + 1, history)
        case .down: return recall(recalled - 1, history)
        case .backspace where prompt.characters.isEmpty: return .closed
        default:
            cycle = nil
            return prompt.press(key)
        }
    }

    private mutating func complete(_ candidates: (String) -> [String]) {
        if var cycle {
            cycle.index = (cycle.index + 1) % cycle.candidates.count
            prompt = Prompt(text: cycle.candidates[cycle.index])
            self.cycle = cycle
            return
        }
        let found = candidates(text)
        guard let first = found.first else { return }
        let typed = text
        prompt = Prompt(text: first)
        // A single one is taken, and Tab goes on with what may follow it.
        cycle = found.count > 1 ? Cycle(candidates: found, index: 0, typed: typed) : nil
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
