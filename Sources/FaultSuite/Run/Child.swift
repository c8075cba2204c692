import Glibc

/// A process in a group of its own, so that what it starts ends with it.
final class Child: Sendable {
    let pid: pid_t

    /// - Parameters:
    ///   - folder: where it runs.
    ///   - environment: all of it.
    ///   - output: the file that both its streams are appended to.
    /// - Throws: `.cannotStart`.
    init(
        _ program: String, _ arguments: [String], in folder: String, environment: [String: String], output: String
    ) throws(SuiteFailure) {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Whoever starts us may hold signals back; the child begins without.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // What the tester has open is none of the program's, and would count among its own.
        for descriptor in 3..<Int32(1024) where fcntl(descriptor, F_GETFD) == 0 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // `env` changes the folder and becomes the program: the process stays the same one.
        let words = (["/usr/bin/env", "-C", folder, program] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0)=\($1)") }
        defer { (words + variables).forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, "/usr/bin/env", &actions, &attributes, words + [nil], variables + [nil])
        guard code == 0 else { throw .cannotStart(program, String(cString: strerror(code))) }
        self.pid = pid
    }

    func signal(_ number: Int32) { _ = kill(pid, number) }

    /// Waits without holding a thread; ends the whole group when it takes too long.
    ///
    /// - Returns: its exit code, or minus the signal; `nil` when it hung. To be called once.
    func end(within seconds: Double) async throws -> Int32? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if let ending = reaped() { return ending }
            try await Task.sleep(for: .milliseconds(4))
        }
        _ = kill(-pid, SIGKILL)
        while reaped() == nil { try await Task.sleep(for: .milliseconds(4)) }
        return nil
    }

    /// `nil` while it runs.
    private func reaped() -> Int32? {
        var raw: Int32 = 0
        guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
        return raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
    }
}
