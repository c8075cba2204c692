import ArgumentParser
import Glibc
import WinchLedger

/// Where what outlives a run is kept.
struct StateArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the ledger. (default: $XDG_STATE_HOME/winch or ~/.local/state/winch)", valueName: "DIR"))
    var stateDir: String?

    var folder: String { stateDir ?? Self.usualFolder }

    var ledger: String { folder + (folder.hasSuffix("/") ? "" : "/") + LedgerInfo.fileName }

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
