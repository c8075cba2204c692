import ArgumentParser
import Glibc
import WinchLedger
import WinchModel
import WinchTerminal

/// The option for the folder in which queue and history are stored.
struct StateFolderOption: ParsableArguments {
    @Option(
        help: .helpText(
            "The folder of queue and history.", "DIR", default: "$XDG_STATE_HOME/winch or ~/.local/state/winch"),
        completion: .directory, transform: OptionValueParsing.folder)
    var stateDir: String?

    @Option(
        help: .helpText(
            "A session with queue and history of its own, in the folder sessions/NAME of the state folder.", "NAME"),
        transform: OptionValueParsing.sessionName)
    var session: String?

    var folder: String { Self.folder(of: session, in: stateDir ?? Self.usualFolder) }

    /// What names the same folder to another process in this working folder.
    var arguments: [String] {
        (stateDir.map { ["--state-dir", $0] } ?? []) + (session.map { ["--session", $0] } ?? [])
    }

    /// The folder for a command that does not take the options of `winch` itself: the settings file and the environment count where
    /// the command line says nothing of it.
    var chosenFolder: String {
        get throws {
            guard stateDir == nil, session == nil else { return folder }
            return Self.folder(try SettingSources(arguments: [], environment: ProcessTexts.environmentWithHome))
        }
    }

    /// The state folder that contains those of all sessions, whatever session the environment or the settings file names.
    var unnamedFolder: String {
        get throws {
            if let stateDir { return stateDir }
            let sources = try SettingSources(arguments: [], environment: ProcessTexts.environmentWithHome)
            return sources.value(of: "state-dir").map { (try? OptionValueParsing.folder($0)) ?? $0 } ?? Self.usualFolder
        }
    }

    /// The state folder of a session; `nil`: the usual one.
    static func folder(of session: String?, in folder: String) -> String {
        session.map { "\(sessionsFolder(in: folder))/\($0)" } ?? folder
    }

    static func sessionsFolder(in folder: String) -> String {
        (folder.hasSuffix("/") ? String(folder.dropLast()) : folder) + "/sessions"
    }

    /// The state folder for a command that does not take the options of `winch` itself, such as `history`.
    ///
    /// - Parameter sources: the values of the settings file and the environment.
    static func folder(_ sources: SettingSources) -> String {
        let given = sources.value(of: "state-dir").map { (try? OptionValueParsing.folder($0)) ?? $0 }
        return folder(of: sources.value(of: "session"), in: given ?? usualFolder)
    }

    static func ledger(in folder: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + LedgerInfo.fileName
    }

    /// The default folder: `$XDG_STATE_HOME/winch`, else `~/.local/state/winch`.
    ///
    /// - Source: XDG Base Directory Specification: a relative path in the variable is ignored.
    private static var usualFolder: String {
        if let given = getenv("XDG_STATE_HOME").map({ String(systemC: $0) }), given.hasPrefix("/") {
            return given + "/winch"
        }
        return ((try? HomeFolders.system.expanded("~")) ?? "/") + "/.local/state/winch"
    }
}

/// The options "State": what is stored across runs.
struct StateOptions: OptionSection {
    @OptionGroup var place: StateFolderOption

    @Flag(
        help: """
            Neither save the queue nor read earlier ones; without a URL the dashboard opens empty; press a to add downloads.
            """)
    var ephemeral = false
}

/// Commands of `winch` for the state folder of this process, as the user types them in this working folder.
struct StateCommands: Sendable {
    /// `--state-dir` and `--session`, as far as a command without them would be for another folder. Empty where the folder is the
    /// usual one, or the environment or the usual settings file names it, which count for that command too.
    private let options: [String]

    init(options: [String] = []) { self.options = options }

    /// - Parameter arguments: of this process, whose command has no other source for the two.
    init(arguments: [String]) {
        let given = OptionTable.ofWinch.given(in: arguments)
        self.init(options: Self.options { name in given.last { $0.name == name }?.value })
    }

    init(_ sources: SettingSources) { self.init(options: Self.options { sources.ownValue(of: $0) }) }

    private static func options(_ value: (String) -> String?) -> [String] {
        ["state-dir", "session"].flatMap { name in value(name).map { ["--" + name, $0] } ?? [] }
    }

    /// A line for a shell: `winch attach --session night`.
    ///
    /// - Parameter command: with what else belongs to it, for a shell; empty: `winch` without a command.
    func line(_ command: String = "") -> String {
        (["winch"] + (command.isEmpty ? [] : [command]) + options.map(RemoteSession.quoted)).joined(separator: " ")
    }
}
