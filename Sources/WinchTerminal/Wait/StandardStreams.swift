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
}
