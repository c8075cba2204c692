/// Replaces characters on a Linux console, whose fonts have the letters and blocks of code page 437 and little else:
/// other characters would be drawn as a question mark or not at all.
enum ConsoleFallback {
    /// The terminal is a Linux console.
    static func isNeeded(term: String) -> Bool { term == "linux" || term.hasPrefix("linux-") }

    /// The replacement, one column wide like the character. The character itself if the fonts have it or if nothing
    /// is similar.
    static func of(_ character: Character) -> Character {
        character.isASCII ? character : replacements[character] ?? character
    }

    private static let replacements: [Character: Character] = {
        var replacements: [Character: Character] = [
            "…": "~", "▸": "►", "◆": "♦", "✓": "√", "✗": "x", "–": "-", "‖": "║", "↻": "↔", "⏎": "¶", "━": "═",
            "╸": "═",
            "╺": "═", "╶": "─", "╌": "░", "╭": "┌", "╮": "┐", "╰": "└", "╯": "┘", "▁": "_", "\u{FFFD}": "?",
        ]
        // Of the partial blocks the fonts have only halves.
        for character in "▏▎▍▋▊▉" { replacements[character] = "▌" }
        for character in "▂▃▅" { replacements[character] = "▄" }
        for character in "▆▇" { replacements[character] = "█" }
        return replacements
    }()
}
