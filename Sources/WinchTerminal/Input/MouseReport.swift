import WinchScreen

/// A terminal's report of a mouse event: `ESC [ < button ; column ; row`, then `M` for a press and `m` for a release.
///
/// - Source: xterm's control sequences, "Extended coordinates" (private mode 1006).
enum MouseReport {
    /// Turns on reports of mouse buttons in this format.
    static let on = Array("\u{1B}[?1000h\u{1B}[?1006h".utf8)
    static let off = Array("\u{1B}[?1006l\u{1B}[?1000l".utf8)

    /// The bits for Shift, Meta and Control, which are ignored.
    private static let modifiers = 4 | 8 | 16

    /// - Parameter report: the bytes after `ESC [ <`, up to and with the last one.
    /// - Returns: `nil` for a report that is ignored: a release, another button, a motion, or an invalid position.
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
