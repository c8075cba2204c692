/// The OSC commands that Winch writes: titles, taskbar, notifications, clipboard, palette. Their texts are Winch's own.
enum TerminalCommand {
    static func isKnown(_ words: String, mayCall: Bool) -> Bool {
        let parts = words.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
        let rest = words.drop { $0 != ";" }.dropFirst()
        switch parts.first {
        case "0": return isOwn(rest)
        // Resets the palette; ncurses writes it when it returns to the screen.
        case "104": return parts.count == 1
        case "9" where rest.hasPrefix("4;"):
            let numbers = rest.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
            guard numbers.count == 3, let state = numbers[1], let percent = numbers[2] else { return false }
            return (0...4).contains(state) && (0...100).contains(percent)
        case "9": return mayCall && isOwn(rest)
        case "777": return mayCall && rest.hasPrefix("notify;winch;") && isOwn(rest.dropFirst("notify;winch;".count))
        case "52": return parts.count == 3 && parts[1] == "c" && parts[2].allSatisfy(isBase64)
        default: return false
        }
    }

    /// The text contains nothing that comes from outside, such as file names.
    private static func isOwn(_ words: Substring) -> Bool {
        words.hasPrefix("winch")
            && words.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ":%/, ".contains($0)) }
    }

    private static func isBase64(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+/=".contains(character))
    }
}

/// Characters that may reach a terminal.
enum PermittedCharacters {
    /// False for control characters, and for format characters, which hide or reorder text; the joiners are allowed.
    static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }
}
