import ArgumentParser
import WinchScreen
import WinchTerminal

/// The options "Display": the front end and its appearance.
struct DisplayOptions: OptionSection {
    @Option(help: .helpText("How progress is shown; auto is tui on a terminal, else plain.", "MODE"))
    var output = FrontEnd.auto

    @Option(
        help: .helpText("\(Theme.builtIn.map(\.name).joined(separator: ", ")), or a theme of your own.", "NAME"),
        completion: .list(Theme.builtIn.map(\.name)))
    var theme = Theme.standard.name

    @Option(
        help: .helpText(
            "The order of the list: \(SettingText.sortWords); rate,reverse is the reverse order.", "COLUMN",
            default: "queue"),
        completion: .list(SettingText.sorts), transform: OptionValueParsing.sort)
    var sort = "queue"

    @Option(
        help: .helpText(
            "Columns of the table, from left to right, separated by commas: \(ColumnChoice.all.joined(separator: " ")).",
            "LIST", default: "auto"),
        completion: .list(["auto"] + ColumnChoice.all), transform: OptionValueParsing.columns)
    var columns = ColumnChoice.automatic

    @Option(help: .helpText("Group the list by folder; auto does so when a folder is downloaded whole.", "WHEN"))
    var group = ListGrouping.auto

    @Flag(inversion: .prefixedNo, help: "Animate the bars.")
    var animation = true

    @Flag(inversion: .prefixedNo, help: "Use the mouse in the dashboard; hold Shift to select text.")
    var mouse = true

    @Flag(inversion: .prefixedNo, help: "Draw with ASCII characters only.")
    var ascii = false

    @Flag(inversion: .prefixedNo, help: "Write sentences for a screen reader; the keys are the same.")
    var screenReader = false

    @Option(help: .helpText("Frames per second, 1 to 20.", "N", default: 20), transform: OptionValueParsing.frames)
    var fps = 20

    @Option(
        help: .helpText(
            "Notification when all downloads have finished; desktop is the bell where the terminal has no "
                + "notifications.", "WAY"))
    var notify = TerminalControl.Notice.off

    @Flag(inversion: .prefixedNo, help: "Leave the dashboard when all downloads have finished.")
    var exit = false
}

/// The front end of a run; `auto` is `tui` on a terminal, else `plain`.
enum FrontEnd: String, ExpressibleByArgument, CaseIterable {
    case auto, tui, plain, json, quiet

    /// `nil`: it may be the dashboard.
    var reportKind: ReportKind? { ReportKind(rawValue: rawValue) }
}

extension TerminalControl.Notice: ExpressibleByArgument {}

extension ListGrouping: ExpressibleByArgument {}
