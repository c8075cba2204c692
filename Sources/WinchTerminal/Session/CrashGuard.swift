import CTerminal
import Glibc

/// While it stands, a trap gives the terminal back before the process ends, and its message can be read.
struct CrashGuard {
    /// - Parameters:
    ///   - leaving: the bytes that leave the screen.
    ///   - guardian: need not do it once more then.
    ///   - holdsErrors: standard error is the same terminal; what is written to it waits until the screen is left.
    static func raise(device: TerminalDevice, leaving: [UInt8], guardian: Guardian, holdsErrors: Bool) {
        var cooked = device.cooked
        winch_crash_arm(device.descriptor, &cooked, leaving, leaving.count, guardian.line)
        if holdsErrors { _ = winch_stderr_capture() }
    }

    static func lower() {
        winch_crash_disarm()
        winch_stderr_release()
    }
}
