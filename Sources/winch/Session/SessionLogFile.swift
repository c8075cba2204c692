import Glibc
import WinchModel
import WinchTerminal

/// The log file of the session of a state folder. A session in the background writes its messages to it as well.
struct SessionLogFile: Sendable {
    let path: String

    /// 1 MiB, and as much of older events in another file.
    private static let most = 1 << 20

    init(folder: String) { path = folder + "/session.log" }

    /// - Parameter isInBackground: standard output and error of the process lead to the file.
    func rotation(isInBackground: Bool) -> LogFile.Rotation {
        LogFile.Rotation(most: Self.most, hasStandardStreams: isInBackground)
    }

    /// Standard output and standard error go to the file from now on.
    func takeStandardStreams() {
        // Without O_NONBLOCK, opening a FIFO blocks until another process reads it.
        let log = open(path.cBytes, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // Without them the process that has started this one would wait for its messages for ever.
        guard log >= 0 else { return StandardStreams.discardOutput() }
        dup2(log, STDOUT_FILENO)
        dup2(log, STDERR_FILENO)
        close(log)
    }
}
