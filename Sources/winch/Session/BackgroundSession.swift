import ArgumentParser
import Glibc
import WinchSession

/// Starts `winch serve` in a process of its own, which no terminal ends.
struct BackgroundSession {
    let folder: String

    /// Returns when the session can be reached.
    ///
    /// - Parameters:
    ///   - arguments: of `winch serve`, without that name.
    ///   - readsInput: a list, or what is uploaded, comes from standard input.
    /// - Throws: the exit code of the session when it could not start; its messages have been printed.
    func start(_ arguments: [String], readsInput: Bool = false) throws -> pid_t {
        let pid = try spawn(arguments, readsInput: readsInput)
        guard try isReached(pid) else { throw ExitCode(0) }
        return pid
    }

    /// Starts one unless one runs, which other processes may start, or end, at the same moment: then the caller tries again.
    ///
    /// - Returns: whether it has started one.
    func startUnlessRunning(_ arguments: [String]) throws -> Bool {
        try isReached(spawn(arguments + ["--unless-running"], readsInput: false))
    }

    /// - Returns: false when the process has ended well without being reached.
    private func isReached(_ pid: pid_t) throws -> Bool {
        while (try? SessionAccess(folder: folder).open())?.greeting.pid != pid {
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid {
                let isExit = status & 0x7f == 0
                let code = isExit ? (status >> 8) & 0xff : 1
                guard code == 0 else { throw ExitCode(code) }
                return false
            }
            usleep(5000)
        }
        return true
    }

    private func spawn(_ arguments: [String], readsInput: Bool) throws -> pid_t {
        guard let (reading, writing) = ChildProgram.pipe() else {
            throw ErrorOutput.Fatal("pipe: \(String(cString: strerror(errno)))")
        }
        defer { close(reading) }
        // Standard input is read to its end before the shell gets the terminal back.
        let (pid, code) = ChildProgram.start(
            "/proc/self/exe", ["winch", "serve", "--foreground", "--to-session-log"] + arguments,
            streams: [readsInput ? STDIN_FILENO : nil, nil, writing], flags: ChildProgram.newSession)
        close(writing)
        guard code == 0 else { throw ErrorOutput.Fatal("cannot start the session: \(String(cString: strerror(code)))") }
        Self.passOn(reading)
        return pid
    }

    /// In the process of the session: ps and killall know it by the name of the file that was run, which is `exe`.
    static func nameProcess() {
        let name = open("/proc/self/comm", O_WRONLY | O_CLOEXEC)
        guard name >= 0 else { return }
        _ = write(name, "winch", 5)
        close(name)
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
