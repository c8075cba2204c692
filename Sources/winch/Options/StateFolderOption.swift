import ArgumentParser
import Glibc
import WinchLedger
import WinchScreen

/// The option for the folder in which queue and history are stored.
struct StateFolderOption: ParsableArguments {
    @Option(
        help: .helpText(
            "The folder of queue and history.", "DIR", default: "$XDG_STATE_HOME/winch or ~/.local/state/winch"),
        completion: .directory, transform: OptionValueParsing.folder)
    var stateDir: String?

    var folder: String { stateDir ?? Self.usualFolder }

    /// The state folder for a command that does not take the options of `winch` itself, such as `history`.
    ///
    /// - Parameter sources: the values of the settings file and the environment.
    static func folder(_ sources: SettingSources) -> String {
        let outcome = sources.outcomes.first { $0.option.name == "state-dir" }
        let given = outcome.flatMap { $0.origin == .standard ? nil : $0.value }
        return given.map { (try? OptionValueParsing.folder($0)) ?? $0 } ?? usualFolder
    }

    /// The path of the ledger in the state folder.
    static func ledger(in folder: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + LedgerInfo.fileName
    }

    /// The default folder: `$XDG_STATE_HOME/winch`, else `~/.local/state/winch`.
    ///
    /// - Source: XDG Base Directory Specification: a relative path in the variable is ignored.
    private static var usualFolder: String {
        if let given = getenv("XDG_STATE_HOME").map({ String(cString: $0) }), given.hasPrefix("/") {
            return given + "/winch"
        }
        return home + "/.local/state/winch"
    }

    private static var home: String {
        if let given = getenv("HOME").map({ String(cString: $0) }), given.hasPrefix("/") { return given }
        return getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"
    }
}
