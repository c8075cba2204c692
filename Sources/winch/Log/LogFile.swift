import Dispatch
import Glibc
import Synchronization
import WinchLedger
import WinchModel
import WinchTerminal
import WinchTransport

/// `--log FILE`: a subscriber of the feed that appends all events to a file, whatever front end is used. Entries are made and
/// written on a dispatch queue of its own, so that no other thread waits for the disk. While the disk does not take them, updates
/// are merged.
final class LogFile: UpdateSubscriber {
    private let path: String
    private let level: LogLevel
    /// Seconds between the origin of `Moment` and 1970; added to a moment they give Unix time.
    private let unixOffset: Double
    private let rotation: Rotation?
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "winch.log")
    /// `nonisolated(unsafe)`: accessed on `queue` only.
    private nonisolated(unsafe) var logBuilder = LogEntryBuilder()
    private let buffer = UpdateBuffer(wake: {})
    /// What is in the buffer will be written.
    private let isDue = Atomic(false)
    /// How long the reader of a FIFO may take nothing, and how long `close` waits for it: more than a pause for garbage collection,
    /// and less than a user waits for the end of the program.
    private static let longestWait = Duration.seconds(5)
    /// What is left of it. `nonisolated(unsafe)`: accessed on `queue` only.
    private nonisolated(unsafe) var patience = LogFile.longestWait
    private let isClosing = Atomic(false)
    /// The errno of the last line that could not be written; `nil`: all were.
    private let loss = Mutex<Int32?>(nil)

    /// When a file has grown too long, it gets the suffix `.1`, in place of the one before, and a new one is begun.
    struct Rotation: Sendable {
        /// In bytes.
        let most: Int
        /// Standard output and standard error lead to the file as well, and follow it.
        let hasStandardStreams: Bool
    }

    /// Opens the file for appending. A new file gets mode 0600, because it lists the names of downloaded files.
    ///
    /// - Parameter rotation: when a new file is begun; `nil`: never.
    /// - Throws: the system's description of the error.
    init(path: String, level: LogLevel, unixOffset: Double, rotation: Rotation? = nil) throws(InputFile.Failure) {
        (self.path, self.level, self.unixOffset, self.rotation) = (path, level, unixOffset, rotation)
        descriptor = Self.open(path)
        guard descriptor >= 0 else {
            let code = errno
            let isUnread = code == ENXIO && FileStatus.kind(of: path) == S_IFIFO
            let reason =
                isUnread ? "no program reads this FIFO; start the reader first" : String(cString: strerror(code))
            throw InputFile.Failure(message: "\(path): \(reason)")
        }
    }

    deinit { Glibc.close(descriptor) }

    /// Without O_NONBLOCK, opening a FIFO blocks until another process reads it, and so does writing when that process stands still.
    private static func open(_ path: String) -> Int32 {
        Glibc.open(path.cBytes, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o600)
    }

    /// Logs the events of an update. May be called on any thread; never waits.
    func post(_ update: Update) {
        buffer.post(update)
        guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in
            isDue.store(false, ordering: .releasing)
            guard let update = buffer.take() else { return }
            for entry in logBuilder.entries(for: update) { write(entry) }
        }
    }

    /// Logs a message that is no event of the queue, such as a problem of a batch file.
    func report(_ words: String, _ level: LogLevel, at moment: Moment) {
        queue.async { [self] in write(LogEntry(at: moment, subject: .userMessage(words, level))) }
    }

    /// Returns when all entries have been written, or the reader of a FIFO has not taken them.
    ///
    /// - Returns: the message about lines that are missing; `nil`: none is.
    @discardableResult func close() -> String? {
        isClosing.store(true, ordering: .releasing)
        queue.sync {}
        return loss.withLock { $0 }.map { code in
            let reason = code == EAGAIN ? "its reader does not read" : String(cString: strerror(code))
            return "\(path): lines are missing: \(reason)"
        }
    }

    // MARK: - On the queue

    /// Writes a line by one system call, so that lines of several processes do not mix.
    private func write(_ entry: LogEntry) {
        guard entry.level >= level else { return }
        rotate()
        var bytes = Array((LogLineFormat.line(entry, time: time(of: entry.at)) + "\n").utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
                if !isClosing.load(ordering: .acquiring) { patience = Self.longestWait }
            } else if errno != EINTR {
                let code = errno
                if code == EAGAIN, waitForReader() { continue }
                // The line is dropped: a full disk of the log must not stop downloads to other disks.
                return loss.withLock { $0 = code }
            }
        }
    }

    /// Waits until the reader of a FIFO takes more bytes. When it has taken none for `longestWait`, no line waits for it until it
    /// takes one.
    ///
    /// - Returns: false when it takes none.
    private func waitForReader() -> Bool {
        guard patience > .zero else { return false }
        let start = ContinuousClock.now
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let count = poll(&entry, 1, Int32(patience / .milliseconds(1)) + 1)
        let isReady = count > 0 || count < 0 && errno == EINTR
        patience -= ContinuousClock.now - start
        return isReady
    }

    /// Begins a new file if this one is too long. Lines go on into the old one when that is not possible.
    private func rotate() {
        guard let rotation else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > rotation.most,
            rename(path.cBytes, (path + ".1").cBytes) == 0
        else {
            return
        }
        let new = Self.open(path)
        guard new >= 0 else { return }
        dup2(new, descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if rotation.hasStandardStreams {
            dup2(new, STDOUT_FILENO)
            dup2(new, STDERR_FILENO)
        }
        Glibc.close(new)
    }

    /// The time in UTC: `2024-05-06T07:08:09.123Z`.
    private func time(of moment: Moment) -> String {
        let milliseconds = Int64(unixOffset * 1000) + moment.nanoseconds / 1_000_000
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return UnixTime(milliseconds: milliseconds).text("%Y-%m-%dT%H:%M:%S") + ".\(fraction)Z"
    }
}

/// The log files of a run: that of `--log`, and that of a session in its state folder.
struct RunLogFiles: Sendable {
    var files: [LogFile] = []

    func report(_ words: String, _ level: LogLevel, at moment: Moment) {
        for file in files { file.report(words, level, at: moment) }
    }

    /// Returns when all entries have been written, and reports those that are missing.
    func close() {
        for message in files.compactMap({ $0.close() }) { ErrorOutput.report(message) }
    }
}

/// Writes `TIME LEVEL [id] message key=value` lines. Text from servers is escaped, so that it cannot begin a new line.
enum LogLineFormat {
    /// The order of the fields; other fields follow, sorted by name.
    private static let order = ["name", "url", "attempt", "status", "path", "reason", "wait", "cause", "have", "size"]

    static func line(_ entry: LogEntry, time: String) -> String {
        var parts = [time, entry.level.rawValue.uppercased()]
        if let id = entry.id { parts.append("[\(id.number)]") }
        parts.append(escaped(entry.message))
        func place(_ name: String) -> Int { order.firstIndex(of: name) ?? order.count }
        let fields = entry.fields.sorted { (place($0.name), $0.name) < (place($1.name), $1.name) }
        parts += fields.map { "\($0.name)=\(quoted($0.value))" }
        return parts.joined(separator: " ")
    }

    /// Puts a value in quotes if it is empty or contains a blank, a quote or a `=`.
    static func quoted(_ text: String) -> String {
        let isSimple = !text.isEmpty && !text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        let text = escaped(text)
        return isSimple ? text : "\"" + text.replacing("\"", with: "\\\"") + "\""
    }

    /// Escapes control characters, line ends and format characters such as bidirectional overrides: `\u{1b}`.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format:
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

/// The log file of the session of a state folder. A session in the background writes its messages to it as well.
struct SessionLogFile: Sendable {
    let path: String

    /// 1 MiB, and as much of older events in another file.
    private static let most = 1 << 20

    init(folder: String) { path = folder + "/session.log" }

    /// - Parameter isInBackground: standard output and error of the process lead to the file.
    func rotation(isInBackground: Bool) -> LogFile.Rotation {
        LogFile.Rotation(most: Self.most, hasStandardStreams: isInBackground)
    }

    /// Standard output and standard error go to the file from now on.
    func takeStandardStreams() {
        // Without O_NONBLOCK, opening a FIFO blocks until another process reads it.
        let log = open(path.cBytes, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // Without them the process that has started this one would wait for its messages for ever.
        guard log >= 0 else { return StandardStreams.discardOutput() }
        dup2(log, STDOUT_FILENO)
        dup2(log, STDERR_FILENO)
        close(log)
    }
}
