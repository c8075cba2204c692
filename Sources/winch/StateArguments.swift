import ArgumentParser
import Glibc
import WinchLedger
import WinchScreen

/// Where queue and history are kept.
struct StateArguments: ParsableArguments {
    @Option(
        help: .said(
            "The folder of queue and history.", "DIR", default: "$XDG_STATE_HOME/winch or ~/.local/state/winch"),
        completion: .directory, transform: Reading.folder)
    var stateDir: String?

    var folder: String { stateDir ?? Self.usualFolder }

    /// For a command that does not take the options of winch itself, but must look where winch keeps things.
    ///
    /// - Parameter sources: what the settings file and the environment say of the option.
    static func folder(_ sources: SettingSources) -> String {
        let outcome = sources.outcomes.first { $0.option.name == "state-dir" }
        let given = outcome.flatMap { $0.origin == .standard ? nil : $0.value }
        return given.map { (try? Reading.folder($0)) ?? $0 } ?? usualFolder
    }

    /// The file in that folder.
    static func ledger(in folder: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + LedgerInfo.fileName
    }

    /// - Source: XDG Base Directory Specification: a path that is not absolute counts as not given.
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
