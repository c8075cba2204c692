import CTerminal
import Glibc

/// A pseudo-terminal: a program under test opens `path` or gets `slave`; the test types keys and reads the output.
///
/// For one thread at a time.
package final class PseudoTerminal {
    /// The path of the program's end.
    package let path: String
    /// The program's end. Kept open, so that the line settings can be read when no program has it open.
    package let slave: Int32
    private var master: Int32
    private var unsent: ArraySlice<UInt8> = []

    package struct Unavailable: Error {}

    /// TIOCSPTLCK and TIOCGPTN, which are macros that Swift does not import.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    package init(columns: Int, rows: Int) throws(Unavailable) {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var (isLocked, number): (Int32, Int32) = (0, -1)
        guard master >= 0, ioctl(master, Self.setLock, &isLocked) == 0, ioctl(master, Self.getNumber, &number) == 0
        else { throw Unavailable() }
        path = "/dev/pts/\(number)"
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Unavailable() }
        resize(columns: columns, rows: rows)
    }

    deinit {
        hangUp()
        close(slave)
    }

    /// The kernel sends SIGWINCH to the group in the foreground.
    package func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    }

    // MARK: - Keys and output

    package func type(_ text: String) { type(Array(text.utf8)) }

    /// Sends keys; those that the terminal's input queue has no space for are kept and sent later.
    package func type(_ keys: [UInt8]) {
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
    package func forgetKeys() { unsent = [] }

    /// Waits until the program has written something and returns it; empty after `milliseconds`.
    package func read(within milliseconds: Int32, atMost most: Int = 64 << 10) -> [UInt8] {
        flush()
        if milliseconds > 0, !waitForOutput(milliseconds: Int(milliseconds)) { return [] }
        var bytes = [UInt8](repeating: 0, count: most)
        let got = Glibc.read(master, &bytes, bytes.count)
        return got > 0 ? Array(bytes.prefix(got)) : []
    }

    /// Waits until there is something to read.
    ///
    /// - Returns: false when there was not.
    package func waitForOutput(milliseconds: Int) -> Bool {
        let events = unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
        var entry = pollfd(fd: master, events: Int16(events), revents: 0)
        // With keys to send, POLLOUT may be ready all the time: the pause keeps the caller's loop from spinning.
        if events != POLLIN, poll(&entry, 1, Int32(min(milliseconds, 5))) > 0, Int32(entry.revents) & POLLIN == 0 {
            usleep(1000)
        }
        entry.events = Int16(POLLIN)
        return poll(&entry, 1, Int32(milliseconds)) > 0 && Int32(entry.revents) & POLLIN != 0
    }

    /// Closes the user's end, as closing the terminal's window does.
    package func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }

    // MARK: - Line settings

    /// Line settings as they can be compared.
    package struct Settings: Equatable, Sendable {
        var flags: [UInt32]
        var characters: [UInt8]
    }

    package var settings: Settings {
        let found = Self.modes(slave)
        let characters = withUnsafeBytes(of: found.c_cc) { Array($0) }
        return Settings(flags: [found.c_iflag, found.c_oflag, found.c_cflag, found.c_lflag], characters: characters)
    }

    /// Turns off echo, since keys sent before a program reads them would be taken for its output, and flow control,
    /// since Ctrl-S would stop that output.
    package func turnOffEcho() {
        var modes = Self.modes(slave)
        modes.c_lflag &= ~tcflag_t(ECHO)
        modes.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(slave, TCSANOW, &modes)
    }

    package var isCooked: Bool { Self.isCooked(slave) }

    /// The modes that a shell expects: canonical input with echo and signals, processed output.
    package static func isCooked(_ descriptor: Int32) -> Bool {
        let modes = modes(descriptor)
        let input = UInt32(ICANON | ECHO | ISIG)
        return modes.c_lflag & input == input && modes.c_oflag & UInt32(OPOST) != 0
    }

    private static func modes(_ descriptor: Int32) -> termios {
        var modes = termios()
        tcgetattr(descriptor, &modes)
        return modes
    }
}
