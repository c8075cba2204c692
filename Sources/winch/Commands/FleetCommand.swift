import ArgumentParser
import Glibc
import WinchModel
import WinchTerminal

/// `winch fleet`: runs the program `winch-fleet`, which needs libraries that `winch` does not. This type is for the help.
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "fleet", "Works on one list with many machines, through a NATS server.",
        usage: """
            winch fleet submit|work|attach|status ... --server URL
            winch fleet pause|resume|retry|cancel|limit|stop ... --server URL
            """,
        discussion: """
            Runs the program winch-fleet, which is installed beside winch or found in PATH; 'make fleet' builds it. See \
            'winch fleet --help', and FLEET in winch(1).
            """)

    @Argument(
        parsing: .captureForPassthrough, help: .helpText("A command of the fleet.", "COMMAND"),
        completion: .list(commands))
    var arguments: [String] = []

    /// Those of `winch-fleet`, for the completion scripts.
    static let commands = ["submit", "work", "attach", "status", "pause", "resume", "retry", "cancel", "limit", "stop"]

    static let program = "winch-fleet"

    static func become(_ arguments: [String]) -> Never {
        let beside = ProcessTexts.program
            .map { path in path[...(path.lastIndex(of: "/") ?? path.startIndex)] + program }
        let words = ([program] + arguments).map { strdup($0.cBytes) }
        defer { words.forEach { free($0) } }
        if let beside { execv(String(beside).cBytes, words + [nil]) }
        if beside == nil || errno == ENOENT { execvp(program, words + [nil]) }
        let reason =
            errno == ENOENT
            ? "'winch fleet' needs the program \(program), which is neither beside winch nor in PATH; "
                + "'make fleet install' in winch's sources builds and installs it (it needs libnats)"
            : "\(program): \(String(cString: strerror(errno)))"
        ErrorOutput.report(reason)
        Glibc.exit(SessionAccess.unavailableCode)
    }
}
