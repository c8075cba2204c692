import CTerminal
import Glibc

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
