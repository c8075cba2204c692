import CSession
import Glibc
import WinchModel
import WinchTerminal

/// Starts programs, which inherit no descriptor but their standard streams: what is open here, such as a connection or a lock of
/// flock(1), would stay open as long as they run.
enum ChildProgram {
    /// POSIX_SPAWN_SETSID, which Glibc's module leaves out: in its own session a program does not receive Ctrl-C.
    static let newSession: Int16 = 0x80

    /// - Parameters:
    ///   - program: a path, or a name that is looked for in PATH.
    ///   - arguments: the first is its name for itself.
    ///   - streams: its standard input, output and errors; `nil`: /dev/null.
    ///   - flags: of posix_spawn, besides those for signals.
    /// - Returns: its process, and 0, or an error number.
    static func start(
        _ program: String, _ arguments: [String], environment: [String] = ProcessTexts.variables,
        streams: [Int32?], flags: Int16 = 0
    ) -> (pid: pid_t, code: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            if let stream {
                posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            }
        }
        winch_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, OrdinarySignals.give(to: &attributes) | flags)
        var texts = arguments.map { strdup($0.cBytes) } + [nil]
        var variables = environment.map { strdup($0.cBytes) } + [nil]
        defer { (texts + variables).forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawnp(&pid, program.cBytes, &actions, &attributes, &texts, &variables)
        return (pid, code)
    }

    /// A pipe that other programs do not inherit; `nil` with `errno` when there is none.
    static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
