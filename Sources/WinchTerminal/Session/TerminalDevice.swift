import Glibc
import WinchCore

/// The terminal as a file: raw and cooked, bytes in, bytes out.
///
/// It is opened anew, so that not waiting on it concerns nobody who shares standard output; what a slow terminal does
/// not take at once is kept and sent later, in order.
final class TerminalDevice {
    let descriptor: Int32
    /// The line settings as they were found.
    private(set) var cooked: termios
    /// What the terminal has not taken yet.
    private var unsent: ArraySlice<UInt8> = []
    /// Nobody is at the other end any more.
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

    /// The first way may be closed (another user's terminal, no /proc); the last shares and may have to wait.
    private static func reopen(_ shared: Int32) -> Int32 {
        for path in ["/proc/self/fd/\(shared)", "/dev/tty"] {
            let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
        }
        return fcntl(shared, F_DUPFD_CLOEXEC, 3)
    }

    var size: ScreenSize? { ScreenSize(of: descriptor) }

    /// Another job of the shell has the terminal. The kernel stops whoever sets it or reads from it then. False where no
    /// shell controls jobs.
    var isElsewhere: Bool {
        let foreground = tcgetpgrp(descriptor)
        return foreground > 0 && foreground != getpgrp()
    }

    /// Every key comes at once and as itself; nothing is echoed or translated.
    func makeRaw() {
        var raw = cooked
        cfmakeraw(&raw)
        tcsetattr(descriptor, TCSANOW, &raw)
    }

    /// Back to how it was found. Keys typed and not read are dropped: they were not meant for the shell. A terminal that
    /// is elsewhere is as its new owner wants it.
    func makeCooked() {
        guard !isElsewhere else { return }
        tcflush(descriptor, TCIFLUSH)
        tcsetattr(descriptor, TCSANOW, &cooked)
    }

    /// The keys that have come, at most `most` bytes of them; `nil` once the terminal is gone.
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

    /// Sends now what the terminal takes, and keeps the rest.
    func send(_ bytes: [UInt8]) {
        if unsent.isEmpty { unsent = bytes[...] } else { unsent += bytes }
        flush()
    }

    /// Goes on with what is kept.
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

    /// Forgets what the terminal has not taken. It may be in the middle of a sequence then, which CAN ends.
    func cutShort() {
        if hasUnsent { unsent = [Self.cancel] }
    }

    static let cancel: UInt8 = 0x18

    /// Waits until all is sent, but not for ever: a terminal that takes nothing must not keep the program.
    ///
    /// - Returns: whether all is.
    @discardableResult
    func drain(within patience: Duration) -> Bool {
        let clock = MonotonicClock()
        let deadline = clock.now() + patience
        while hasUnsent, !isGone, clock.now() < deadline {
            var poll = PollSet([.output(descriptor)])
            poll.wait(until: deadline, clock: clock)
            flush()
        }
        defer { unsent = [] }
        return !hasUnsent
    }
}
