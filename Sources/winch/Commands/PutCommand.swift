import ArgumentParser

/// `winch put FILE ... URL`: the command line of `winch` with files in front of the URL.
struct PutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", _superCommandName: "winch",
        abstract: "Uploads files to a URL, in the dashboard and queue of downloads.",
        usage: "winch put FILE ... URL [options]",
        discussion: """
            The last argument is the URL. One that ends in / is a folder, in which each file gets its own name; any other \
            URL takes one file. http and https send by PUT, --method POST by POST; ftp, ftps and sftp send under a \
            temporary name, which is changed once all is there. - is standard input. All options of winch apply; \
            see 'winch --help'.
            """)

    @Argument(help: ArgumentHelp("The files, and then the URL.", valueName: "FILE ... URL"), completion: .file())
    var arguments: [String]
}
