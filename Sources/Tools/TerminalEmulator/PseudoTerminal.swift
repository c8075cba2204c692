import Glibc

/// A pseudo-terminal. The program under test gets `slave`; the test types and reads at `master`.
package final class PseudoTerminal {
    package private(set) var master: Int32
    package private(set) var slave: Int32
    /// The path of the program's end.
    package let path: String

    package struct Unavailable: Error {}

    /// TIOCSPTLCK and TIOCGPTN, which are macros that Swift does not import.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    package init(columns: Int, rows: Int) throws {
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
        if master >= 0 { close(master) }
        close(slave)
    }

    package func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    package func type(_ text: String) { type(Array(text.utf8)) }

    package func type(_ bytes: [UInt8]) {
        _ = write(master, bytes, bytes.count)
    }

    /// Waits until the program has written something and returns it; empty after `milliseconds`.
    package func read(within milliseconds: Int32, atMost most: Int = 64 << 10) -> [UInt8] {
        var poll = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, milliseconds) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: most)
        let got = Glibc.read(master, &bytes, bytes.count)
        return got > 0 ? Array(bytes.prefix(got)) : []
    }

    package var isCooked: Bool { Self.isCooked(slave) }

    /// The modes that a shell expects: canonical input with echo and signals, processed output.
    package static func isCooked(_ descriptor: Int32) -> Bool {
        var modes = termios()
        tcgetattr(descriptor, &modes)
        let input = UInt32(ICANON | ECHO | ISIG)
        return modes.c_lflag & input == input && modes.c_oflag & UInt32(OPOST) != 0
    }

    /// Closes the user's end, like closing the terminal's window.
    package func hangUp() {
        close(master)
        master = -1
    }
}
