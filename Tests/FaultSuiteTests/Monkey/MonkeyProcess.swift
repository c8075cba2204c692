import Foundation
import Glibc
import TestSupport

/// The program of a session: by itself in its terminal, or below a shell with job control.
final class MonkeyProcess {
    private let child: Child
    /// FIFO to the shell, in which a line stands for a typed `fg`. Kept open: when both ends are closed, its content is
    /// lost.
    private let go: Int32
    private let scratch: Scratch
    private let hasShell: Bool

    /// The shell's own messages are discarded: its message about the program's end would appear before the alternate
    /// screen is left. The shell's process group stays in the foreground after that end, until the terminal has been
    /// checked.
    private static let job = """
        exec 4>&2 2>/dev/null
        trap : INT QUIT TERM HUP USR1
        /bin/sh -c 'echo $$ >pid; exec "$0" "$@" 2>&4 4>&-' "$@"
        echo $? >code
        until read _ <over; do :; done
        """
    /// Behaves like an interactive shell: a job that stops is brought to the foreground when `go` receives a line.
    private static let shell = """
        exec 3>&2 2>/dev/null
        trap : INT QUIT TERM HUP
        /bin/sh -c "$0" sh "$@" 2>&3 3>&-
        code=$?
        while [ $code -ge 147 ] && [ $code -le 150 ]; do
            echo $code >>stops
            until read _ <go; do :; done
            fg >/dev/null
            code=$?
        done
        """

    /// - Throws: `.cannotStart`, `.cannotPrepare`.
    init(_ winch: String, _ plan: MonkeyPlan, in scratch: Scratch, on terminal: String) throws(SuiteFailure) {
        self.scratch = scratch
        hasShell = plan.hasShell
        for name in ["go", "over"] where mkfifo(scratch[name], 0o600) != 0 { throw .cannotPrepare(name) }
        go = open(scratch["go"], O_RDWR | O_NONBLOCK | O_CLOEXEC)
        let words = plan.hasShell ? ["/bin/sh", "-mc", Self.shell, Self.job, winch] : [winch]
        child = try scratch.run(
            words[0], Array(words.dropFirst()) + plan.options, environment: plan.environment(in: scratch), on: terminal)
    }

    deinit {
        close(go)
    }

    /// Process id of the program; `nil` before it has started and after it has gone.
    private var pid: pid_t? {
        guard ending == nil else { return nil }
        return hasShell ? pid_t(scratch.text("pid").trimmingCharacters(in: .whitespacesAndNewlines)) : child.pid
    }

    private var process: ListedProcess? { pid.flatMap { ListedProcess($0) } }

    /// Of the terminal.
    private var session: [ListedProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap { ListedProcess($0) }.filter { $0.session == child.pid }
    }

    /// Exit code, or minus the signal; `nil` while it runs.
    var ending: Int32? {
        guard hasShell else { return child.ending() }
        let code = scratch.text("code")
        // Without a complete `code` the shells themselves may have ended, because of a key sent before the program
        // started.
        let last = code.hasSuffix("\n") ? Int32(code.dropLast()) : child.ending()
        return last.map { $0 > 128 ? 128 - $0 : $0 }
    }

    func signal(_ number: Int32) {
        if let pid { _ = kill(pid, number) }
    }

    var isStopped: Bool {
        guard ending == nil else { return false }
        // Its shells can be stopped before the program has started.
        guard pid != nil else { return session.contains { $0.state == "T" } }
        return process?.state == "T"
    }

    /// What the shell was told of each stop: 128 and the signal.
    var notedStops: [Substring] { scratch.text("stops").split(separator: "\n") }

    /// The last stop was by SIGTTIN or SIGTTOU: the program used the terminal after its shell had taken that back.
    var wasInBackground: Bool { ["149", "150"].contains(notedStops.last) }

    /// Stands for a user who types `fg`.
    func continueInForeground() { _ = write(go, "\n", 1) }

    /// Continues a program that was stopped without its shell's knowledge.
    func continueGroup() {
        if let process { _ = kill(-process.group, SIGCONT) } else { continueShells() }
    }

    /// The program has started and ended; below a shell `ending` is known a moment later.
    var isGone: Bool { pid == nil ? ending != nil : process.map { $0.state == "Z" } ?? true }

    func continueShells() {
        for process in session where process.state == "T" { _ = kill(process.pid, SIGCONT) }
    }

    /// Processes of the session besides the shells: the program, its guardian, and their children.
    var others: [String] { session.filter { $0.state != "Z" && $0.name != "sh" }.map { "\($0.name) \($0.state)" } }

    /// Kills the remaining processes of the session.
    func end() {
        for process in session { _ = kill(process.pid, SIGKILL) }
        let deadline = ContinuousClock.now + .seconds(5)
        while child.ending() == nil, ContinuousClock.now < deadline { usleep(2000) }
    }
}

/// A process as /proc describes it.
private struct ListedProcess {
    let pid: pid_t
    let name: String
    let state: String
    let group: pid_t
    let session: pid_t

    /// - Source: proc(5), `/proc/PID/stat`.
    init?(_ pid: pid_t) {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { return nil }
        let rest = text[text.index(after: close)...].split(separator: " ")
        guard rest.count > 3, let group = pid_t(rest[2]), let session = pid_t(rest[3]) else { return nil }
        name = String(text[text.index(after: open)..<close])
        state = String(rest[0])
        self.pid = pid
        self.group = group
        self.session = session
    }
}
