import FaultServer
import Foundation
import TerminalEmulator

/// The part of a session that its seed determines before the start.
struct MonkeyPlan: Sendable {
    let seed: UInt64
    let size: WindowSize
    let term: String
    let locale: String
    /// Winch runs below a shell with job control, so that it can be stopped; otherwise it is the terminal's only
    /// program.
    let hasShell: Bool
    let outputMode: OutputMode
    let options: [String]
    let environment: [String: String]
    let batchName: String
    let batch: String
    let mayCall: Bool
    let timedSteps: [TimedStep]
    let ending: MonkeyEnding
    /// At the end the screen is compared with a full redraw of it.
    let comparesPicture: Bool
    /// The batch is run once more afterwards.
    let runsAgain: Bool

    struct TimedStep: Sendable {
        let step: MonkeyStep
        /// Milliseconds until the next one.
        let pause: Int
    }

    enum OutputMode: Sendable {
        case dashboard, spoken, plain
    }

    /// JSON output is UTF-8 in every locale.
    var isUTF8: Bool { locale.contains("UTF-8") || options.contains("json") }

    /// Terminal types that Winch supports and that this machine has terminfo entries for.
    static let terminals = [
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
        var random = SplitMix(state: seed)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        size = MonkeyStepGenerator.size(using: &random)
        let kind = Int.random(in: 0..<100, using: &random)
        outputMode = kind < 91 ? .dashboard : kind < 96 ? .spoken : .plain
        term = kind >= 98 ? "dumb" : Self.terminals.randomElement(using: &random) ?? "vt100"
        locale = ["C.UTF-8", "C.UTF-8", "C.UTF-8", "C", "POSIX"].randomElement(using: &random) ?? "C"
        hasShell = chance(60)
        batchName = chance(20) ? "b\u{E4}tch \u{1B}[2J東\u{202E}.urls" : "batch.urls"
        let entries = (0..<Int.random(in: 5...40, using: &random)).map { _ in
            chance(30)
                ? MonkeyUploads.entry(origin: origin, using: &random)
                : MonkeyEntry.line(origin: origin, using: &random)
        }
        batch = entries.joined(separator: "\n") + "\n"

        var options = ["-i", batchName, "-d", "got", "--retry-wait", "0.1", "--timeout", "5", "--connect-timeout", "3"]
        options += ["--max-tries", "\(Int.random(in: 1...4, using: &random))"]
        options += ["-j", "\(Int.random(in: 1...16, using: &random))"]
        switch (outputMode, kind) {
        case (.spoken, _): options.append("--screen-reader")
        case (.plain, 96..<98): options += ["--output", ["plain", "json"].randomElement(using: &random) ?? "plain"]
        case (.dashboard, _), (.plain, _): break
        }
        let theme = ["dark", "light", "high-contrast", "ocean", "ember", "rainbow", "mono"].randomElement(
            using: &random)
        if chance(70), let theme { options += ["--theme", theme] }
        for (percent, flag) in [
            (15, "--ascii"), (15, "--no-animation"), (10, "--no-mouse"), (10, "--exit"), (8, "--hold"),
            (5, "--fail-fast"),
        ] where chance(percent) { options.append(flag) }
        if chance(30) { options += ["--progress", "simple"] }
        if chance(40) { options += ["--fps", "\(Int.random(in: 1...20, using: &random))"] }
        if chance(20) { options += ["--limit-rate", "\(Int.random(in: 20...2000, using: &random))K"] }
        let notice = ["off", "bell", "desktop"].randomElement(using: &random) ?? "off"
        if chance(40) { options += ["--notify", notice] }
        mayCall = options.contains("--notify") && notice != "off"
        self.options = options

        var environment: [String: String] = [:]
        if chance(10) { environment["NO_COLOR"] = "1" }
        if chance(30) { environment["COLORTERM"] = "truecolor" }
        if chance(20) { environment["VTE_VERSION"] = "8001" }
        if chance(20) {
            environment["TERM_PROGRAM"] = ["iTerm.app", "WezTerm", "ghostty"].randomElement(using: &random)
        }
        if chance(10) { environment["TMUX"] = "/tmp/nowhere,1,0" }
        self.environment = environment

        let generator = MonkeyStepGenerator(origin: origin)
        var size = size
        timedSteps = (0..<Int.random(in: 30...120, using: &random)).map { _ in
            let step = generator.step(in: size, using: &random)
            if case .resize(let sizes) = step, let last = sizes.last { size = last }
            return TimedStep(step: step, pause: Int.random(in: 0...60, using: &random))
        }
        ending = MonkeyEnding.drawn(using: &random)
        comparesPicture = chance(25)
        runsAgain = chance(12)
    }

    /// Size, environment and options, to start the session by hand.
    var summary: String {
        let words = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return "\(size) TERM=\(term) LC_ALL=\(locale) \(words.joined(separator: " ")) "
            + "\(hasShell ? "below a shell" : "alone"), ending \(ending): \(options.joined(separator: " "))"
    }
}
