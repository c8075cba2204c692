/// Splits a program's output into tokens. Strict: what a lenient terminal would ignore is `.broken`.
struct TerminalTokenizer: Sendable {
    private static let (escape, bell, backslash, cancel): (UInt8, UInt8, UInt8, UInt8) = (0x1B, 0x07, 0x5C, 0x18)
    private static let (sequence, command): (UInt8, UInt8) = (UInt8(ascii: "["), UInt8(ascii: "]"))

    private let isUTF8: Bool
    /// The bytes of a sequence or a character that has not ended.
    private var open: [UInt8] = []

    /// - Parameter isUTF8: whether UTF-8 is allowed; otherwise only ASCII is.
    init(isUTF8: Bool) {
        self.isUTF8 = isUTF8
    }

    /// A sequence or a character has begun and not ended.
    var isOpen: Bool { !open.isEmpty }

    mutating func take(_ byte: UInt8) -> [TerminalToken] {
        guard mayContinue(byte) else {
            // The byte that interrupts a sequence begins a new token.
            let reason = "\(ShownBytes.text(open.prefix(40))) broken off by 0x\(String(byte, radix: 16))"
            // CAN ends a sequence that is cut: by a kill, or because the terminal took nothing for too long.
            let isCancelled = byte == Self.cancel && open.first == Self.escape
            open = []
            return (isCancelled ? [] : [.broken(reason)]) + take(byte)
        }
        open.append(byte)
        guard let token = wholeToken(endingIn: byte) else { return [] }
        open.removeAll(keepingCapacity: true)
        return [token]
    }

    /// What follows ESC; 0 where nothing does yet.
    private var kind: UInt8 { open.count > 1 ? open[1] : 0 }

    private func mayContinue(_ byte: UInt8) -> Bool {
        guard let first = open.first else { return true }
        guard first == Self.escape else { return (0x80...0xBF).contains(byte) }
        switch kind {
        case Self.sequence: return (0x20...0x7E).contains(byte) && open.count < 66
        case Self.command where open.last == Self.escape: return byte == Self.backslash
        case Self.command:
            return [Self.bell, Self.escape].contains(byte) || byte >= 0x20 && byte != 0x7F && open.count < 200_000
        default: return (0x30...0x7E).contains(byte) || (0x20...0x2F).contains(byte) && open.count < 3
        }
    }

    /// The token that the open bytes are; `nil` when more must follow.
    private func wholeToken(endingIn last: UInt8) -> TerminalToken? {
        guard let first = open.first else { return nil }
        if first != Self.escape { return character(first) }
        switch kind {
        case 0: return nil
        case Self.sequence:
            guard open.count > 2, last >= 0x40 else { return nil }
            guard let sequence = ControlSequence(Array(open.dropFirst(2))) else {
                return .broken("\(ShownBytes.text(open)) is not well formed")
            }
            return .sequence(sequence)
        case Self.command:
            let end = open.suffix(2) == [Self.escape, Self.backslash] ? 2 : 1
            guard end == 2 || last == Self.bell else { return nil }
            let words = open.dropFirst(2).dropLast(end)
            guard let text = String(validating: words, as: UTF8.self), isUTF8 || words.allSatisfy({ $0 < 0x80 })
            else { return .broken("OSC with bytes that are no text") }
            return .command(text)
        default: return last < 0x30 ? nil : .escape(String(decoding: open.dropFirst(), as: UTF8.self))
        }
    }

    private func character(_ first: UInt8) -> TerminalToken? {
        guard first >= 0x80 else {
            return (0x20...0x7E).contains(first) ? .character(Unicode.Scalar(first)) : .control(first)
        }
        guard isUTF8, (0xC2...0xF4).contains(first) else {
            return .broken("a character begins with \(ShownBytes.text(open))")
        }
        guard open.count == (first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4) else { return nil }
        guard let scalar = String(validating: open, as: UTF8.self)?.unicodeScalars.first else {
            return .broken("bytes \(ShownBytes.text(open)) are no character")
        }
        return .character(scalar)
    }
}

/// One unit of a program's output to a terminal.
enum TerminalToken: Equatable, Sendable {
    case character(Unicode.Scalar)
    /// A C0 control that stands by itself.
    case control(UInt8)
    /// ESC and what follows it: `(B`, `M`, `=`.
    case escape(String)
    case sequence(ControlSequence)
    /// OSC: the text between `ESC ]` and its end, which is BEL or `ESC \`.
    case command(String)
    /// Output that a terminal should never get, with the reason.
    case broken(String)
}

/// `ESC [`, a mark such as `?`, numbers, intermediate bytes and a final byte.
///
/// - Source: ECMA-48, section 5.4.
struct ControlSequence: Equatable, Sendable, CustomStringConvertible {
    /// Mark, intermediate bytes and final byte: `?h`, `H`, `!p`.
    var name: String
    /// `nil` where none is given.
    var numbers: [Int?]

    /// - Parameter body: what follows `ESC [`. `nil` for one that is not well formed.
    init?(_ body: [UInt8]) {
        guard let final = body.last else { return nil }
        var rest = body.dropLast()
        var mark: [UInt8] = []
        if let first = rest.first, (0x3C...0x3F).contains(first) { mark = [rest.removeFirst()] }
        let parameters = rest.prefix { (0x30...0x3B).contains($0) }
        let intermediates = rest.dropFirst(parameters.count)
        guard intermediates.allSatisfy({ (0x20...0x2F).contains($0) }) else { return nil }
        // Some terminfo entries separate the numbers of a colour by colons; ITU T.416 has an empty field in an RGB
        // colour (type 2).
        let fields = parameters.split(omittingEmptySubsequences: false) { [0x3A, 0x3B].contains($0) }
        numbers = parameters.isEmpty ? [] : fields.map { Int(String(decoding: $0, as: UTF8.self)) }
        guard zip(numbers, fields).allSatisfy({ $0 != nil || $1.isEmpty }) else { return nil }
        name = String(decoding: mark + intermediates + [final], as: UTF8.self)
    }

    /// A number, or `fallback` where it is missing or 0.
    func number(_ index: Int, else fallback: Int = 1) -> Int {
        guard index < numbers.count, let number = numbers[index], number > 0 else { return fallback }
        return number
    }

    var description: String { "CSI \(numbers.map { $0.map(String.init) ?? "" }.joined(separator: ";")) \(name)" }
}
