import WinchCore
import WinchScreen

/// Turns the terminal's bytes into keys. Pure: bytes in, keys out; what only time can tell is asked for by `patience`.
///
/// Nothing that comes in can make it wait for ever, grow without bound or trap; sequences that are no keys are dropped.
struct KeyDecoder {
    private enum State {
        case ground
        /// ESC has come: a key, or the beginning of a sequence.
        case escape
        /// ESC [ or ESC O, and what followed.
        case sequence([UInt8])
        /// ESC and one of `]P_^X`: the beginning of an answer, or Escape and a key that came in one piece.
        case opening(UInt8)
        /// An answer of the terminal in words (OSC, DCS, APC, PM): dropped up to its end. True after ESC in it.
        case words(sawEscape: Bool)
        /// X10 mouse report, never asked for: bytes left to drop.
        case mouse(Int)
        case character([UInt8], missing: Int)
        case paste
    }

    private let sequences: KeySequences
    /// Of one byte; empty: text is UTF-8.
    private let encoding: ByteEncoding
    private var state = State.ground
    private var pasted: [UInt8] = []
    private var answers: [TerminalAnswer] = []

    /// 1 MiB: a batch of ten thousand lines; more in one paste is an accident or an attack.
    static let longestPaste = 1 << 20
    /// No terminal has a longer one.
    static let longestSequence = 64
    private static let pasteStart = Array("\u{1B}[200~".utf8)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    init(sequences: KeySequences = KeySequences(), encoding: ByteEncoding = .none) {
        self.sequences = sequences
        self.encoding = encoding
    }

    /// How long to wait for more bytes before `settle()`; `nil`: nothing is open.
    var patience: Duration? {
        switch state {
        case .ground, .mouse: nil
        // A person is slower than 25 ms, a terminal's sequence comes in one piece.
        case .escape, .opening, .character: .milliseconds(25)
        case .sequence(let bytes): bytes.count == 2 ? .milliseconds(25) : .seconds(1)
        // An end mark that got lost must not take the keyboard away.
        case .words, .paste: .seconds(1)
        }
    }

    mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    /// What the terminal told since the last call.
    mutating func takeAnswers() -> [TerminalAnswer] {
        defer { answers = [] }
        return answers
    }

    /// Time has passed without a byte: what is open is all there will be.
    mutating func settle() -> [Key] {
        var keys: [Key] = []
        switch state {
        case .escape: keys = [.escape]
        case .sequence(let bytes) where bytes.count == 2:
            keys = [.escape, .character(Character(Unicode.Scalar(bytes[1])))]
        case .opening(let byte): keys = [.escape, .character(Character(Unicode.Scalar(byte)))]
        case .paste: keys = endPaste(dropping: 0)
        case .ground, .sequence, .words, .mouse, .character: break
        }
        state = .ground
        return keys
    }

    private mutating func take(_ byte: UInt8, _ keys: inout [Key]) {
        switch state {
        case .ground: begin(byte, &keys)
        case .escape: afterEscape(byte, &keys)
        case .sequence(let bytes): inSequence(bytes, byte, &keys)
        case .opening: takeWord(byte, sawEscape: false)
        case .words(let sawEscape): takeWord(byte, sawEscape: sawEscape)
        case .mouse(let left): state = left > 1 ? .mouse(left - 1) : .ground
        case .character(let bytes, let missing): inCharacter(bytes, missing, byte, &keys)
        case .paste: inPaste(byte, &keys)
        }
    }

    /// Ends with BEL or ST (ESC \).
    private mutating func takeWord(_ byte: UInt8, sawEscape: Bool) {
        let isEnd = byte == 0x07 || (sawEscape && byte == UInt8(ascii: "\\"))
        state = isEnd ? .ground : .words(sawEscape: byte == 0x1B)
    }

    private mutating func begin(_ byte: UInt8, _ keys: inout [Key]) {
        state = .ground
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: keys.append(.enter)
        case 0x09: keys.append(.tab)
        case 0x08, 0x7F: keys.append(.backspace)
        case 0x00: keys.append(.control("@"))
        case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x1C...0x1F: keys.append(.control(Character(Unicode.Scalar(byte + 0x40))))
        case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
        case 0x80... where !encoding.isEmpty: encoding[byte].map { keys.append(.character(Character($0))) }
        case 0xC2...0xDF: state = .character([byte], missing: 1)
        case 0xE0...0xEF: state = .character([byte], missing: 2)
        case 0xF0...0xF4: state = .character([byte], missing: 3)
        default: break  // no beginning of anything
        }
    }

    private mutating func afterEscape(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "O"): state = .sequence([0x1B, byte])
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            state = .opening(byte)
        default:
            // Not held with Alt, which means nothing here: Escape and the next key came in one piece.
            keys.append(.escape)
            begin(byte, &keys)
        }
    }

    private mutating func inSequence(_ bytes: [UInt8], _ byte: UInt8, _ keys: inout [Key]) {
        guard (0x20...0x7E).contains(byte) else {
            // Broken off: the byte begins something of its own.
            return begin(byte, &keys)
        }
        let whole = bytes + [byte]
        let isWhole: Bool
        if bytes[1] == UInt8(ascii: "O") {
            isWhole = byte >= 0x40
        } else {
            // The Linux console's function keys: ESC [ [ A.
            isWhole = byte >= 0x40 && !(bytes.count == 2 && byte == UInt8(ascii: "["))
        }
        guard isWhole else {
            // Too long to be a key: its end is still waited for, its middle forgotten.
            state = .sequence(whole.count > Self.longestSequence ? Array(whole.prefix(3)) + [UInt8(ascii: "?")] : whole)
            return
        }
        state = .ground
        if whole == Self.pasteStart {
            state = .paste
        } else if whole == Array("\u{1B}[M".utf8) {
            state = .mouse(3)
        } else if let answer = TerminalAnswer(whole) {
            answers.append(answer)
        } else if let key = sequences.key(for: whole[...]) {
            keys.append(key)
        }
    }

    private mutating func inCharacter(_ bytes: [UInt8], _ missing: Int, _ byte: UInt8, _ keys: inout [Key]) {
        guard (0x80...0xBF).contains(byte) else { return begin(byte, &keys) }
        let whole = bytes + [byte]
        guard missing == 1 else {
            state = .character(whole, missing: missing - 1)
            return
        }
        state = .ground
        guard let text = String(validating: whole, as: UTF8.self), let character = text.first,
            character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return }
        keys.append(.character(character))
    }

    private mutating func inPaste(_ byte: UInt8, _ keys: inout [Key]) {
        // Beyond the limit only the end mark is of interest.
        if pasted.count >= Self.longestPaste + Self.pasteEnd.count { pasted.remove(at: Self.longestPaste) }
        pasted.append(byte)
        if byte == UInt8(ascii: "~"), pasted.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            keys += endPaste(dropping: Self.pasteEnd.count)
        }
    }

    /// Lines end with LF; other control characters are no text.
    private mutating func endPaste(dropping count: Int) -> [Key] {
        let text = encoding.text(pasted.dropLast(count).prefix(Self.longestPaste))
        pasted = []
        state = .ground
        var scalars = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "\r" || (scalar == "\n" && previous != "\r") {
                scalars.append("\n")
            } else if scalar == "\t" || scalar.properties.generalCategory != .control {
                scalars.append(scalar)
            }
            previous = scalar
        }
        return [.paste(String(scalars))]
    }
}
