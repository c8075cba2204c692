/// How the loop of a front end (dashboard, speech or reporter) ended.
package enum LoopEnd: Hashable, Sendable {
    /// The user left in order; the engine has been told to quit.
    case left
    /// The run is to be handed over to a session; the engine has been told to quit.
    case handedOver
    /// The session that the dashboard is attached to is to be ended.
    case stoppedSession
    /// The user left at once: the process ends without waiting for anything.
    case quitAtOnce
    /// All transfers are settled and the front end has nothing more to do.
    case settled
    /// SIGINT, SIGTERM or SIGHUP (also: the terminal is gone); the engine has been told to quit.
    case signalled(Int32)
    /// Writing to standard output failed with this error number (EPIPE: the reader has closed it); the engine has
    /// been told to quit.
    case outputClosed(Int32)
}
