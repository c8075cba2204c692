import Foundation
import Glibc

/// A process of the test's own. Foundation's `Process` takes it for running as long as any descendant is, and that is what
/// tmux and nginx leave behind.
final class Child: @unchecked Sendable {  // `status` is written by whoever first sees the end, under `lock`
    let pid: pid_t
    private let lock = NSLock()
    private var status: Int32?

    /// - Parameters:
    ///   - folder: where it runs.
    ///   - environment: all of it; `nil`: ours.
    ///   - input, output, errors: files; `nil`: nothing.
    init(
        _ program: String, _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil,
        input: String? = nil, output: String? = nil, errors: String? = nil
    ) throws {
        // Tests that run beside this one hold signals back; the child starts without.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
        for (descriptor, file) in [(1 as Int32, output), (2, errors)] {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, file ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // `env` changes the folder and becomes the program: the process stays the same one.
        let launch = folder.map { ["/usr/bin/env", "-C", $0] } ?? []
        let words = (launch + [program] + arguments).map { strdup($0) }
        let variables = (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") }
        defer { (words + variables).forEach { free($0) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, launch.first ?? program, &actions, &attributes, words + [nil], variables + [nil]) == 0
        else {
            throw Missing(what: "\(program) to start")
        }
        self.pid = pid
    }

    func signal(_ number: Int32) { _ = kill(pid, number) }

    /// How it ended: its exit code, or minus the signal; `nil` while it runs.
    func ending() -> Int32? {
        lock.withLock {
            if let status { return status }
            var raw: Int32 = 0
            guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
            status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
            return status
        }
    }

    /// Waits without holding one of the few threads that tests share; kills it when it takes too long.
    ///
    /// - Returns: as `ending`; `nil` when it hung.
    func end(within seconds: Double) async throws -> Int32? {
        let deadline = Date.now.addingTimeInterval(seconds)
        while Date.now < deadline {
            if let ending = ending() { return ending }
            try await Task.sleep(for: .milliseconds(3))
        }
        signal(SIGKILL)
        while ending() == nil { try await Task.sleep(for: .milliseconds(3)) }
        return nil
    }
}
