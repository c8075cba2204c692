import ArgumentParser
import WinchTransport

/// The command line of `winch`: the groups of options, each declared in its own file of the folder Options.
struct WinchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "winch",
        abstract: "Downloads many files at once, in a full-screen dashboard.",
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

    @OptionGroup(title: "Files") var target: FileOptions
    @OptionGroup(title: "Queue") var queue: QueueOptions
    @OptionGroup(title: "Transfers") var transfer: TransferOptions
    @OptionGroup(title: "State") var keeping: StateOptions
    @OptionGroup(title: "Display") var frontEnd: DisplayOptions
    @OptionGroup(title: "Log") var log: LogOptions
    @OptionGroup(title: "Settings") var config: SettingsOptions

    /// The groups above.
    static let sections: [any OptionSection.Type] = [
        FileOptions.self, QueueOptions.self, TransferOptions.self, StateOptions.self, DisplayOptions.self,
        LogOptions.self,
        SettingsOptions.self,
    ]

    func validate() throws {
        if target.out != nil, urls.count != 1 || !target.inputFiles.isEmpty {
            throw ValidationError("-o names one file, so it goes with exactly one URL; in a batch file use out=NAME")
        }
    }
}
