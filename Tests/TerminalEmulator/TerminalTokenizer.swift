/// Splits a program's output into tokens. Strict: what a lenient terminal would ignore is `.broken`.
struct TerminalTokenizer: Sendable {
    private enum State {
        case ground
        case escape([UInt8])
        case sequence([UInt8])
        case command([UInt8], sawEscape: Bool)
        case character([UInt8], missing: Int)
    }

    private let isUTF8: Bool
    private var state = State.ground

    /// - Parameter isUTF8: whether UTF-8 is allowed; otherwise only ASCII is.
    init(isUTF8: Bool) {
        self.isUTF8 = isUTF8
    }

    /// A sequence or a character has begun and not ended.
    var isOpen: Bool {
        if case .ground = state { false } else { true }
    }

    mutating func take(_ byte: UInt8) -> [TerminalToken] {
        switch state {
        case .ground: return begin(byte)
        case .escape(let bytes): return inEscape(bytes, byte)
        case .sequence(let bytes): return inSequence(bytes, byte)
        case .command(let bytes, let sawEscape): return inCommand(bytes, sawEscape, byte)
        case .character(let bytes, let missing): return inCharacter(bytes, missing, byte)
        }
    }

    private mutating func begin(_ byte: UInt8) -> [TerminalToken] {
        state = .ground
        switch byte {
        case 0x1B: state = .escape([])
        case 0x00...0x1F, 0x7F: return [.control(byte)]
        case 0x20...0x7E: return [.character(Unicode.Scalar(byte))]
        case _ where !isUTF8: return [.broken("byte \(Self.hex(byte)) where only ASCII may come")]
        case 0xC2...0xDF: state = .character([byte], missing: 1)
        case 0xE0...0xEF: state = .character([byte], missing: 2)
        case 0xF0...0xF4: state = .character([byte], missing: 3)
        default: return [.broken("byte \(Self.hex(byte)) begins no character")]
        }
        return []
    }

    private mutating func inEscape(_ bytes: [UInt8], _ byte: UInt8) -> [TerminalToken] {
        switch byte {
        case UInt8(ascii: "[") where bytes.isEmpty: state = .sequence([])
        case UInt8(ascii: "]") where bytes.isEmpty: state = .command([], sawEscape: false)
        case 0x20...0x2F where bytes.count < 2: state = .escape(bytes + [byte])
        case 0x30...0x7E:
            state = .ground
            return [.escape(String(decoding: bytes + [byte], as: UTF8.self))]
        default: return broken("ESC, then \(Self.hex(byte))", byte)
        }
        return []
    }

    private mutating func inSequence(_ bytes: [UInt8], _ byte: UInt8) -> [TerminalToken] {
        guard (0x20...0x7E).contains(byte), bytes.count < 64 else {
            return broken("CSI \(String(decoding: bytes, as: UTF8.self)) broken off by \(Self.hex(byte))", byte)
        }
        let whole = bytes + [byte]
        guard byte >= 0x40 else {
            state = .sequence(whole)
            return []
        }
        state = .ground
        return [
            ControlSequence(whole).map { .sequence($0) }
                ?? .broken("CSI \(String(decoding: whole, as: UTF8.self)) is not well formed")
        ]
    }

    private mutating func inCommand(_ bytes: [UInt8], _ sawEscape: Bool, _ byte: UInt8) -> [TerminalToken] {
        if byte == 0x07 && !sawEscape || sawEscape && byte == UInt8(ascii: "\\") {
            state = .ground
            guard let words = String(validating: bytes, as: UTF8.self), isUTF8 || bytes.allSatisfy({ $0 < 0x80 }) else {
                return [.broken("OSC with bytes that are no text")]
            }
            return [.command(words)]
        }
        guard !sawEscape, byte == 0x1B || byte >= 0x20 && byte != 0x7F, bytes.count < 200_000 else {
            return broken(
                "OSC \(String(decoding: bytes.prefix(40), as: UTF8.self)) broken off by \(Self.hex(byte))", byte)
        }
        state = byte == 0x1B ? .command(bytes, sawEscape: true) : .command(bytes + [byte], sawEscape: false)
        return []
    }

    private mutating func inCharacter(_ bytes: [UInt8], _ missing: Int, _ byte: UInt8) -> [TerminalToken] {
        guard (0x80...0xBF).contains(byte) else { return broken("a character broken off by \(Self.hex(byte))", byte) }
        guard missing == 1 else {
            state = .character(bytes + [byte], missing: missing - 1)
            return []
        }
        state = .ground
        guard let scalar = String(validating: bytes + [byte], as: UTF8.self)?.unicodeScalars.first else {
            return [.broken("bytes \((bytes + [byte]).map(Self.hex).joined(separator: " ")) are no character")]
        }
        return [.character(scalar)]
    }

    /// The byte that interrupts a sequence begins a new token.
    private mutating func broken(_ reason: String, _ byte: UInt8) -> [TerminalToken] {
        [.broken(reason)] + begin(byte)
    }

    private static func hex(_ byte: UInt8) -> String { "0x" + String(byte, radix: 16) }
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
