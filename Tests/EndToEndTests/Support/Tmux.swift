import Foundation

/// A real terminal with the program in it: keys in, a screen of characters out.
final class Tmux {
    private let socket = "winch-\(UUID().uuidString.prefix(8))"
    let folder: Scratch

    /// Opens a shell, and the program in it when told, so that what a person sees afterwards can be looked at as well.
    ///
    /// - Parameter term: what the terminal calls itself to the program.
    init(_ folder: Scratch, columns: Int = 120, rows: Int = 36, environment: [String: String] = [:]) throws {
        self.folder = folder
        let environment = ["LANG": "C.UTF-8", "HOME": folder.url.path, "PS1": "$ ", "PATH": "/usr/bin:/bin:/usr/sbin"]
            .merging(environment) { _, new in new }
        try tmux(
            [
                "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", folder.url.path,
                "env", "-i",
            ]
                + environment.map { "\($0)=\($1)" } + ["TERM=screen-256color", "sh"])
        try tmux(["set", "-g", "status", "off"])
    }

    deinit { _ = try? tmux(["kill-server"]) }

    @discardableResult
    func tmux(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/tmux")
        process.arguments = ["-L", socket] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Types a command line for the shell.
    func run(_ line: String) throws {
        try tmux(["send-keys", "-l", line])
        try tmux(["send-keys", "Enter"])
    }

    func winch(_ arguments: String) throws { try run("\(Program.winch) \(arguments)") }

    /// tmux's names: `p`, `Enter`, `Escape`, `C-c`, `Down`.
    func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

    func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The lines on the screen.
    func screen() throws -> [String] {
        try tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    func line(with text: String) throws -> String? { try screen().first { $0.contains(text) } }

    /// Waits until the screen satisfies, and gives it.
    @discardableResult
    func wait(
        for what: String, seconds: Double = 20, _ isRight: ([String]) throws -> Bool
    ) async throws -> [String] {
        let deadline = Date.now.addingTimeInterval(seconds)
        var last: [String] = []
        while Date.now < deadline {
            last = try screen()
            if try isRight(last) { return last }
            try await Task.sleep(for: .milliseconds(30))
        }
        throw Missing(what: "\(what) on the screen:\n\(last.joined(separator: "\n"))")
    }

    @discardableResult
    func wait(for text: String, seconds: Double = 20) async throws -> [String] {
        try await wait(for: text, seconds: seconds) { $0.contains { $0.contains(text) } }
    }

    /// Waits until no line holds the text.
    func wait(without text: String, seconds: Double = 20) async throws {
        try await wait(for: "no '\(text)'", seconds: seconds) { !$0.contains { $0.contains(text) } }
    }

    /// The terminal's settings as the shell finds them, after the program has gone.
    func settings() async throws -> String {
        try run("clear; stty -a > .tty; echo settings-$((40+2))")
        try await wait(for: "settings-42")
        return try folder.text(".tty")
    }
}
