import ArgumentParser
import FoundationEssentials
import Glibc
import WinchSession
import WinchTerminal

/// Starts `winch serve` in a process of its own, which no terminal ends.
struct BackgroundSession {
    let folder: String

    /// `POSIX_SPAWN_SETSID` of glibc, which Swift does not import.
    private static let newSession: Int16 = 0x80

    /// Returns when the session can be reached.
    ///
    /// - Parameter arguments: of `winch serve`, without that name.
    /// - Throws: the exit code of the session when it could not start; its messages have been printed.
    func start(_ arguments: [String]) throws -> Int32 {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ErrorOutput.Fatal("pipe: \(String(cString: strerror(errno)))") }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A batch on standard input is read before the shell gets the terminal back.
        if !arguments.contains("-") { posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        if ends[1] != 2 { posix_spawn_file_actions_addclose(&actions, ends[1]) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Self.newSession)
        let words = ["winch", "serve", "--foreground", "--to-session-log"] + arguments
        var texts = words.map { strdup($0) } + [nil]
        defer { texts.forEach { free($0) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, &texts, environ)
        close(ends[1])
        guard code == 0 else { throw ErrorOutput.Fatal("cannot start the session: \(String(cString: strerror(code)))") }
        Self.passOn(ends[0])
        close(ends[0])
        while (try? SessionAccess(folder: folder).open())?.greeting.pid != pid {
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid {
                let isExit = status & 0x7f == 0
                throw ExitCode(isExit ? (status >> 8) & 0xff : 1)
            }
            usleep(5000)
        }
        return pid
    }

    /// Prints the messages of the start; they end when the session can be reached, or has ended.
    private static func passOn(_ messages: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(messages, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            _ = write(STDERR_FILENO, buffer, count)
        }
    }
}
