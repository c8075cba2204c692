import Glibc
import TerminalEmulator
import TestSupport
import WinchModel

/// One random action on the terminal or the program.
enum MonkeyStep: Sendable, CustomStringConvertible {
    case press([UInt8])
    /// One size after the other, without a pause.
    case resize([WindowSize])
    case signal(Int32)
    /// The output is not read for this long, as on a slow line.
    case pauseReading(milliseconds: Int)

    var description: String {
        switch self {
        case .press(let bytes):
            "press \(ShownBytes.text(bytes.prefix(48)))" + (bytes.count > 48 ? "... (\(bytes.count) bytes)" : "")
        case .resize(let sizes): "resize to \(sizes)"
        case .signal(let number): "signal \(number)"
        case .pauseReading(let milliseconds): "look away for \(milliseconds) ms"
        }
    }
}

/// Draws random steps, most of them keys.
struct MonkeyHand {
    /// The server's origin, for URLs that are typed or pasted.
    private let origin: String
    private var random: SplitMix64
    /// Of the window after the last step.
    private(set) var size: WindowSize
    private static let escape = "\u{1B}"
    /// Character keys of the key map. `W` is left out: it writes the settings file, and all that follows would have
    /// other settings.
    private static let common = Array("prKJoyedx[]{}UbaPRmlSt:D/?h+=-zZkjgG *uu><IF12345,%cqyn")
    private static let sequences = [
        "[A", "[B", "[C", "[D", "OA", "OB", "[H", "[F", "OH", "OF", "[1~", "[4~", "[3~", "[5~", "[6~", "[Z", "OP",
        "[11~", "OQ", "[15~", "[20~", "[24~", "[1;5A", "[1;2P", "[[A", "OM",
    ]
    private static let controls: [UInt8] = [
        0x0D, 0x09, 0x0C, 0x7F, 0x01, 0x05, 0x15, 0x17, 0x0B, 0x04, 0x08, 0x00, 0x1F, 0x1A, 0x03,
    ]
    /// Beginnings of sequences that are never ended: the program takes the next bytes as a part of them, until its time
    /// limit.
    private static let openings = ["[", "O", "]0;never", "P", "_", "[200", "[<0;1", "[12;", "[200~open ", "]"]
    private static let brokenUTF8: [[UInt8]] = [
        [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x80],
        [0xF4, 0x90, 0x80, 0x80], [0xC2, 0x9B, 0x41],
    ]

    init(origin: String, random: SplitMix64) {
        self.origin = origin
        self.random = random
        size = WindowSize(columns: 80, rows: 24)
        drawSize()
    }

    mutating func step() -> MonkeyStep {
        switch random.int(0...99) {
        case 0..<44: return .press(key())
        case 44..<52: return Self.press(prompt())
        case 52..<62: return Self.press(mouse())
        case 62..<67: return Self.press(paste())
        case 67..<72: return .press(junk())
        case 72..<75: return Self.press(random.pick(HostileText.answers))
        case 75..<84: return .resize([drawSize()])
        case 84..<86: return .resize((0..<random.int(3...30)).map { _ in drawSize() })
        case 86..<95:
            let draw = random.int(0...19)
            return .signal(draw < 7 ? SIGTSTP : draw < 12 ? SIGCONT : draw < 19 ? SIGWINCH : SIGINT)
        case 95..<98: return .pauseReading(milliseconds: random.int(1...150))
        default: return Self.press("\u{1A}")
        }
    }

    /// From 1x1 to 500x200, most of them usual sizes.
    @discardableResult
    private mutating func drawSize() -> WindowSize {
        let usual = [(80, 24), (120, 36), (200, 60), (100, 30), (132, 43), (80, 50)]
        let odd = [(1, 1), (500, 200), (500, 1), (1, 200), (2, 2), (40, 10), (39, 7), (300, 3), (3, 60), (20, 5)]
        let (columns, rows) =
            switch random.int(0...9) {
            case 0..<6: random.pick(usual)
            case 6..<8: random.pick(odd)
            default: (random.int(1...250), random.int(1...80))
            }
        size = WindowSize(columns: columns, rows: rows)
        return size
    }

    private static func press(_ text: String) -> MonkeyStep { .press(Array(text.utf8)) }

    private mutating func key() -> [UInt8] {
        switch random.int(0...19) {
        case 0..<12: return Array(String(random.pick(Self.common)).utf8)
        case 12..<16: return Array((Self.escape + random.pick(Self.sequences)).utf8)
        case 16: return Array(Self.escape.utf8)
        case 17:
            // A key that is held down.
            let key = random.pick(["j", "k", "\u{1B}[B", "\u{1B}[6~", "+", ">", "\t", "t", "]"])
            return Array(String(repeating: key, count: random.int(2...40)).utf8)
        default: return [random.pick(Self.controls)]
        }
    }

    /// Opens a prompt, types something into it, and enters it in three of four cases.
    private mutating func prompt() -> String {
        let opening = random.pick(["/", ":", "a", "x", "e", "l/"])
        let typed = opening == "a" && random.chance(50) ? url() : random.pick(HostileText.phrases)
        return opening + typed + (random.chance(75) ? "\r" : "")
    }

    private mutating func mouse() -> String {
        let button = random.pick([0, 0, 0, 0, 64, 65, 1, 2, 3, 32, 35, 4, 16, 66, 128])
        let isInside = random.chance(80)
        let column = isInside ? random.int(1...size.columns) : random.int(0...1200)
        let row = isInside ? random.int(1...size.rows) : random.int(0...1200)
        let report = "\(Self.escape)[<\(button);\(column);\(row)"
        return report + "M" + report + "m"
    }

    private mutating func url() -> String { "\(origin)/f/pasted-\(random.int(0...49))?size=\(random.int(0...8999))" }

    private mutating func paste() -> String {
        let text: String
        switch random.int(0...9) {
        case 0..<4: text = (0..<random.int(1...6)).map { _ in url() }.joined(separator: "\n")
        case 4..<8:
            let phrases = (0..<random.int(1...8)).map { _ in random.pick(HostileText.phrases) }
            text = phrases.joined(separator: random.pick(["\n", "\r\n", " ", ""]))
        default:
            let piece = random.pick(["x", "\u{1B}[A", "長い", "line\n"])
            text = String(repeating: piece, count: random.int(100...20_000))
        }
        let isEnded = random.chance(87)
        let opening = random.chance(50) ? "a" : ""
        let enter = isEnded && random.chance(50) ? "\r" : ""
        return "\(opening)\u{1B}[200~\(text)" + (isEnded ? "\u{1B}[201~" : "") + enter
    }

    private mutating func junk() -> [UInt8] {
        switch random.int(0...2) {
        case 0:
            // Without Ctrl-C and Ctrl-\, which may end the program: `controls` and `MonkeyEnding` draw them at rates of
            // their own.
            let bytes = (0..<random.int(1...24)).map { _ in UInt8(random.int(0...255)) }
            return bytes.filter { $0 != 0x03 && $0 != 0x1C }
        case 1: return Array((Self.escape + random.pick(Self.openings)).utf8)
        default: return random.pick(Self.brokenUTF8)
        }
    }
}
