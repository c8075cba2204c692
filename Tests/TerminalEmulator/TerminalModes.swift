/// Modes of a terminal that a program can change and must restore.
package struct TerminalModes: Equatable, Sendable {
    /// Private modes that differ from a fresh terminal's.
    private var changed: Set<Int> = []
    var inserts = false
    var hasKeypad = false
    /// The line-drawing characters are chosen: by `ESC ( 0`, or by SO.
    var draws = false
    var isShifted = false
    /// Cursor shape of the Linux console.
    var cursorShape = 0
    /// Titles kept with `CSI 22 t` and not brought back.
    var keptTitles = 0

    /// On in a fresh terminal: autowrap, the cursor.
    private static let initiallyOn: Set = [7, 25]
    private static let names = [
        1: "cursor keys for programs", 7: "no autowrap", 25: "hidden cursor", 1000: "mouse", 1004: "focus",
        1006: "mouse coordinates", 1049: "alternate screen", 2004: "bracketed paste", 2026: "synchronized output",
    ]
    private static let olderNames = [47: 1049, 1047: 1049]
    /// The cursor's blinking is not checked.
    private static let passedOver: Set = [12]

    /// False for a mode that Winch has no use for.
    mutating func set(_ mode: Int, _ isOn: Bool) -> Bool {
        if Self.passedOver.contains(mode) { return true }
        let mode = Self.olderNames[mode] ?? mode
        guard Self.names[mode] != nil else { return false }
        if isOn == Self.initiallyOn.contains(mode) { changed.remove(mode) } else { changed.insert(mode) }
        return true
    }

    func isOn(_ mode: Int) -> Bool { changed.contains(mode) != Self.initiallyOn.contains(mode) }

    var isAlternate: Bool { changed.contains(1049) }
    var wraps: Bool { !changed.contains(7) }
    /// The dashboard is shown: it sets this mode (bracketed paste) first and resets it before it leaves the screen.
    package var isTaken: Bool { changed.contains(2004) }
    var usesLineDrawing: Bool { draws != isShifted }

    /// Modes that a program has not restored.
    package var leftovers: [String] {
        var found = changed.sorted().map { Self.names[$0] ?? "\($0)" }
        if inserts { found.append("insert mode") }
        if hasKeypad { found.append("keypad for programs") }
        if draws || isShifted { found.append("line-drawing characters") }
        if cursorShape != 0 { found.append("cursor shape \(cursorShape)") }
        if keptTitles != 0 { found.append("\(keptTitles) titles kept") }
        return found
    }
}

/// The attributes of the text that is written next.
package struct TerminalPen: Hashable, Sendable {
    /// -1: the terminal's own; up to 255 a number of the palette, above it red, green and blue.
    var foreground = -1
    var background = -1
    var attributes: Set<Int> = []

    /// Bold, dim, italic, underlined and reverse, by the number that ends them.
    private static let endings = [22: [1, 2], 23: [3], 24: [4], 27: [7]]

    /// - Returns: false for a number that Winch does not use.
    mutating func apply(_ sequence: ControlSequence) -> Bool {
        var numbers = sequence.numbers.map { $0 ?? 0 }[...]
        if numbers.isEmpty { numbers = [0] }
        while let number = numbers.popFirst() {
            switch number {
            case 0: self = TerminalPen()
            // Number 10 selects the first font; the Linux console's terminfo entry contains it.
            case 10: break
            case 1...4, 7: attributes.insert(number)
            case 22, 23, 24, 27: attributes.subtract(Self.endings[number] ?? [])
            case 30...37: foreground = number - 30
            case 40...47: background = number - 40
            case 90...97: foreground = number - 82
            case 100...107: background = number - 92
            case 39: foreground = -1
            case 49: background = -1
            case 38, 48:
                guard let color = Self.color(&numbers) else { return false }
                if number == 38 { foreground = color } else { background = color }
            default: return false
            }
        }
        return true
    }

    private static func color(_ numbers: inout ArraySlice<Int>) -> Int? {
        switch numbers.popFirst() {
        case 5:
            guard let number = numbers.popFirst(), (0...255).contains(number) else { return nil }
            return number
        case 2:
            let parts = numbers.prefix(3)
            numbers = numbers.dropFirst(3)
            guard parts.count == 3, parts.allSatisfy({ (0...255).contains($0) }) else { return nil }
            return parts.reduce(1) { $0 << 8 | $1 }
        default: return nil
        }
    }
}
