import Foundation
package import Glibc
import Synchronization

/// A process in a process group of its own, so that its children end with it. Foundation's `Process` counts a process
/// as running while any descendant runs, and tmux and nginx leave such descendants.
package final class Child: Sendable {
    package let pid: pid_t
    private let status = Mutex<Int32?>(nil)

    /// Where its standard streams lead.
    package enum Streams: Sendable {
        /// Files that are appended to; `nil`: nowhere.
        case files(input: String? = nil, output: String? = nil, errors: String? = nil)
        /// Both outputs into one file.
        case together(String)
        /// All three to this terminal, which becomes the controlling terminal of a session that the process leads.
        case terminal(String)
    }

    /// POSIX_SPAWN_SETSID, which Glibc's module leaves out.
    private static let newSession: Int32 = 0x80

    /// Folders below which nothing can be created. Unset variables would not do: the home is then taken from the user
    /// database.
    private static let nowhere = [
        "HOME": "/dev/null", "XDG_STATE_HOME": "/dev/null/state", "XDG_CONFIG_HOME": "/dev/null/config",
    ]

    /// - Parameters:
    ///   - folder: its working folder; `nil`: that of the tests.
    ///   - environment: all its variables; `nil`: those of the tests. Variables for home, state and settings that are
    ///     not given here name folders that do not exist: no test reads or writes those of the user who runs it.
    /// - Throws: `.cannotStart`.
    package init(
        _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil,
        streams: Streams = .files()
    ) throws(SuiteFailure) {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals may be blocked or ignored in the tests' process (`nohup`, a script's `&`); the child starts with the
        // defaults.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = if case .terminal = streams { Self.newSession } else { Int32(POSIX_SPAWN_SETPGROUP) }
        posix_spawnattr_setflags(
            &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | group))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Descriptors that the tests have open are not passed on: they would count against the program's limit.
        for descriptor in 3..<Int32(1024) where fcntl(descriptor, F_GETFD) == 0 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        Self.join(streams, &actions)
        // `env` changes the folder and executes the program in the same process.
        let launch = folder.map { ["/usr/bin/env", "-C", $0] } ?? []
        let words = (launch + [program] + arguments).map { strdup($0) }
        let given = environment ?? ProcessInfo.processInfo.environment.filter { Self.nowhere[$0.key] == nil }
        let variables = Self.nowhere.merging(given) { _, given in given }.map { strdup("\($0)=\($1)") }
        defer { (words + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let path = launch.first ?? program
        let code = posix_spawn(&pid, path, &actions, &attributes, words + [nil], variables + [nil])
        guard code == 0 else { throw .cannotStart(program, String(cString: strerror(code))) }
        self.pid = pid
    }

    private static func join(_ streams: Streams, _ actions: inout posix_spawn_file_actions_t) {
        let appending = O_WRONLY | O_CREAT | O_APPEND
        switch streams {
        case .files(let input, let output, let errors):
            posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output ?? "/dev/null", appending, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, errors ?? "/dev/null", appending, 0o600)
        case .together(let output):
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output, appending, 0o600)
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        case .terminal(let path):
            // The first terminal that the leader of a session opens is the session's.
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
    }

    package func signal(_ number: Int32) { _ = kill(pid, number) }

    /// How it ended: its exit code, or minus the signal; `nil` while it runs.
    package func ending() -> Int32? {
        status.withLock { status in
            if let status { return status }
            var raw: Int32 = 0
            guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
            status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
            return status
        }
    }

    /// Waits without blocking a thread; kills the whole group when the time is over, which is longer on a busy machine.
    ///
    /// - Returns: as `ending`; `nil` when it hung.
    package func end(within seconds: Double) async throws -> Int32? {
        var limit = TimeLimit(.seconds(seconds))
        while !limit.isOver() {
            if let ending = ending() { return ending }
            try await Task.sleep(for: .milliseconds(4))
        }
        _ = kill(-pid, SIGKILL)
        while ending() == nil { try await Task.sleep(for: .milliseconds(4)) }
        return nil
    }
}

/// Why a case could not be run, as opposed to what the program did wrong in it.
package enum SuiteFailure: Error, Sendable, CustomStringConvertible {
    case cannotStart(String, String)
    case cannotPrepare(String)

    package var description: String {
        switch self {
        case .cannotStart(let program, let reason): "\(program) does not start: \(reason)"
        case .cannotPrepare(let what): "cannot prepare \(what)"
        }
    }
}
