import CTerminal
import Glibc

/// A small process beside ours that gives the terminal back when we are killed in a way that leaves us no time, as
/// SIGKILL and the kernel's out-of-memory killer do.
final class Guardian {
    /// What tells it; -1: there is none.
    let line: Int32

    /// - Parameter leaving: the bytes that leave the screen.
    init(device: TerminalDevice, leaving: [UInt8]) {
        var cooked = device.cooked
        line = winch_guardian_start(device.descriptor, &cooked, leaving, leaving.count)
    }

    deinit {
        if line >= 0 { close(line) }
    }

    /// Whether the terminal is ours from now on.
    func tell(isTaken: Bool) {
        if line >= 0 { winch_guardian_tell(line, isTaken) }
    }
}
