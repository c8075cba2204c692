/// What stands for a sign on a Linux console, whose fonts have the letters and blocks of code page 437 and little else:
/// what they lack is drawn as a question mark or not at all.
enum ConsoleTwin {
    /// The terminal is a Linux console.
    static func isNeeded(term: String) -> Bool { term == "linux" || term.hasPrefix("linux-") }

    /// One column wide as the sign itself is; the sign itself where fonts have it or no other is like it.
    static func of(_ character: Character) -> Character {
        character.isASCII ? character : twins[character] ?? character
    }

    private static let twins: [Character: Character] = {
        var twins: [Character: Character] = [
            "…": "~", "▸": "►", "◆": "♦", "✓": "√", "✗": "x", "–": "-", "‖": "║", "↻": "↔", "⏎": "¶", "━": "═",
            "╸": "═",
            "╺": "═", "╶": "─", "╌": "░", "╭": "┌", "╮": "┐", "╰": "└", "╯": "┘", "▁": "_", "\u{FFFD}": "?",
        ]
        // Halves of a cell are all there is.
        for character in "▏▎▍▋▊▉" { twins[character] = "▌" }
        for character in "▂▃▅" { twins[character] = "▄" }
        for character in "▆▇" { twins[character] = "█" }
        return twins
    }()
}
