import Glibc
import WinchModel
import WinchTerminal

/// A program that runs beside this one.
struct SpawnedProgram {
    let pid: pid_t

    /// `POSIX_SPAWN_SETSID` of glibc, which Swift does not import.
    private static let newSession: Int16 = 0x80

    /// - Parameters:
    ///   - input: the descriptor that becomes its standard input; `nil`: it reads nothing.
    ///   - output: its standard output and error; `nil`: they go nowhere.
    ///   - error: its standard error, when that is another one.
    ///   - isDetached: no terminal sends it signals.
    /// - Returns: `nil`: it cannot be started; `errno` says why.
    init?(
        _ path: String, _ arguments: [String], input: Int32? = nil, output: Int32? = nil, error: Int32? = nil,
        isDetached: Bool = false
    ) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        Self.give(input, as: STDIN_FILENO, &actions)
        Self.give(output, as: STDOUT_FILENO, &actions)
        Self.give(error ?? output, as: STDERR_FILENO, &actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let flags = OrdinarySignals.give(to: &attributes) | (isDetached ? Self.newSession : 0)
        posix_spawnattr_setflags(&attributes, flags)
        var texts = ([path] + arguments).map { strdup($0.cBytes) } + [nil]
        defer { texts.forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawnp(&pid, path.cBytes, &actions, &attributes, &texts, environ)
        guard code == 0 else {
            errno = code
            return nil
        }
        self.pid = pid
    }

    private static func give(_ given: Int32?, as number: Int32, _ actions: inout posix_spawn_file_actions_t) {
        if let given {
            posix_spawn_file_actions_adddup2(&actions, given, number)
        } else {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
    }

    /// - Returns: its exit code; of one that a signal has ended 128 and more.
    @discardableResult
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    var hasEnded: Bool { waitpid(pid, nil, WNOHANG) != 0 }

    func kill() { _ = Glibc.kill(pid, SIGKILL) }
}
