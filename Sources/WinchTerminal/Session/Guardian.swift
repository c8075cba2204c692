import CTerminal
import Glibc

/// A small process beside ours that gives the terminal back when we are killed in a way that leaves us no time, as
/// SIGKILL and the kernel's out-of-memory killer do.
final class Guardian {
    private let process: winch_guardian
    private var isOnDuty = false

    /// - Parameter leaving: the bytes that leave the screen.
    init(device: TerminalDevice, leaving: [UInt8]) {
        var cooked = device.cooked
        process = winch_guardian_start(device.descriptor, &cooked, leaving, leaving.count)
    }

    deinit {
        // One that has something left to do does it when we are gone.
        if !isOnDuty { winch_guardian_dismiss(process) }
    }

    /// What tells it; -1: there is none.
    var line: Int32 { process.line }

    /// Whether the terminal is ours from now on.
    func tell(isTaken: Bool) {
        guard line >= 0 else { return }
        isOnDuty = isTaken
        winch_guardian_tell(line, isTaken)
    }
}
