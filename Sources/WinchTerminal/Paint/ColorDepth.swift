package import WinchScreen

/// How many colours the terminal shows.
package enum ColorDepth: Hashable, Sendable, Comparable {
    case mono, eight, sixteen, indexed256, direct

    /// The class of colours that the screen may draw with.
    package var range: ColorRange {
        switch self {
        case .mono: .mono
        case .eight, .sixteen: .palette
        case .indexed256: .many
        case .direct: .full
        }
    }

    /// - Parameter entry: the terminal's terminfo entry.
    init(entry: TerminfoEntry, traits: TerminalEnvironment) {
        let count = entry.number("colors") ?? 0
        if traits.refusesColor || count < 8 {
            self = .mono
        } else if Self.isDirect(entry: entry, traits: traits, count: count) {
            self = .direct
        } else if count >= 256 {
            self = .indexed256
        } else {
            self = count >= 16 ? .sixteen : .eight
        }
    }

    private static func isDirect(entry: TerminfoEntry, traits: TerminalEnvironment, count: Int) -> Bool {
        // Direct colours are set by SGR; a terminal that sets colours in another way would print the sequence.
        guard entry.string("setaf")?.starts(with: [0x1B, UInt8(ascii: "[")]) == true else { return false }
        if count >= 1 << 24 || entry.isDirect { return true }
        // GNU screen inherits COLORTERM from the outer terminal, but does not understand direct colours itself.
        guard !traits.term.hasPrefix("screen") || traits.isInTmux else { return false }
        return traits.colorTerm == "truecolor" || traits.colorTerm == "24bit"
    }
}
