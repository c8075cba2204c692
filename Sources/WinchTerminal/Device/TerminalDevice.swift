import CTerminal
import Glibc
import WinchModel

/// The terminal as a file: its line settings (raw or cooked), input and output.
///
/// It is opened anew, so that `O_NONBLOCK` does not affect other processes that share standard output. Output that a
/// slow terminal does not take at once is kept and sent later, in order.
final class TerminalDevice {
    let descriptor: Int32
    /// The line settings as they were found.
    private(set) var cooked: termios
    /// Output that the terminal has not taken yet.
    private var unsent: ArraySlice<UInt8> = []
    /// The terminal is closed: a read or write has failed.
    private(set) var isGone = false

    /// - Parameter shared: a descriptor of the terminal, e.g. standard output.
    init(sharing shared: Int32) throws(TerminalFailure) {
        guard isatty(shared) == 1 else { throw .notATerminal }
        let descriptor = Self.reopen(shared)
        guard descriptor >= 0 else { throw .system(call: "open", code: errno) }
        var modes = termios()
        guard tcgetattr(descriptor, &modes) == 0 else {
            let code = errno
            close(descriptor)
            throw .system(call: "tcgetattr", code: code)
        }
        self.descriptor = descriptor
        cooked = modes
    }

    deinit {
        close(descriptor)
    }

    /// Opens the terminal again, without blocking. `/proc` may be unavailable or the terminal may belong to another
    /// user; then `/dev/tty` is tried. The last resort is a duplicate, which shares its flags with other processes
    /// and may block.
    private static func reopen(_ shared: Int32) -> Int32 {
        for path in ["/proc/self/fd/\(shared)", "/dev/tty"] {
            let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
        }
        return fcntl(shared, F_DUPFD_CLOEXEC, 3)
    }

    var size: ScreenSize? { ScreenSize(of: descriptor) }

    /// Another job of the shell has the terminal. The kernel stops this process if it changes the line settings or
    /// reads then. False without job control.
    var isElsewhere: Bool {
        let foreground = tcgetpgrp(descriptor)
        return foreground > 0 && foreground != getpgrp()
    }

    /// Raw mode: every key is delivered at once and unchanged; nothing is echoed or translated.
    func makeRaw() {
        var raw = cooked
        cfmakeraw(&raw)
        tcsetattr(descriptor, TCSANOW, &raw)
    }

    /// Restores the line settings but for the translation of output, since the last bytes are for a raw terminal. Keys that
    /// were not read are dropped: they were not meant for the shell. This comes before the shell's screen is shown, since a
    /// user who sees that types for the shell. Does nothing while another job has the terminal, since that job has its own
    /// settings.
    func releaseKeys() {
        guard !isElsewhere else { return }
        tcflush(descriptor, TCIFLUSH)
        var modes = cooked
        modes.c_oflag &= ~tcflag_t(OPOST)
        tcsetattr(descriptor, TCSANOW, &modes)
    }

    /// Restores the line settings after `releaseKeys` and the last bytes.
    func makeCooked() {
        guard !isElsewhere else { return }
        tcsetattr(descriptor, TCSANOW, &cooked)
    }

    /// The input that has arrived, at most `most` bytes, maybe none; `nil` once the terminal is closed.
    func read(atMost most: Int = 64 << 10) -> [UInt8]? {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            let got = Glibc.read(descriptor, buffer.baseAddress, most)
            failure = got > 0 ? 0 : got == 0 ? EIO : errno
            count = max(got, 0)
        }
        switch failure {
        case 0, EAGAIN, EINTR: return bytes
        default:
            isGone = true
            return nil
        }
    }

    var hasUnsent: Bool { !unsent.isEmpty }

    /// Sends what the terminal takes now, and keeps the rest.
    func send(_ bytes: [UInt8]) {
        if unsent.isEmpty { unsent = bytes[...] } else { unsent += bytes }
        flush()
    }

    func flush() {
        while !unsent.isEmpty, !isGone {
            let written = unsent.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                unsent = unsent.dropFirst(written)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                isGone = true
            }
        }
        unsent = []
    }

    /// Drops the output that the terminal has not taken. That may be the rest of a character, which is kept, or of a
    /// sequence, so a CAN is sent, which ends it.
    func cutShort() {
        guard hasUnsent else { return }
        let character = unsent.prefix(3).prefix { $0 & 0xC0 == 0x80 }
        unsent = character + [Self.cancel]
    }

    static let cancel: UInt8 = 0x18

    /// Longest wait for the last bytes of a program that ends.
    static let endTimeout = Duration.milliseconds(500)

    /// Waits until all output is sent, at most for `timeout`: a terminal that takes nothing must not block the
    /// program.
    ///
    /// - Returns: whether all output was sent, or the terminal is gone; otherwise the rest is kept.
    func drain(within timeout: Duration) -> Bool {
        let clock = MonotonicClock()
        let deadline = clock.now() + timeout
        while hasUnsent, !isGone, clock.now() < deadline {
            var poll = PollSet([.output(descriptor)])
            poll.wait(until: deadline, clock: clock)
            flush()
        }
        return !hasUnsent || isGone
    }
}

package struct ScreenSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    /// Clamps the size to 1...1000 columns and 1...500 rows: a larger one comes from a broken or hostile terminal,
    /// and cells cost memory.
    package init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), 1000)
        self.rows = min(max(rows, 1), 500)
    }

    /// The size of a terminal by the kernel; `nil` if the kernel does not know it.
    init?(of descriptor: Int32) {
        var (rows, columns): (Int32, Int32) = (0, 0)
        guard winch_terminal_size(descriptor, &rows, &columns) == 0, rows > 0, columns > 0 else { return nil }
        self.init(columns: Int(columns), rows: Int(rows))
    }

    static let fallback = ScreenSize(columns: 80, rows: 24)
}

extension ScreenSize {
    /// The size of the terminal at standard output; `nil` if that is not a terminal.
    package static var ofStandardOutput: ScreenSize? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        return ScreenSize(of: STDOUT_FILENO) ?? fallback
    }
}

/// A small child process that restores the terminal if this process is killed without a chance to do so, by SIGKILL
/// or the kernel's out-of-memory killer.
final class Watchdog {
    private let process: winch_guardian
    private var isArmed = false

    init(device: TerminalDevice, exitBytes: [UInt8]) {
        var cooked = device.cooked
        process = winch_guardian_start(device.descriptor, &cooked, exitBytes, exitBytes.count)
    }

    deinit {
        // A guardian on duty is kept: it restores the terminal after this process has ended.
        if !isArmed { winch_guardian_dismiss(process) }
    }

    /// The descriptor that tells the guardian; -1: there is none.
    var line: Int32 { process.line }

    /// Tells the guardian whether this process has the terminal from now on.
    func inform(isTaken: Bool) {
        guard line >= 0 else { return }
        isArmed = isTaken
        winch_guardian_tell(line, isTaken)
    }
}

/// While it is raised, a fatal signal restores the terminal before the process ends, so that the crash message can be
/// read.
enum CrashHandler {
    /// - Parameters:
    ///   - watchdog: is told that the terminal is restored, so that it does not restore it again.
    ///   - holdsErrors: standard error is the same terminal; its output is held back until the screen is left.
    static func raise(device: TerminalDevice, exitBytes: [UInt8], watchdog: Watchdog, holdsErrors: Bool) {
        var cooked = device.cooked
        winch_crash_arm(device.descriptor, &cooked, exitBytes, exitBytes.count, watchdog.line)
        if holdsErrors { _ = winch_stderr_capture() }
    }

    static func lower() {
        winch_crash_disarm()
        winch_stderr_release()
    }
}
