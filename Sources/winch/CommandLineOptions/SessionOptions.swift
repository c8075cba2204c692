import ArgumentParser

/// What `winch serve` has besides the options of `winch`.
struct ServeOptions: ParsableArguments {
    @Flag(help: "Do not go to the background; for service managers.")
    var foreground = false

    @Flag(help: "End the session when all transfers are settled.")
    var untilDone = false

    @Flag(help: "Print a systemd user unit for such a session, and end.")
    var unit = false

    fileprivate var given: [String] {
        [("--foreground", foreground), ("--until-done", untilDone), ("--unit", unit)].filter(\.1).map(\.0)
    }
}

/// What `winch attach` has besides the options of `winch`.
struct AttachOptions: ParsableArguments {
    @Option(help: .helpText("The path of winch on that machine, where it is not found by its name.", "PATH"))
    var remoteCommand: String?

    @Flag(help: "Connect standard input and output to the session, instead of a dashboard; for clients over ssh.")
    var stdio = false

    fileprivate var given: [String] {
        [("--remote-command", remoteCommand != nil), ("--stdio", stdio)].filter(\.1).map(\.0)
    }
}

/// What only `winch` itself gives.
struct SessionOptions: ParsableArguments {
    /// Stands for `winch put`, as the next does for `winch attach`: `Main` puts them before the arguments of the user.
    static let putFlag = "--put-files"
    static let attachFlag = "--attached"

    /// - Parameter arguments: of the user.
    /// - Throws: `ValidationError` when one of these flags is among them.
    static func refuseFlags(in arguments: [String]) throws {
        for argument in arguments.prefix(while: { $0 != "--" }) where [putFlag, attachFlag].contains(argument) {
            let command = argument == putFlag ? "put" : "attach"
            throw ValidationError("there is no option \(argument); did you mean winch \(command)?")
        }
    }

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

extension WinchCommand {
    /// - Parameter own: the command that is carried out; `nil`: one without options besides those of `winch`.
    /// - Throws: `ValidationError` when an option is given that another command has for itself.
    func refuseOptionsOfOthers(besides own: String? = nil) throws {
        for (other, given) in [("serve", serve.given), ("attach", attach.given)] where other != own {
            if let option = given.first { throw ValidationError("\(option) is an option of winch \(other)") }
        }
    }
}
