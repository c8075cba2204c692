import ArgumentParser

/// What `winch serve` has besides the options of `winch`.
struct ServeOptions: ParsableArguments {
    @Flag(help: "Do not go to the background; for service managers.")
    var foreground = false

    @Flag(help: "End the session when all transfers are settled.")
    var untilDone = false

    @Flag(help: "Print a systemd user unit for such a session, and end.")
    var unit = false
}

/// What `winch attach` has besides the options of `winch`.
struct AttachOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The path of winch on that machine, where it is not found by its name.", valueName: "PATH"))
    var remoteCommand: String?

    @Flag(help: "Connect standard input and output to the session, instead of a dashboard; for clients over ssh.")
    var stdio = false
}

/// What only `winch` itself gives.
struct SessionOptions: ParsableArguments {
    /// Set by `Main` for `winch attach`, whose argument is no URL.
    @Flag(name: .customLong("attached"), help: .private)
    var isAttached = false

    /// Set for the process that `winch serve` starts: its messages go to the log file once the session can be reached.
    @Flag(name: .customLong("to-session-log"), help: .private)
    var isInBackground = false

    /// Set for the process that `winch add` starts: that another one has started the session in the same moment is no error.
    @Flag(name: .customLong("unless-running"), help: .private)
    var isUnlessRunning = false
}
