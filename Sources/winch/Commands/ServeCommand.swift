import ArgumentParser

/// `winch serve`: a run without a terminal.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "serve", "Starts a session: transfers that go on without a terminal.",
        usage: "winch serve [URL ...] [-i FILE ...] [options]",
        discussion: """
            The session resumes what earlier runs left, and begins with the given entries. winch attach shows it in the \
            dashboard, winch status lists it, winch add gives it more, winch stop ends it. It goes on when you log out. \
            All options of winch apply; see 'winch --help'.
            """)

    @Argument(help: .helpText("What to download.", "URL"))
    var urls: [String] = []

    @OptionGroup var options: ServeOptions
    @OptionGroup var state: StateFolderOption
}

/// `winch attach`: the dashboard of a session.
struct AttachCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "attach", "Opens the dashboard on a session that runs.",
        usage: "winch attach [HOST] [options]",
        discussion: """
            All keys work as in a dashboard of its own; q leaves, and the session goes on. With HOST the session is on \
            another machine, which is reached by ssh with its own configuration; winch must be installed there. A lost \
            connection is taken up again. The display options of winch apply; see 'winch --help'.
            """)

    @Argument(help: .helpText("A machine as ssh knows it, e.g. user@name.", "HOST"))
    var host: String?

    @OptionGroup var options: AttachOptions
    @OptionGroup var state: StateFolderOption
}

/// `winch add`: more transfers for a session.
struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "add", "Adds transfers to a session, and starts one when none runs.",
        usage: "winch add [URL ...] [-i FILE ...] [options]",
        discussion: """
            Files come into the current folder unless -d names another. The options for transfers apply; see 'winch \
            --help'.
            """)

    @Argument(help: .helpText("What to download.", "URL"))
    var urls: [String] = []

    @OptionGroup var state: StateFolderOption
}
