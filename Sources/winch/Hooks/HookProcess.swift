import Glibc
import WinchTerminal

/// A process that runs the command of a hook: without standard input, away from the terminal, with a time limit.
struct HookProcess {
    let arguments: [String]
    /// `NAME=value`, added to the environment of this process.
    let variables: [String]
    var limit: Duration? = Self.usualLimit
    /// Between TERM and KILL when the time is over.
    var grace = Duration.seconds(3)

    enum End: Equatable {
        case success
        /// What happened, as the rest of a sentence that begins with the command.
        case failure(String)
    }

    /// 60 s: enough for a message, and short enough that a command that hangs does not keep the others waiting for long.
    static let usualLimit = Duration.seconds(60)

    /// 2 KiB: of what the command prints, the end is kept, to show its last line.
    private static let keptOutput = 2048

    /// Runs the command. Returns when its process has ended, even when others that it started still run.
    func run() -> End {
        guard let (output, writing) = ChildProgram.pipe() else { return Self.notStarted(errno) }
        defer { close(output) }
        // Of the environment all but what an outer hook was told.
        let inherited = ProcessTexts.variables.filter { !$0.hasPrefix(HookVariables.prefix) }
        // In a process group of its own it does not get the Ctrl-C of the terminal, and is ended with all that it has started.
        let (pid, code) = ChildProgram.start(
            arguments[0], arguments, environment: inherited + variables, streams: [nil, writing, writing],
            flags: Int16(POSIX_SPAWN_SETPGROUP))
        close(writing)
        guard code == 0 else { return Self.notStarted(code) }
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        return wait(for: pid, output: output)
    }

    private static func notStarted(_ code: Int32) -> End {
        .failure("cannot be started: \(String(cString: strerror(code)))")
    }

    private func wait(for pid: pid_t, output: Int32) -> End {
        let start = ContinuousClock.now
        var tail: [UInt8] = []
        var isOpen = true
        var sent: Int32?
        while true {
            // The end of the output usually is the end of the process; one that closes it, or leaves it to another, is asked for.
            var poller = pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0)
            poll(&poller, 1, isOpen ? 100 : 10)
            isOpen = isOpen && Self.read(output, into: &tail)
            var status: Int32 = 0
            if waitpid(pid, &status, WNOHANG) == pid {
                _ = isOpen && Self.read(output, into: &tail)
                return end(status, wasEnded: sent != nil, tail)
            }
            let age = ContinuousClock.now - start
            let due = limit.flatMap { age > $0 + grace ? SIGKILL : age > $0 ? SIGTERM : nil }
            if let due, sent != due {
                kill(-pid, due)
                sent = due
            }
        }
    }

    private static func read(_ output: Int32, into tail: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 }
            tail = Array((tail + buffer[..<count]).suffix(keptOutput))
        }
    }

    private func end(_ status: Int32, wasEnded: Bool, _ tail: [UInt8]) -> End {
        let signal = status & 0x7f
        let code = (status >> 8) & 0xff
        if signal == 0, code == 0, !wasEnded { return .success }
        let last = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
        if let limit, wasEnded { return .failure("was ended after \(limit.components.seconds) s" + last) }
        return .failure((signal == 0 ? "ended with exit code \(code)" : "was ended by signal \(signal)") + last)
    }
}
