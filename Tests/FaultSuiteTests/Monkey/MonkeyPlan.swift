import Foundation
import TerminalEmulator
import TestSupport
import WinchModel

/// The part of a session that its seed determines before the start.
struct MonkeyPlan: Sendable {
    let seed: UInt64
    let size: WindowSize
    let term: String
    let locale: String
    /// Winch runs below a shell with job control, so that it can be stopped; otherwise it is the terminal's only
    /// program.
    let hasShell: Bool
    /// The dashboard; lines with copies for a screen reader; or plain lines.
    let allowedOutput: TerminalScreen.AllowedOutput
    let options: [String]
    let variables: [String: String]
    let batchName: String
    let batch: String
    let mayCall: Bool
    /// Each with the milliseconds until the next one.
    let steps: [(step: MonkeyStep, pause: Int)]
    let ending: MonkeyEnding
    /// At the end the screen is compared with a full redraw of it.
    let comparesPicture: Bool
    /// The batch is run once more afterwards.
    let runsAgain: Bool

    /// Without keys.
    var isPlain: Bool { allowedOutput == .lines(copies: false) }

    /// JSON output is UTF-8 in every locale.
    var isUTF8: Bool { locale.contains("UTF-8") || options.contains("json") }

    /// Terminal types that Winch supports and that this machine has terminfo entries for.
    private static let terminals = [
        "xterm-256color", "xterm-256color", "xterm", "tmux-256color", "screen", "screen-256color", "linux", "vt100",
        "vt220", "xterm-kitty", "foot", "alacritty", "rxvt-unicode-256color", "xterm-direct", "konsole-256color",
    ].filter { name in
        ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"].contains {
            FileManager.default.fileExists(atPath: "\($0)/\(name.prefix(1))/\(name)")
        }
    }

    /// - Parameter origin: of the server; the only part that differs between two runs of the same seed.
    init(seed: UInt64, origin: String) {
        self.seed = seed
        var random = SplitMix64(seed: seed)
        var hand = MonkeyHand(origin: origin, random: SplitMix64(seed: random.next()))
        size = hand.size
        let kind = random.int(0...99)
        allowedOutput = kind < 91 ? .screen : .lines(copies: kind < 96)
        let terminals = Self.terminals.isEmpty ? ["vt100"] : Self.terminals
        term = kind >= 98 ? "dumb" : random.pick(terminals)
        locale = random.pick(["C.UTF-8", "C.UTF-8", "C.UTF-8", "C", "POSIX"])
        hasShell = random.chance(60)
        batchName = random.chance(20) ? "b\u{E4}tch \u{1B}[2J東\u{202E}.urls" : "batch.urls"
        let entries = (0..<random.int(5...40)).map { _ in
            random.chance(30)
                ? MonkeyUploads.entry(origin: origin, using: &random)
                : MonkeyEntry.line(origin: origin, using: &random)
        }
        batch = entries.joined(separator: "\n") + "\n"

        var options = ["-i", batchName, "-d", "got", "--retry-wait", "0.1", "--timeout", "5", "--connect-timeout", "3"]
        options += ["--max-tries", "\(random.int(1...4))", "-j", "\(random.int(1...16))"]
        if (91..<96).contains(kind) { options.append("--screen-reader") }
        if (96..<98).contains(kind) { options += ["--output", random.pick(["plain", "json"])] }
        let chances: [(percent: Int, words: [String])] = [
            (15, ["--ascii"]), (15, ["--no-animation"]), (10, ["--no-mouse"]), (10, ["--exit"]), (8, ["--hold"]),
            (5, ["--fail-fast"]), (30, ["--progress", "simple"]), (40, ["--fps", "\(random.int(1...20))"]),
            (20, ["--limit-rate", "\(random.int(20...2000))K"]),
            (70, ["--theme", random.pick(["dark", "light", "high-contrast", "ocean", "ember", "rainbow", "mono"])]),
            (40, ["--notify", random.pick(["off", "bell", "desktop"])]),
        ]
        for (percent, words) in chances where random.chance(percent) { options += words }
        mayCall = options.contains("bell") || options.contains("desktop")
        self.options = options

        var variables: [String: String] = [:]
        let settings: [(percent: Int, name: String, value: String)] = [
            (10, "NO_COLOR", "1"), (30, "COLORTERM", "truecolor"), (20, "VTE_VERSION", "8001"),
            (20, "TERM_PROGRAM", random.pick(["iTerm.app", "WezTerm", "ghostty"])), (10, "TMUX", "/tmp/nowhere,1,0"),
        ]
        for (percent, name, value) in settings where random.chance(percent) { variables[name] = value }
        self.variables = variables

        steps = (0..<random.int(30...120)).map { _ in (step: hand.step(), pause: random.int(0...60)) }
        ending = MonkeyEnding.drawn(using: &random)
        comparesPicture = random.chance(25)
        runsAgain = random.chance(12)
    }

    /// Beside that of a scratch folder.
    func environment(in scratch: Scratch) -> [String: String] {
        // At a crash the Swift runtime would otherwise stop and ask what to do. The empty folder `bin`: no key can
        // start another program.
        variables.merging([
            "SWIFT_BACKTRACE": "enable=no", "PATH": scratch["bin"], "TERM": term, "LC_ALL": locale,
        ]) { $1 }
    }

    /// Size, environment and options, to start the session by hand.
    var summary: String {
        let words = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return "\(size) TERM=\(term) LC_ALL=\(locale) \(words.joined(separator: " ")) "
            + "\(hasShell ? "below a shell" : "alone"), ending \(ending): \(options.joined(separator: " "))"
    }
}

/// How a session ends, if the monkey has not ended it by accident.
enum MonkeyEnding: Hashable, Sendable {
    /// By the keys that a user would press.
    case keys
    case signal(Int32)
    /// SIGINT, repeated until the program has gone.
    case interrupts
    /// The terminal's window is closed.
    case hangUp

    /// The signal leaves the program no time to end in order.
    var isSudden: Bool {
        if case .signal(let number) = self { Self.sudden.contains(number) } else { false }
    }

    static let sudden: Set = [SIGKILL, SIGQUIT, SIGUSR1, SIGSEGV, SIGABRT, SIGTRAP]

    static func drawn(using random: inout SplitMix64) -> MonkeyEnding {
        switch random.int(0...99) {
        case 0..<41: .keys
        case 41..<44: .signal(random.pick([SIGSEGV, SIGABRT, SIGTRAP]))
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
