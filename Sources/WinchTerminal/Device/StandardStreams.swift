import CTerminal
import Glibc

/// Descriptors 0, 1 and 2, which all code assumes to be open.
package enum StandardStreams {
    /// Opens those that the parent process has closed (`winch ... >&-`) as `/dev/null`: otherwise the next opened
    /// file would get their number, and messages would be written into it.
    package static func fill() {
        for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) == -1 {
            // `open` returns the lowest free descriptor, which is `stream`.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// What is written to standard output and standard error goes nowhere from now on.
    package static func discardOutput() {
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        for stream in [STDOUT_FILENO, STDERR_FILENO] { dup2(nowhere, stream) }
        close(nowhere)
    }

    /// Writes the output of `print` that is still buffered.
    ///
    /// - Returns: the error message if some output could not be written; `nil` if all was written, or the reader has
    ///   closed its end.
    package static func flushOutput() -> String? {
        let code = winch_output_flush()
        return code == 0 || code == EPIPE ? nil : String(cString: strerror(code))
    }
}
