import ArgumentParser
import Dispatch
import Glibc
import Synchronization
import WinchModel
import WinchSession
import WinchTerminal

/// Reaches a session on another machine: runs `ssh HOST winch attach --stdio`, with the user's own configuration of ssh.
struct RemoteSession: Sendable {
    let host: String
    let remoteCommand: String

    /// - Parameters:
    ///   - command: the path of winch on the other machine; `nil`: it is found there.
    ///   - session: the name of the session there.
    /// - Throws: `ValidationError` for a HOST that ssh would take for an option.
    init(host: String, command: String?, session: String?) throws {
        guard !host.isEmpty, !host.hasPrefix("-"), !host.contains(where: { $0.isWhitespace || $0 == "\0" }) else {
            throw ValidationError(
                "'\(PlainText(host))' is no HOST for ssh: a name, user@name, or an entry of ~/.ssh/config")
        }
        self.host = host
        let words = [Self.program(command ?? "winch"), "attach", "--stdio"]
        remoteCommand = (words + (session.map { ["--session", Self.quoted($0)] } ?? [])).joined(separator: " ")
    }

    /// - Parameter mayAsk: ssh may ask for a password or a host key on the terminal, which shows no dashboard yet.
    func open(mayAsk: Bool) throws(SessionFailure) -> SessionConnection {
        let silent = ["-o", "BatchMode=yes", "-o", "ConnectTimeout=10"]
        let process = try SSHProcess(["-T"] + (mayAsk ? [] : silent) + ["--", host, remoteCommand], tells: mayAsk)
        let link = try SessionConnection(reading: process.output, writing: process.input, support: process)
        do throws(SessionFailure) {
            _ = try link.begin(
                client: SessionAccess.client, origin: SessionAccess.clockOrigin,
                patience: mayAsk ? Self.patience : .seconds(15))
            return link
        } catch {
            process.end()
            process.awaitWords()
            guard case .closed(nil) = error else { throw error }
            let reason = process.lastMessage ?? "ssh has ended without a word"
            // What ssh says at first stands on the terminal already.
            throw .unreachable(
                mayAsk && process.lastMessage != nil ? "no session was reached on \(host), see above" : reason)
        }
    }

    /// 10 minutes: in this time the user finds a password and types it.
    private static let patience = Duration.seconds(600)

    /// The path of a program for the shell of the other machine, which replaces `~` by its own home folder.
    private static func program(_ path: String) -> String {
        path.hasPrefix("~/") ? "~/" + quoted(String(path.dropFirst(2))) : quoted(path)
    }

    static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy { $0.isAlphanumeric || "/._-".utf8.contains($0) }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

/// A process of ssh. It ends with its last reference.
private final class SSHProcess: Sendable {
    let input: OpenFile
    let output: OpenFile
    private let pid: pid_t
    private let tells: Bool
    private let last = Mutex<String?>(nil)
    /// All of its errors are read.
    private let words = DispatchSemaphore(value: 0)
    private let hasEnded = Mutex(false)

    /// - Parameter tells: its messages go to standard error as they come. While a dashboard is open it shows the last one.
    init(_ arguments: [String], tells: Bool) throws(SessionFailure) {
        let (toSSH, fromSSH, errors) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        let (pid, code) = ChildProgram.start(
            "ssh", ["ssh"] + arguments,
            streams: [toSSH.reading.number, fromSSH.writing.number, errors.writing.number])
        guard code == 0 else { throw .system(path: "ssh", reason: String(cString: strerror(code))) }
        (self.pid, self.tells, input, output) = (pid, tells, toSSH.writing, fromSSH.reading)
        input.setNonBlocking()
        output.setNonBlocking()
        DispatchQueue(label: "winch.ssh").async { [weak self, words] in
            Self.passOn(errors.reading) { self?.note($0) }
            words.signal()
        }
    }

    /// After its end: all that it has written is read. For a second, as a process that it has started may hold the other end.
    func awaitWords() { _ = words.wait(timeout: .now() + .seconds(1)) }

    deinit { end() }

    /// The last line that ssh, or winch on the other machine, has written as an error.
    var lastMessage: String? { last.withLock(\.self) }

    /// Waits until it has ended: by TERM, or by KILL when it has not obeyed that in time.
    func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        kill(pid, SIGTERM)
        var status: Int32 = 0
        let deadline = ContinuousClock.now + Self.grace
        while waitpid(pid, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < deadline else {
                kill(pid, SIGKILL)
                while waitpid(pid, &status, 0) < 0, errno == EINTR {}
                return
            }
            usleep(10_000)
        }
    }

    /// 3 s between TERM and KILL: ssh ends at once, unless a command that it has started for the connection hangs.
    private static let grace = Duration.seconds(3)

    private func note(_ line: String) {
        let words = line.hasPrefix("winch: ") ? String(line.dropFirst(7)) : line
        last.withLock { $0 = words }
        if tells { ErrorOutput.report(words) }
    }

    /// Ends with the last process that holds the other end.
    private static func passOn(_ errors: OpenFile, _ note: (String) -> Void) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(errors.number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest += buffer[..<count]
            let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for line in lines.dropLast() where !line.isEmpty {
                note(String(decoding: line.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self))
            }
            rest = Array(lines.last ?? []).suffix(4096)
        }
    }

    private static func pipe() throws(SessionFailure) -> (reading: OpenFile, writing: OpenFile) {
        guard let ends = ChildProgram.pipe() else {
            throw .system(path: "pipe", reason: String(cString: strerror(errno)))
        }
        return (OpenFile(ends.reading), OpenFile(ends.writing))
    }
}
