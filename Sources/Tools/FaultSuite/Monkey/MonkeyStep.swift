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
