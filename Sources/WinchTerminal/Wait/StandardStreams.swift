import CTerminal
import Glibc

/// Descriptors 0, 1 and 2, which everybody takes for granted.
public enum StandardStreams {
    /// Opens those that whoever started us has closed (`winch ... >&-`): the next file opened would get their number, and
    /// lines meant for a person would be written into it.
    public static func fill() {
        for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) == -1 {
            // The lowest free number is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Sends what `print` still holds back.
    ///
    /// - Returns: why not all that was printed has been written, in words; `nil`: it has, or the reader wants no more.
    public static func flushOutput() -> String? {
        let code = winch_output_flush()
        return code == 0 || code == EPIPE ? nil : String(cString: strerror(code))
    }
}
