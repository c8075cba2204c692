public import ArgumentParser
public import WinchCore
import WinchScreen

/// The command line. What each option means is said here, once; `Wiring` acts on it.
struct WinchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch",
        abstract: "Hauls many files over the network at once, and shows it.",
        usage: """
            winch [URL ...] [-i FILE ...] [options]
            winch check FILE ...    every problem of a batch file, with its line
            winch info              versions
            """,
        discussion: """
            Several URLs are several files. A batch file (-i) has one entry a line, its mirrors separated by TABs; \
            lines that begin with a blank are options of the entry above, as in aria2. On a terminal the dashboard \
            opens; press ? in it for the keys.
            """,
        version: Version.text)

    @Argument(help: ArgumentHelp("What to fetch: http, https, ftp or sftp.", valueName: "URL"))
    var urls: [String] = []

    @OptionGroup(title: "What and where to") var target: TargetArguments
    @OptionGroup(title: "The queue") var queue: QueueArguments
    @OptionGroup(title: "Each transfer") var transfer: TransferArguments
    @OptionGroup(title: "The screen and other faces") var face: FaceArguments

    func validate() throws {
        if target.out != nil, urls.count != 1 || !target.inputFiles.isEmpty {
            throw ValidationError("-o names one file, so it goes with exactly one URL; in a batch file use out=NAME")
        }
    }

    func run() throws {
        throw ExitCode(try Wiring(command: self).haul())
    }
}

struct TargetArguments: ParsableArguments {
    @Option(
        name: .shortAndLong, parsing: .singleValue,
        help: ArgumentHelp("A batch file; repeatable; - is standard input; gzip is read as well.", valueName: "FILE"))
    var inputFile: [String] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("The folder for the files; made when missing.", valueName: "DIR"))
    var dir = "."

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file's name below the folder, with one URL.", valueName: "NAME"),
        transform: Reading.targetPath)
    var out: TargetPath?

    @Option(help: ArgumentHelp("When a different file has the name: rename, overwrite, skip or fail."))
    var onConflict = NameConflict.rename

    @Option(
        help: ArgumentHelp("What the file must hash to: md5, sha-1, sha-256 or sha-512.", valueName: "TYPE=HEX"),
        transform: Reading.checksum)
    var checksum: Checksum?

    var inputFiles: [String] { inputFile }
}

struct QueueArguments: ParsableArguments {
    @Option(
        name: [.short, .long, .customLong("max-concurrent-downloads")],
        help: ArgumentHelp("Transfers at a time.", valueName: "N"), transform: Reading.atLeastOne)
    var jobs = 4

    @Option(
        name: [.long, .customLong("max-connection-per-server")],
        help: ArgumentHelp("Connections to one host over all files.", valueName: "N"), transform: Reading.atLeastOne)
    var perHost = 8

    @Option(help: ArgumentHelp("How the queue's bar counts: simple (files) or accurate (bytes).", valueName: "MODE"))
    var progress = ProgressMode.accurate

    @Flag(help: "Start with everything paused.")
    var hold = false

    @Flag(help: "Stop everything at the first failure; parts are kept.")
    var failFast = false

    @Option(
        name: [.long, .customLong("max-overall-download-limit")],
        help: ArgumentHelp("Bytes a second over all, such as 500K or 2M.", valueName: "RATE"),
        transform: Reading.rate)
    var limitRate: ByteRate?

    @Option(
        name: [.long, .customLong("max-download-limit")],
        help: ArgumentHelp("Bytes a second for each transfer.", valueName: "RATE"), transform: Reading.rate)
    var limitRateEach: ByteRate?
}

struct TransferArguments: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Connections for each file; more than one has no effect so far.", valueName: "N"),
        transform: Reading.atLeastOne)
    var split = 1

    @Option(
        help: ArgumentHelp("Attempts without progress before a transfer fails; 0: without end.", valueName: "N"),
        transform: Reading.notNegative)
    var maxTries = 5

    @Option(
        help: ArgumentHelp("Seconds before the second attempt; doubled after that, up to 60.", valueName: "S"),
        transform: Reading.seconds)
    var retryWait = Duration.seconds(1)

    @Option(
        help: ArgumentHelp("Seconds in which less than 1 KiB counts as stalled.", valueName: "S"),
        transform: Reading.positiveSeconds)
    var timeout = Duration.seconds(30)

    @Option(
        help: ArgumentHelp("Seconds for a connection to be made.", valueName: "S"), transform: Reading.positiveSeconds)
    var connectTimeout = Duration.seconds(15)

    @Option(
        help: ArgumentHelp("Seconds for a whole transfer, pauses left out.", valueName: "S"),
        transform: Reading.positiveSeconds)
    var maxTime: Duration?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A request header, 'Name: value'; repeatable.", valueName: "LINE"),
        transform: Reading.header)
    var header: [String] = []

    @Option(help: ArgumentHelp("What Winch calls itself.", valueName: "TEXT"), transform: Reading.line)
    var userAgent: String?

    @Option(help: ArgumentHelp("The page that one comes from.", valueName: "URL"), transform: Reading.line)
    var referer: String?

    @Option(
        name: [.long, .customLong("http-user")], help: ArgumentHelp("For servers that want a login.", valueName: "NAME")
    )
    var user: String?

    @Option(name: [.long, .customLong("http-passwd")], help: ArgumentHelp("The login's password.", valueName: "TEXT"))
    var password: String?

    @Flag(help: "Take logins from ~/.netrc.")
    var netrc = false

    @Option(
        name: [.long, .customLong("load-cookies")],
        help: ArgumentHelp("Cookies in Netscape's format.", valueName: "FILE"))
    var cookies: String?

    @Option(
        name: [.long, .customLong("all-proxy")],
        help: ArgumentHelp("The proxy; without it http_proxy, https_proxy and no_proxy hold.", valueName: "URL"))
    var proxy: String?

    @Option(
        name: [.long, .customLong("ca-certificate")],
        help: ArgumentHelp("Certificates to trust, in PEM.", valueName: "FILE"))
    var cacert: String?

    @Flag(help: "Trust any certificate. Anybody on the way can read and change what you fetch.")
    var insecure = false

    @Option(help: ArgumentHelp("Redirects followed.", valueName: "N"), transform: Reading.notNegative)
    var maxRedirs = 20
}

struct FaceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("auto, tui, plain, json or quiet; auto is tui on a terminal, else plain.", valueName: "FACE")
    )
    var output = Face.auto

    @Option(help: ArgumentHelp("standard, rainbow or mono.", valueName: "NAME"), transform: Reading.theme)
    var theme = Theme.standard

    @Flag(help: "Bars jump instead of gliding.")
    var noAnimation = false

    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    @Option(help: ArgumentHelp("Frames a second at most, 1 to 20.", valueName: "N"), transform: Reading.frames)
    var fps = 20

    @Flag(help: "Leave the dashboard when everything is settled.")
    var exit = false
}

/// How the run is shown.
enum Face: String, ExpressibleByArgument, CaseIterable {
    case auto, tui, plain, json, quiet
}

extension ProgressMode: ExpressibleByArgument {}
extension NameConflict: ExpressibleByArgument {}
