import Foundation
import Glibc

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
        child = try Child(
            words[0], Array(words.dropFirst()) + plan.options, in: scratch.path,
            environment: Self.environment(plan, scratch), streams: .terminal(terminal))
    }

    deinit {
        close(go)
    }

    static func environment(_ plan: MonkeyPlan, _ scratch: Scratch) -> [String: String] {
        plan.environment.merging([
            // At a crash the Swift runtime would otherwise stop and ask what to do.
            "SWIFT_BACKTRACE": "enable=no",
            // An empty folder: no key can start another program.
            "PATH": scratch["bin"], "TERM": plan.term, "LC_ALL": plan.locale, "HOME": scratch["home"],
            "XDG_STATE_HOME": scratch["state"], "XDG_CONFIG_HOME": scratch["config"],
        ]) { $1 }
    }

    /// Process id of the program; `nil` before it has started and after it has gone.
    var pid: pid_t? {
        guard ending == nil else { return nil }
        return hasShell ? pid_t(scratch.text("pid").trimmingCharacters(in: .whitespacesAndNewlines)) : child.pid
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
        guard let pid else { return ProcessTable.inSession(child.pid).contains { $0.state == "T" } }
        return ProcessTable.fields(of: pid)?.state == "T"
    }

    /// The last stop was by SIGTTIN or SIGTTOU: the program used the terminal after its shell had taken that back.
    var wasInBackground: Bool {
        let codes = scratch.text("stops").split(separator: "\n")
        return [149, 150].contains(codes.last.flatMap { Int32($0) })
    }

    /// Stands for a user who types `fg`.
    func continueInForeground() { _ = write(go, "\n", 1) }

    /// Continues a program that was stopped without its shell's knowledge.
    func continueGroup() {
        if let pid, let fields = ProcessTable.fields(of: pid) {
            _ = kill(-fields.group, SIGCONT)
        } else {
            continueShells()
        }
    }

    /// The program has started and ended; below a shell `ending` is known a moment later.
    var isGone: Bool {
        guard let pid else { return ending != nil }
        return ProcessTable.fields(of: pid).map { $0.state == "Z" } ?? true
    }

    func continueShells() {
        for process in ProcessTable.inSession(child.pid) where process.state == "T" { _ = kill(process.pid, SIGCONT) }
    }

    /// Processes of the session besides the shells: the program, its guardian, and their children.
    var others: [ProcessTable.Fields] {
        ProcessTable.inSession(child.pid).filter { $0.state != "Z" && $0.name != "sh" }
    }

    /// Kills the remaining processes of the session.
    func end() {
        for process in ProcessTable.inSession(child.pid) { _ = kill(process.pid, SIGKILL) }
        let deadline = ContinuousClock.now + .seconds(5)
        while child.ending() == nil, ContinuousClock.now < deadline { usleep(2000) }
    }
}

/// Processes as /proc describes them.
enum ProcessTable {
    struct Fields: Sendable {
        let pid: pid_t
        let name: String
        let state: String
        let group: pid_t
        let session: pid_t
    }

    /// - Source: proc(5), `/proc/PID/stat`.
    static func fields(of pid: pid_t) -> Fields? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { return nil }
        let rest = text[text.index(after: close)...].split(separator: " ")
        guard rest.count > 3, let group = pid_t(rest[2]), let session = pid_t(rest[3]) else { return nil }
        let name = String(text[text.index(after: open)..<close])
        return Fields(pid: pid, name: name, state: String(rest[0]), group: group, session: session)
    }

    static func inSession(_ session: pid_t) -> [Fields] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.compactMap(fields).filter { $0.session == session }
    }
}
