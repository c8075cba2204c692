import CTerminal
import Glibc

/// While it is raised, a fatal signal restores the terminal before the process ends, so that the crash message can be
/// read.
struct CrashHandler {
    /// - Parameters:
    ///   - leaving: the bytes that leave the screen.
    ///   - guardian: is told that the terminal is restored, so that it does not restore it again.
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
