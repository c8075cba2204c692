import ArgumentParser

/// What `winch serve`, `winch attach` and `winch add` have besides the options of `winch`. Their help is that of these commands.
struct SessionOptions: ParsableArguments {
    /// Set by `Main` for `winch attach`, whose argument is no URL.
    @Flag(name: .customLong("attached"), help: .private)
    var isAttached = false

    @Flag(help: .private)
    var foreground = false

    @Flag(help: .private)
    var untilDone = false

    @Flag(help: .private)
    var unit = false

    @Flag(help: .private)
    var stdio = false

    @Option(help: .private)
    var remoteCommand: String?

    /// Set for the process that `winch serve` starts: its messages go to the log file once the session can be reached.
    @Flag(name: .customLong("to-session-log"), help: .private)
    var isInBackground = false

    /// Set for the process that `winch add` starts: that another one has started the session in the same moment is no error.
    @Flag(name: .customLong("unless-running"), help: .private)
    var isUnlessRunning = false
}
