import Glibc

/// Both ends of a pseudo-terminal: what is written to it are keys, what is read from it is a program's output.
///
/// For one thread at a time.
final class MonkeyTerminal {
    /// Path of the end that programs open.
    let path: String
    private var master: Int32
    /// Kept open, so that the line settings can be read when no program has the terminal open.
    private let programs: Int32
    private var unsent: ArraySlice<UInt8> = []

    /// TIOCSPTLCK and TIOCGPTN: macros that Swift does not see.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    /// - Throws: `.cannotPrepare`.
    init(_ size: WindowSize) throws(SuiteFailure) {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var (isLocked, number): (Int32, Int32) = (0, -1)
        guard master >= 0, ioctl(master, Self.setLock, &isLocked) == 0, ioctl(master, Self.getNumber, &number) == 0
        else { throw .cannotPrepare("a pseudo-terminal") }
        path = "/dev/pts/\(number)"
        programs = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard programs >= 0 else { throw .cannotPrepare(path) }
        var settings = termios()
        tcgetattr(programs, &settings)
        // No echo: keys sent before a program reads them would be taken for its output. No flow control: Ctrl-S would stop
        // that output.
        settings.c_lflag &= ~tcflag_t(ECHO)
        settings.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(programs, TCSANOW, &settings)
        resize(to: size)
    }

    deinit {
        hangUp()
        close(programs)
    }

    /// Line settings as they can be compared.
    struct Settings: Equatable, Sendable {
        var flags: [UInt32]
        var characters: [UInt8]
    }

    var settings: Settings {
        var found = termios()
        tcgetattr(programs, &found)
        let characters = withUnsafeBytes(of: found.c_cc) { Array($0) }
        return Settings(flags: [found.c_iflag, found.c_oflag, found.c_cflag, found.c_lflag], characters: characters)
    }

    /// The kernel sends SIGWINCH to the group in the foreground.
    func resize(to size: WindowSize) {
        var window = winsize(
            ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(programs, UInt(TIOCSWINSZ), &window)
    }

    /// Sends keys; those that the terminal's input queue has no space for are kept and sent later.
    func write(_ keys: [UInt8]) {
        unsent += keys
        flush()
    }

    private func flush() {
        while !unsent.isEmpty {
            let written = unsent.withUnsafeBytes { Glibc.write(master, $0.baseAddress, min($0.count, 1024)) }
            guard written > 0 else { return }
            unsent = unsent.dropFirst(written)
        }
        unsent = []
    }

    /// Drops the keys that are still kept for a program that has gone.
    func forgetKeys() { unsent = [] }

    /// The output since the last read; empty when there is none.
    func read() -> [UInt8] {
        flush()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let got = Glibc.read(master, &buffer, buffer.count)
        return got > 0 ? Array(buffer.prefix(got)) : []
    }

    /// Waits until there is something to read.
    ///
    /// - Returns: false when there was not.
    func waitForOutput(milliseconds: Int) -> Bool {
        let events = unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
        var entry = pollfd(fd: master, events: Int16(events), revents: 0)
        // With keys to send, POLLOUT may be ready all the time: the pause keeps the caller's loop from spinning.
        if events != POLLIN, poll(&entry, 1, Int32(min(milliseconds, 5))) > 0, Int32(entry.revents) & POLLIN == 0 {
            usleep(1000)
        }
        entry.events = Int16(POLLIN)
        return poll(&entry, 1, Int32(milliseconds)) > 0 && Int32(entry.revents) & POLLIN != 0
    }

    /// Closes the terminal's end, as closing its window does.
    func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }
}
