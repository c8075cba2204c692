public import ArgumentParser
import Glibc
import WinchModel
import WinchQueue
import WinchScreen
import WinchTerminal
import WinchTransport

/// The command line of `winch`. Every option is declared in the `...Arguments` types of this module, with its help; the
/// settings file and the environment use the same declarations (`OptionTable`).
struct WinchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch",
        abstract: "Hauls many files over the network at once, in a full-screen dashboard.",
        usage: """
            winch [URL ...] [-i FILE ...] [options]
            winch                      resumes what earlier runs left unfinished
            winch check FILE ...       lists the problems of a batch file
            winch history [TEXT ...]   lists past downloads, newest first
            winch info [options]       shows versions, paths and settings
            winch completions SHELL    prints a script for bash, zsh or fish
            winch help [COMMAND]       shows this, or the help of a command
            """,
        discussion: """
            Each URL is a file of its own. A batch file (-i) has one entry per line, its mirrors separated by TABs; lines \
            below it that begin with a blank are its options, as in aria2. On a terminal the dashboard opens; press ? \
            for its keys.
            """,
        version: WinchVersion.text)

    @Argument(help: ArgumentHelp("What to download: http, https, ftp, ftps or sftp.", valueName: "URL"))
    var urls: [String] = []

    @OptionGroup(title: "Files") var target: TargetArguments
    @OptionGroup(title: "Queue") var queue: QueueArguments
    @OptionGroup(title: "Transfers") var transfer: TransferOptions
    @OptionGroup(title: "State") var keeping: StorageOptions
    @OptionGroup(title: "Display") var face: FaceArguments
    @OptionGroup(title: "Log") var log: LogArguments
    @OptionGroup(title: "Settings") var config: ConfigArguments

    func validate() throws {
        if target.out != nil, urls.count != 1 || !target.inputFiles.isEmpty {
            throw ValidationError("-o names one file, so it goes with exactly one URL; in a batch file use out=NAME")
        }
        let files = [("--cookies", transfer.cookies), ("--cacert", transfer.cacert), ("--key", transfer.key)]
        for (option, file) in files {
            guard let file, access(file, R_OK) != 0 else { continue }
            throw ValidationError("\(option) \(PlainText(file)): \(String(cString: strerror(errno)))")
        }
    }
}

/// The options "Files": what is downloaded and where it is stored.
struct TargetArguments: ParsableArguments {
    @Option(
        name: .joined("i"), parsing: .singleValue,
        help: ArgumentHelp("A batch file, plain or gzip; - is standard input; repeatable.", valueName: "FILE"),
        completion: .file(), transform: OptionValues.file)
    var inputFile: [String] = []

    @Option(
        name: .joined("d"), help: .said("The folder for the files; created when missing.", "DIR", default: "."),
        completion: .directory, transform: OptionValues.folder)
    var dir = "."

    @Option(
        name: .joined("o"),
        help: ArgumentHelp("The file's name below the folder, with one URL; - is standard output.", valueName: "NAME"),
        transform: OptionValues.outputName)
    var out: OutputName?

    @Option(
        help: ArgumentHelp("If a different file of that name exists.", valueName: "WAY"))
    var onConflict = Standard.transfer.onConflict

    @Option(
        help: ArgumentHelp("If the remote file has changed since the partial download.", valueName: "WAY"))
    var onChange = Standard.transfer.onChange

    @Option(
        help: ArgumentHelp(
            "The expected checksum: md5, sha-1, sha-256 or sha-512; HEX alone tells its type by its length.",
            valueName: "TYPE=HEX"),
        transform: OptionValues.checksum)
    var checksum: Checksum?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A checksum list as sha256sum writes it, a path or a URL; repeatable. The files it lists must match.",
            valueName: "FILE"), transform: OptionValues.file)
    var sums: [String] = []

    @Option(
        name: [.long, .customLong("max-filesize")],
        help: .said("Refuse larger files, such as 500M or 2G.", "BYTES", default: "none"),
        transform: OptionValues.size)
    var maxSize: ByteCount?

    var inputFiles: [String] { inputFile }
}

/// The options "Queue": how many transfers run and how fast.
struct QueueArguments: ParsableArguments {
    @Option(
        name: .joined("j", "max-concurrent-downloads"),
        help: .said("Simultaneous downloads.", "N", default: Standard.queue.slots), transform: OptionValues.atLeastOne)
    var jobs = Standard.queue.slots

    @Option(
        name: [.long, .customLong("max-connection-per-server")],
        help: .said(
            "Connections per host, at most; a new host begins with one.", "N",
            default: Standard.queue.perHost),
        transform: OptionValues.atLeastOne)
    var perHost = Standard.queue.perHost

    @Option(
        help: ArgumentHelp(
            "What the progress bar of the queue counts: simple (files) or accurate (bytes).", valueName: "MODE"))
    var progress = Standard.queue.mode

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Start with everything paused.")
    var hold = false

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast, help: "Stop at the first failure; partial files are kept.")
    var failFast = false

    @Option(
        help: .said(
            "Seconds to wait for space on a full disk before failing.", "S",
            default: "30; unlimited in the dashboard"),
        transform: OptionValues.seconds)
    var spaceWait: Duration?

    @Option(
        name: [.long, .customLong("max-overall-download-limit")],
        help: .said("Total rate limit in bytes a second, such as 500K or 2M; none lifts it.", "RATE", default: "none"),
        transform: OptionValues.rate)
    var limitRate: ByteRate?

    @Option(
        name: [.long, .customLong("max-download-limit")],
        help: .said("Rate limit of each transfer.", "RATE", default: "none"), transform: OptionValues.rate)
    var limitRateEach: ByteRate?
}

/// The options "Display": the front end and its appearance.
struct FaceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("How progress is shown; auto is tui on a terminal, else plain.", valueName: "MODE")
    )
    var output = FrontEnd.auto

    @Option(
        help: ArgumentHelp(
            "dark, light, high-contrast, ocean, ember, rainbow, mono, or a theme of your own.", valueName: "NAME"),
        completion: .list(Theme.builtIn.map(\.name)))
    var theme = Theme.standard.name

    @Option(
        help: .said(
            "The order of the list: queue, name, done, size, rate, left, state, elapsed, mean, host or added; "
                + "rate,reverse is the reverse order.",
            "COLUMN", default: "queue"),
        completion: .list(SettingText.sorts), transform: OptionValues.sort)
    var sort = "queue"

    @Option(
        help: .said(
            "Columns of the table, from left to right, separated by commas: \(ColumnChoice.all.joined(separator: " ")).",
            "LIST", default: "auto"),
        completion: .list(["auto"] + ColumnChoice.all), transform: OptionValues.columns)
    var columns = ColumnChoice.automatic

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Animate the bars.")
    var animation = true

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Use the mouse in the dashboard; hold Shift to select text.")
    var mouse = true

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Draw with ASCII characters only.")
    var ascii = false

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Write sentences for a screen reader; the keys are the same.")
    var screenReader = false

    @Option(help: .said("Frames per second, 1 to 20.", "N", default: 20), transform: OptionValues.frames)
    var fps = 20

    @Option(
        help: ArgumentHelp(
            "Notification when all downloads have finished; desktop is the bell where the terminal has no "
                + "notifications.", valueName: "WAY"))
    var notify = TerminalSession.Notice.off

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast, help: "Leave the dashboard when all downloads have finished.")
    var exit = false
}

/// The options "Settings": which settings file is read.
struct ConfigArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The settings file: name=value lines, names as here (default: $XDG_CONFIG_HOME/winch/winch.conf).",
            valueName: "FILE"), completion: .file(), transform: OptionValues.file)
    var config: String?

    @Flag(help: "Read no settings file.")
    var noConfig = false
}

/// The options "Log".
struct LogArguments: ParsableArguments {
    @Option(
        name: .customLong("log"),
        help: ArgumentHelp("Append events to a file, whatever the display.", valueName: "FILE"),
        completion: .file(), transform: OptionValues.file)
    var file: String?

    @Option(
        name: .customLong("log-level"),
        help: ArgumentHelp("The lowest level that is logged: error, warning, info or debug.", valueName: "LEVEL"))
    var level = LogLevel.info
}

/// The value of `-o`.
enum OutputName: Hashable {
    case file(TargetPath)
    case standardOutput

    var path: TargetPath? { if case .file(let path) = self { path } else { nil } }
}

/// The front end of a run; `auto` is `tui` on a terminal, else `plain`.
enum FrontEnd: String, ExpressibleByArgument, CaseIterable {
    case auto, tui, plain, json, quiet
}

extension LogLevel: ExpressibleByArgument {}
extension TerminalSession.Notice: ExpressibleByArgument {}
extension ProgressMode: ExpressibleByArgument {}
extension NameConflict: ExpressibleByArgument {}
extension FileChange: ExpressibleByArgument {}

extension NameSpecification {
    /// A short name whose value may follow without a blank (`-j16`), the long name, and names of other programs.
    static func joined(_ short: Character, _ alias: String...) -> NameSpecification {
        NameSpecification([.customShort(short, allowingJoined: true), .long] + alias.map { .customLong($0) })
    }
}
