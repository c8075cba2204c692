import Foundation
import TestSupport

/// A real terminal with a shell in it: keys in, a screen of characters out.
final class Tmux {
    private let socket = "winch-\(UUID().uuidString.prefix(8))"
    let folder: TestFolder

    /// Opens a shell. `winch` starts the program in it, so that the screen after the program's end can be checked as well.
    ///
    /// - Parameter environment: added to the test program's usual variables.
    init(_ folder: TestFolder, columns: Int = 120, rows: Int = 36, environment: [String: String] = [:]) async throws {
        self.folder = folder
        let environment = Program.environment(in: folder).merging(["PS1": "$ "]) { _, new in new }
            .merging(environment) { _, new in new }
        try await tmux(
            [
                "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", folder.url.path,
                "env", "-i",
            ]
                + environment.map { "\($0)=\($1)" } + ["TERM=screen-256color", "sh"])
        try await tmux(["set", "-g", "status", "off"])
        // What is typed before the shell's prompt is echoed before it, and the first line of output stands behind it. A window
        // of a few cells shows no prompt.
        if columns >= 20 { try await wait(for: "the prompt") { $0.first?.hasPrefix("$") == true } }
    }

    deinit {
        _ = try? Child(Self.program, ["-L", socket, "kill-server"])
    }

    private static let program = "/usr/bin/tmux"

    @discardableResult
    func tmux(_ arguments: [String]) async throws -> String {
        try await InstalledTool.run(Self.program, ["-L", socket] + arguments)
    }

    /// Types a command line for the shell.
    func run(_ line: String) async throws {
        try await tmux(["send-keys", "-l", line])
        try await tmux(["send-keys", "Enter"])
    }

    func winch(_ arguments: String) async throws { try await run("\(Program.winch) \(arguments)") }

    /// tmux's names: `p`, `Enter`, `Escape`, `C-c`, `Down`.
    func press(_ keys: String...) async throws { try await tmux(["send-keys"] + keys) }

    func type(_ text: String) async throws { try await tmux(["send-keys", "-l", text]) }

    /// A press of the left button, as a terminal reports it, on the first cell of `text`; where that is on the screen
    /// several times, the last.
    func click(_ text: String) async throws {
        // A line that is about to move must not be clicked where it was.
        var last: (row: Int, column: Int)?
        for _ in 0..<50 {
            let place = Self.place(of: text, on: try await screen())
            if let place, let last, place == last {
                return try await type("\u{1B}[<0;\(place.column);\(place.row)M\u{1B}[<0;\(place.column);\(place.row)m")
            }
            last = place
            try await Task.sleep(for: .milliseconds(60))
        }
        throw Missing(what: "'\(text)' on the screen")
    }

    /// The last place of the text, counted from 1.
    private static func place(of text: String, on screen: [String]) -> (row: Int, column: Int)? {
        for (row, line) in screen.enumerated().reversed() {
            guard let range = line.range(of: text, options: .backwards) else { continue }
            return (row + 1, line.distance(from: line.startIndex, to: range.lowerBound) + 1)
        }
        return nil
    }

    /// The lines on the screen.
    func screen() async throws -> [String] {
        try await tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    func line(with text: String) async throws -> String? { try await screen().first { $0.contains(text) } }

    /// Waits until the screen satisfies the condition, and returns it.
    @discardableResult
    func wait(
        for what: String, seconds: Double = 60, _ isRight: ([String]) async throws -> Bool
    ) async throws -> [String] {
        let deadline = Date.now.addingTimeInterval(seconds)
        var last: [String] = []
        // Each look starts a process of tmux's: rarer looks leave the cores to the program that is waited for.
        var pause = Duration.milliseconds(20)
        while Date.now < deadline {
            last = try await screen()
            if try await isRight(last) { return last }
            try await Task.sleep(for: pause)
            pause = min(pause * 3 / 2, .milliseconds(120))
        }
        throw Missing(what: "\(what) on the screen:\n\(last.joined(separator: "\n"))")
    }

    @discardableResult
    func wait(for text: String, seconds: Double = 60) async throws -> [String] {
        try await wait(for: text, seconds: seconds) { $0.contains { $0.contains(text) } }
    }

    /// Waits until no line holds the text.
    func wait(without text: String, seconds: Double = 60) async throws {
        try await wait(for: "no '\(text)'", seconds: seconds) { !$0.contains { $0.contains(text) } }
    }

    /// The terminal's settings as the shell finds them, after the program has gone.
    func settings() async throws -> String {
        // Under a name of its own: the screen may show again what an earlier question left there.
        let name = ".tty-\(UUID().uuidString)"
        try await run("clear; stty -a > .tty; mv .tty \(name)")
        try await eventually("the terminal's settings") { folder.exists(name) }
        return try folder.text(name)
    }
}
