import WinchScreen

/// What a terminal says of the mouse: `ESC [ < button ; column ; row`, then `M` for pressed and `m` for let go.
///
/// - Source: xterm's control sequences, "Extended coordinates" (private mode 1006).
enum MouseReport {
    /// Makes a terminal report buttons, and in this form.
    static let on = Array("\u{1B}[?1000h\u{1B}[?1006h".utf8)
    static let off = Array("\u{1B}[?1006l\u{1B}[?1000l".utf8)

    /// Shift, Meta and Control held: they change nothing here.
    private static let modifiers = 4 | 8 | 16

    /// - Parameter report: what follows `ESC [ <`, to its last byte.
    /// - Returns: `nil` for what means nothing here: a button let go, other buttons, moves, places that are none.
    static func mouse(_ report: ArraySlice<UInt8>) -> Mouse? {
        let fields = report.dropLast().split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let numbers = fields.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        guard report.last == UInt8(ascii: "M"), fields.count == 3, numbers.count == 3, numbers[0] >= 0,
            numbers[1] >= 1, numbers[2] >= 1
        else { return nil }
        return switch numbers[0] & ~modifiers {
        case 0: .click(column: numbers[1] - 1, row: numbers[2] - 1)
        case 64: .wheelUp
        case 65: .wheelDown
        default: nil
        }
    }
}
