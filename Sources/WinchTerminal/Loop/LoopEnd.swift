/// How a face ended.
public enum LoopEnd: Hashable, Sendable {
    /// In order: the engine has been told to quit.
    case left
    /// At once: nothing is to be waited for.
    case leftAtOnce
    /// All transfers are settled and the face had nothing more to do.
    case settled
    /// SIGINT, SIGTERM or SIGHUP (also: the terminal is gone); the engine has been told to quit.
    case signalled(Int32)
    /// Standard output takes no more, for this error number (EPIPE: nobody reads); the engine has been told to quit.
    case outputClosed(Int32)
}
