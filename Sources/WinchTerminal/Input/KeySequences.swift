import WinchScreen

/// Maps complete control sequences to keys: the sequences that nearly all terminals send, and those in this
/// terminal's terminfo entry.
struct KeySequences: Sendable {
    private let own: [[UInt8]: Key]

    init(own: [[UInt8]: Key] = [:]) {
        self.own = own
    }

    init(entry: TerminfoEntry) {
        var own: [[UInt8]: Key] = [:]
        for (name, key) in Self.capabilities {
            // A shorter string is a character, not a sequence.
            let sequence = entry.sequence(name)
            if sequence.count >= 3, sequence.first == 0x1B { own[sequence] = key }
        }
        self.init(own: own)
    }

    /// - Parameter sequence: the whole sequence, from ESC to its last byte.
    /// - Returns: `nil` if the sequence is not a known key. Shift, Alt and Control in the sequence are ignored.
    func key(for sequence: ArraySlice<UInt8>) -> Key? {
        if let key = own[Array(sequence)] { return key }
        let body = sequence.dropFirst(2)
        guard let last = body.last else { return nil }
        if sequence.dropFirst().first == UInt8(ascii: "O") { return Self.letter(last) }
        // The Linux console: ESC [ [ A is F1.
        if body.count == 2, body.first == UInt8(ascii: "["), (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(last) {
            return .function(Int(last - UInt8(ascii: "A")) + 1)
        }
        if body.first == UInt8(ascii: "<") { return MouseReport.mouse(body.dropFirst()).map(Key.mouse) }
        let parameters = body.dropLast()
        // Reports of the terminal (`?`, `>`) are not keys.
        guard parameters.allSatisfy({ (0x30...0x3B).contains($0) }) else { return nil }
        let first = parameters.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ":") }
        let number = Int(String(decoding: first, as: UTF8.self))
        if last == UInt8(ascii: "~") { return number.flatMap(Self.numbered) }
        // A key that ends with a letter has 1 as its first number. Others are reports: ESC [ 12 ; 40 R is the
        // cursor's position.
        return number ?? 1 == 1 ? Self.letter(last) : nil
    }

    private static func letter(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "Z"): .backTab
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte - UInt8(ascii: "P")) + 1)
        default: nil
        }
    }

    /// The keys of the VT220 and its successors: `ESC [ number ~`.
    private static func numbered(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    private static let capabilities: [(String, Key)] =
        [
            ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
            ("kpp", .pageUp), ("knp", .pageDown), ("kdch1", .delete), ("kbs", .backspace), ("kent", .enter),
            ("kcbt", .backTab),
        ] + (1...12).map { ("kf\($0)", .function($0)) }
}

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
