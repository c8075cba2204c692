import WinchScreen

/// Decodes the terminal's bytes to keys. Pure: bytes in, keys out. If only a pause can tell a key from the start of a
/// sequence, `timeout` says how long the caller waits before it calls `settle()`.
///
/// No input can make it grow without bound or trap. Sequences that are not keys are dropped. A paste lasts until its end
/// marker, however slowly it comes: its rest must not run as keys. Should the marker be lost, Ctrl-C ends the paste.
struct KeyDecoder {
    private enum State {
        case ground
        /// After ESC, which is the Escape key or the start of a sequence.
        case escape
        /// ESC [ or ESC O, and the bytes after it.
        case sequence([UInt8])
        /// ESC and one of `]P_^X`: the start of a control string, or Escape and a key that arrived together.
        case opening(UInt8)
        /// A control string of the terminal (OSC, DCS, APC, PM, SOS): dropped up to its end. `sawEscape`: its last
        /// byte was ESC.
        case words(sawEscape: Bool)
        /// An X10 mouse report, which is never requested: the number of bytes left to drop.
        case mouse(Int)
        case character([UInt8], missing: Int)
        /// `isStalled`: the end marker has not come within `timeout`.
        case paste(isStalled: Bool)
    }

    private let sequences: KeySequences
    /// The single-byte encoding of the input; empty: text is UTF-8.
    private let encoding: ByteEncoding
    private var state = State.ground
    private var pasted: [UInt8] = []
    /// Whether the window has the keyboard focus; `nil`: the terminal has not reported it.
    ///
    /// - Source: xterm's control sequences, FocusIn and FocusOut.
    private(set) var hasFocus: Bool?

    /// Bytes of a paste that are kept.
    private let longestPaste: Int
    /// 64 bytes: no terminal has a longer key sequence.
    static let longestSequence = 64
    private static let pasteStart = Array("\u{1B}[200~".utf8)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    private static let focusIn = Array("\u{1B}[I".utf8)
    private static let focusOut = Array("\u{1B}[O".utf8)

    /// - Parameter longestPaste: 9 MiB: more than the 2 Mi characters of a prompt, which refuses a longer paste as a whole.
    init(
        sequences: KeySequences = KeySequences(), encoding: ByteEncoding = .none, longestPaste: Int = 9 << 20
    ) {
        self.sequences = sequences
        self.encoding = encoding
        self.longestPaste = longestPaste
    }

    /// How long to wait for more bytes before `settle()`; `nil`: nothing is incomplete.
    var timeout: Duration? {
        switch state {
        case .ground, .mouse: nil
        // A terminal sends a sequence in one piece; a user needs more than 25 ms between two keys.
        case .escape, .opening, .character: .milliseconds(25)
        case .sequence(let bytes): bytes.count == 2 ? .milliseconds(25) : .seconds(1)
        // If the end of the string is lost, the keyboard must work again after a second.
        case .words, .paste(isStalled: false): .seconds(1)
        case .paste(isStalled: true): nil
        }
    }

    mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, &keys) }
        return keys
    }

    /// Called when `timeout` has passed without a byte: decodes what is incomplete as it is.
    mutating func settle() -> [Key] {
        var keys: [Key] = []
        switch state {
        case .escape: keys = [.escape]
        case .sequence(let bytes) where bytes.count == 2:
            keys = [.escape, .character(Character(Unicode.Scalar(bytes[1])))]
        case .opening(let byte): keys = [.escape, .character(Character(Unicode.Scalar(byte)))]
        case .paste:
            state = .paste(isStalled: true)
            return []
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
        case .paste(let isStalled):
            // In the middle of what is pasted, the same byte belongs to the text.
            if isStalled, byte == 0x03 { keys += endPaste(dropping: 0) } else { inPaste(byte, &keys) }
        }
    }

    /// Drops a byte of a control string, which ends with BEL or ST (ESC \).
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
        default: break  // not the start of a character
        }
    }

    private mutating func afterEscape(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "O"): state = .sequence([0x1B, byte])
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            state = .opening(byte)
        default:
            // Interpreted as Escape and a key that arrived together. Alt with a key sends the same bytes, but is not
            // used here.
            keys.append(.escape)
            begin(byte, &keys)
        }
    }

    private mutating func inSequence(_ bytes: [UInt8], _ byte: UInt8, _ keys: inout [Key]) {
        guard (0x20...0x7E).contains(byte) else {
            // The sequence is broken off: the byte starts something new.
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
            // Too long for a key: its middle is dropped, and the decoder waits for its end.
            state = .sequence(whole.count > Self.longestSequence ? Array(whole.prefix(3)) + [UInt8(ascii: "?")] : whole)
            return
        }
        state = .ground
        if whole == Self.pasteStart {
            state = .paste(isStalled: false)
        } else if whole == Array("\u{1B}[M".utf8) {
            state = .mouse(3)
        } else if whole == Self.focusIn || whole == Self.focusOut {
            hasFocus = whole == Self.focusIn
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
        state = .paste(isStalled: false)
        // Beyond the limit bytes are kept only to recognize the end marker.
        if pasted.count >= longestPaste + Self.pasteEnd.count { pasted.remove(at: longestPaste) }
        pasted.append(byte)
        if byte == UInt8(ascii: "~"), pasted.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            keys += endPaste(dropping: Self.pasteEnd.count)
        }
    }

    /// Ends the paste. CR and CRLF become LF, tabs are kept, other control characters are dropped.
    ///
    /// - Parameter count: the length of the end marker.
    private mutating func endPaste(dropping count: Int) -> [Key] {
        let text = encoding.text(pasted.dropLast(count).prefix(longestPaste))
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
