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
