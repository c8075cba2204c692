import Glibc
import TerminalEmulator

/// One random action on the terminal or the program.
enum MonkeyStep: Sendable, CustomStringConvertible {
    case press([UInt8], String)
    /// One size after the other, without a pause.
    case resize([WindowSize])
    case signal(Int32)
    /// The output is not read for this long, as on a slow line.
    case pauseReading(milliseconds: Int)

    var description: String {
        switch self {
        case .press(let bytes, let words):
            words + " "
                + ShownBytes.text(bytes.prefix(48)) + (bytes.count > 48 ? "... (\(bytes.count) bytes)" : "")
        case .resize(let sizes): "resize to " + sizes.map(\.description).joined(separator: ", ")
        case .signal(let number): "signal \(MonkeySignal.name(number))"
        case .pauseReading(let milliseconds): "look away for \(milliseconds) ms"
        }
    }
}

enum MonkeySignal {
    private static let names = [
        SIGHUP: "HUP", SIGINT: "INT", SIGQUIT: "QUIT", SIGKILL: "KILL", SIGUSR1: "USR1", SIGTERM: "TERM",
        SIGCONT: "CONT", SIGTSTP: "TSTP", SIGWINCH: "WINCH", SIGILL: "ILL", SIGABRT: "ABRT", SIGSEGV: "SEGV",
        SIGTRAP: "TRAP", SIGBUS: "BUS", SIGFPE: "FPE", SIGPIPE: "PIPE", SIGTTOU: "TTOU", SIGTTIN: "TTIN",
    ]

    static func name(_ number: Int32) -> String { names[number] ?? "\(number)" }
}

/// How a session ends, if the monkey has not ended it by accident.
enum MonkeyEnding: Sendable, CustomStringConvertible {
    /// By the keys that a user would press.
    case keys
    case signal(Int32)
    /// SIGINT, repeated until the program has gone.
    case interrupts
    /// The terminal's window is closed.
    case hangUp

    var description: String {
        switch self {
        case .keys: "q y"
        case .signal(let number): MonkeySignal.name(number)
        case .interrupts: "INT INT"
        case .hangUp: "window closed"
        }
    }

    /// The signal leaves the program no time to end in order.
    var isSudden: Bool {
        if case .signal(let number) = self { Self.sudden.contains(number) } else { false }
    }

    static let sudden: Set = [SIGKILL, SIGQUIT, SIGUSR1, SIGSEGV, SIGABRT, SIGTRAP]

    static func drawn(using random: inout SplitMix) -> MonkeyEnding {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<41: .keys
        case 41..<44: .signal([SIGSEGV, SIGABRT, SIGTRAP].randomElement(using: &random) ?? SIGSEGV)
        case 44..<55: .signal(SIGTERM)
        case 55..<65: .interrupts
        case 65..<71: .signal(SIGHUP)
        case 71..<75: .signal(SIGQUIT)
        case 75..<77: .signal(SIGUSR1)
        case 77..<90: .signal(SIGKILL)
        default: .hangUp
        }
    }
}

/// Draws random steps, most of them keys.
struct MonkeyStepGenerator {
    /// The server's origin, for URLs that are typed or pasted.
    let origin: String
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

    func step(in size: WindowSize, using random: inout SplitMix) -> MonkeyStep {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<44: key(using: &random)
        case 44..<52: prompt(using: &random)
        case 52..<62: mouse(in: size, using: &random)
        case 62..<67: paste(using: &random)
        case 67..<72: junk(using: &random)
        case 72..<75: press(HostileText.answers.randomElement(using: &random) ?? "", "answer")
        case 75..<84: .resize([Self.size(using: &random)])
        case 84..<86:
            .resize((0..<Int.random(in: 3...30, using: &random)).map { _ in Self.size(using: &random) })
        case 86..<95: .signal(signal(using: &random))
        case 95..<98: .pauseReading(milliseconds: Int.random(in: 1...150, using: &random))
        default: press("\u{1A}", "key")
        }
    }

    /// From 1x1 to 500x200, most of them usual sizes.
    static func size(using random: inout SplitMix) -> WindowSize {
        let usual = [(80, 24), (120, 36), (200, 60), (100, 30), (132, 43), (80, 50)]
        let odd = [(1, 1), (500, 200), (500, 1), (1, 200), (2, 2), (40, 10), (39, 7), (300, 3), (3, 60), (20, 5)]
        let (columns, rows) =
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6: usual.randomElement(using: &random) ?? (80, 24)
            case 6..<8: odd.randomElement(using: &random) ?? (1, 1)
            default: (Int.random(in: 1...250, using: &random), Int.random(in: 1...80, using: &random))
            }
        return WindowSize(columns: columns, rows: rows)
    }

    private func press(_ text: String, _ words: String) -> MonkeyStep { .press(Array(text.utf8), words) }

    private func key(using random: inout SplitMix) -> MonkeyStep {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<12: return press(Self.common.randomElement(using: &random).map(String.init) ?? "", "key")
        case 12..<16: return press(Self.escape + (Self.sequences.randomElement(using: &random) ?? ""), "key")
        case 16: return press(Self.escape, "key")
        case 17:
            // A key that is held down.
            let key =
                ["j", "k", "\u{1B}[B", "\u{1B}[6~", "+", ">", "\t", "t", "]"].randomElement(using: &random) ?? "j"
            return press(String(repeating: key, count: Int.random(in: 2...40, using: &random)), "held")
        default: return .press([Self.controls.randomElement(using: &random) ?? 0x0D], "key")
        }
    }

    /// Opens a prompt, types something into it, and enters it in three of four cases.
    private func prompt(using random: inout SplitMix) -> MonkeyStep {
        let opening = ["/", ":", "a", "x", "e", "l/"].randomElement(using: &random) ?? "/"
        var text = opening + (HostileText.phrases.randomElement(using: &random) ?? "")
        if opening == "a", Bool.random(using: &random) { text = "a" + url(using: &random) }
        if Int.random(in: 0..<4, using: &random) > 0 { text += "\r" }
        return press(text, "prompt")
    }

    private func mouse(in size: WindowSize, using random: inout SplitMix) -> MonkeyStep {
        let buttons = [0, 0, 0, 0, 64, 65, 1, 2, 3, 32, 35, 4, 16, 66, 128]
        let button = buttons.randomElement(using: &random) ?? 0
        let isInside = Int.random(in: 0..<5, using: &random) > 0
        let column = Int.random(in: isInside ? 1...size.columns : 0...1200, using: &random)
        let row = Int.random(in: isInside ? 1...size.rows : 0...1200, using: &random)
        let report = "\(Self.escape)[<\(button);\(column);\(row)"
        return press(report + "M" + report + "m", "mouse")
    }

    private func url(using random: inout SplitMix) -> String {
        "\(origin)/f/pasted-\(Int.random(in: 0..<50, using: &random))?size=\(Int.random(in: 0..<9000, using: &random))"
    }

    private func paste(using random: inout SplitMix) -> MonkeyStep {
        let text: String
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            text = (0..<Int.random(in: 1...6, using: &random)).map { _ in url(using: &random) }.joined(separator: "\n")
        case 4..<8:
            text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                HostileText.phrases.randomElement(using: &random) ?? ""
            }.joined(separator: ["\n", "\r\n", " ", ""].randomElement(using: &random) ?? "")
        default:
            let piece = ["x", "\u{1B}[A", "長い", "line\n"].randomElement(using: &random) ?? "x"
            text = String(repeating: piece, count: Int.random(in: 100...20_000, using: &random))
        }
        let isEnded = Int.random(in: 0..<8, using: &random) > 0
        let opens = Bool.random(using: &random) ? "a" : ""
        let enters = isEnded && Bool.random(using: &random) ? "\r" : ""
        return press("\(opens)\u{1B}[200~\(text)" + (isEnded ? "\u{1B}[201~" : "") + enters, "paste")
    }

    private func junk(using random: inout SplitMix) -> MonkeyStep {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            let bytes = (0..<Int.random(in: 1...24, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            // Without Ctrl-C and Ctrl-\, which may end the program: `controls` and `MonkeyEnding` draw them at rates of
            // their own.
            return .press(bytes.filter { ![0x03, 0x1C].contains($0) }, "bytes")
        case 1: return press(Self.escape + (Self.openings.randomElement(using: &random) ?? ""), "opening")
        default:
            let broken: [[UInt8]] = [
                [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x80],
                [0xF4, 0x90, 0x80, 0x80], [0xC2, 0x9B, 0x41],
            ]
            return .press(broken.randomElement(using: &random) ?? [], "broken UTF-8")
        }
    }

    private func signal(using random: inout SplitMix) -> Int32 {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: SIGTSTP
        case 7..<12: SIGCONT
        case 12..<19: SIGWINCH
        default: SIGINT
        }
    }
}
