import ArgumentParser
import WinchCore
import WinchScreen

/// The settings of a run from all their sources: what is built in, the settings file, `WINCH_*` in the environment, the
/// command line. The later hold.
///
/// File and environment are turned into options and set before those of the command line, so that one parser reads all
/// of them in the same way. A line that it refuses is reported and left out: it never stops the start.
struct SettingSources {
    /// What one option has in the end.
    struct Outcome: Hashable {
        var option: OptionTable.Option
        /// As it was given; a secret is not shown.
        var value: String
        var origin: SettingsList.Origin
    }

    let command: WinchCommand
    /// In the order of the help.
    let outcomes: [Outcome]
    /// As a person reads them: `winch.conf:3: ...`.
    let problems: [String]
    /// The settings file in use, there or not; `nil`: none is wanted.
    let path: String?
    /// The key map with the person's `key.ACTION=KEYS` lines in it.
    let keys: KeyChoices
    let themes: ThemeShelf
    /// Keeps what is changed in the dashboard.
    let saver: SettingsSaver

    /// What belongs to one run and not into a file.
    private static let ofOneRun: Set<String> = [
        "input-file", "out", "checksum", "sums", "config", "no-config", "version", "help",
    ]
    private static let secrets: Set<String> = ["password", "user", "header", "proxy"]
    /// Begins the names of key settings.
    static let keyPrefix = "key."

    private let given: [String]
    private let environment: [String: String]
    /// Options of other programs that were passed over, and why.
    let notices: [String]

    /// - Throws: what is wrong with the command line itself, for the parser to say.
    ///
    /// - Parameter kept: of the run that is continued; the environment and the command line of now come before them.
    init(arguments given: [String], environment: [String: String], kept: [Setting] = []) throws {
        (self.given, self.environment) = (given, environment)
        let table = OptionTable(of: WinchCommand.self)
        let foreign = try ForeignArguments(given, table: table)
        let arguments = foreign.arguments
        let own = try Self.parse(arguments)
        let themes = ThemeShelf(folder: SettingsFile.folder(environment).map { $0 + "/themes" })
        var reading = Reading(table: table, themes: themes)
        let path = try Self.path(own, environment)
        let file = try path.flatMap { try Self.file($0, isWanted: own.config.config != nil) }
        if let file { reading.take(file) }
        let keys = KeyChoices(reading.keys)
        reading.problems = Self.sorted(reading.fileProblems + keys.problems.map { ($0.line, $0.message) }, of: path)
        if let problem = reading.openness { reading.problems.append(problem) }
        reading.take(kept: kept)
        reading.take(environment)
        command = try Self.parse(reading.arguments + arguments)
        outcomes = Self.outcomes(table, reading, arguments)
        if let fault = themes.fault(of: command.face.theme) { throw ValidationError("--\(fault)") }
        problems = (themes[command.face.theme]?.problems ?? []) + reading.problems
        let splitting = command.transfer.split > 1 ? ["--split has no effect: each file has one connection"] : []
        notices = foreign.notices + splitting
        self.keys = keys
        self.themes = themes
        self.path = path
        saver = SettingsSaver(path: path, table: table, home: environment["HOME"])
    }

    /// The same, going on with what counted for an earlier run.
    func continuing(_ kept: [Setting]) throws -> SettingSources {
        try SettingSources(arguments: given, environment: environment, kept: kept)
    }

    /// In the order of their lines.
    private static func sorted(_ problems: [(line: Int, words: String)], of path: String?) -> [String] {
        problems.sorted { $0.line < $1.line }.map { "\(path ?? ""):\($0.line): \($0.words)" }
    }

    var theme: Theme { themes[command.face.theme] ?? .standard }

    private static func parse(_ arguments: [String]) throws -> WinchCommand {
        let parsed: any ParsableCommand
        do {
            parsed = try WinchCommand.parseAsRoot(arguments)
        } catch {
            throw Misspelling.explained(error, of: WinchCommand.self)
        }
        guard let command = parsed as? WinchCommand else { throw CleanExit.helpRequest(WinchCommand.self) }
        return command
    }

    private static func path(_ command: WinchCommand, _ environment: [String: String]) throws -> String? {
        if command.config.noConfig { return nil }
        if let path = command.config.config { return path }
        if let path = environment["WINCH_CONFIG"] { return try winch.Reading.file(path) }
        return SettingsFile.folder(environment).map { $0 + "/winch.conf" }
    }

    private static func file(_ path: String, isWanted: Bool) throws -> SettingsFile? {
        do throws(InputFile.Failure) {
            let file = try SettingsFile.read(path)
            if file == nil, isWanted { throw InputFile.Failure(message: "\(path): there is no such file") }
            return file
        } catch {
            throw ValidationError("--config \(error.message)")
        }
    }

    private static func outcomes(_ table: OptionTable, _ reading: Reading, _ arguments: [String]) -> [Outcome] {
        var last: [String: (value: String, origin: SettingsList.Origin)] = reading.last
        for (name, value) in table.given(in: arguments) { last[name] = (value, .flag) }
        return table.options.filter { !ofOneRun.contains($0.name) }.map { option in
            let (value, origin) = last[option.name] ?? (option.standard, .standard)
            let isHidden = secrets.contains(option.name) && !value.isEmpty
            return Outcome(option: option, value: isHidden ? "(set)" : value, origin: origin)
        }
    }

    /// Turns settings into options, one source after the other.
    private struct Reading {
        let table: OptionTable
        let themes: ThemeShelf
        var arguments: [String] = []
        var last: [String: (value: String, origin: SettingsList.Origin)] = [:]
        /// Of the environment, behind those of the file.
        var problems: [String] = []
        var fileProblems: [(line: Int, words: String)] = []
        /// Others may read a login in the file.
        var openness: String?
        var keys: [KeyChoices.Line] = []

        mutating func take(_ file: SettingsFile) {
            fileProblems = file.lines.problems.map { ($0.line, $0.message) }
            var holdsSecret = false
            for line in file.lines.lines {
                if line.setting.name.hasPrefix(SettingSources.keyPrefix) {
                    let action = String(line.setting.name.dropFirst(SettingSources.keyPrefix.count))
                    keys.append(KeyChoices.Line(number: line.number, action: action, keys: line.setting.value))
                } else if let problem = take(line.setting, .file(line: line.number)) {
                    fileProblems.append((line.number, problem))
                } else if SettingSources.secrets.contains(line.setting.name) {
                    holdsSecret = true
                }
            }
            if holdsSecret, file.isOpenToOthers {
                openness = "\(file.path): holds a login and others may read it: chmod 600 \(file.path)"
            }
        }

        /// What another version kept and this one does not know is left out.
        mutating func take(kept: [Setting]) {
            for setting in kept { _ = take(setting, .lastRun) }
        }

        /// `WINCH_LIMIT_RATE=2M` is `--limit-rate 2M`.
        mutating func take(_ environment: [String: String]) {
            for (variable, value) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix("WINCH_") {
                let name = variable.dropFirst("WINCH_".count).lowercased().map { $0 == "_" ? "-" : $0 }
                guard variable != "WINCH_CONFIG" else { continue }
                if let problem = take(Setting(name: String(name), value: value), .environment) {
                    problems.append("\(variable): \(problem)")
                }
            }
        }

        /// - Returns: what is wrong with it, if anything.
        private mutating func take(_ setting: Setting, _ origin: SettingsList.Origin) -> String? {
            let (option, isTurned) = table.meaning(of: setting.name)
            guard let option else {
                return "no setting '\(setting.name.prefix(40))'"
                    + NearestName.question(for: setting.name, among: table.names)
            }
            guard !SettingSources.ofOneRun.contains(option.name) else {
                return "\(option.name) belongs to one run: give it on the command line"
            }
            if option.name == "theme", let fault = themes.fault(of: setting.value) { return fault }
            let argument: String
            var value = setting.value
            if option.isFlag {
                guard let truth = Setting.truth(value) else {
                    return "\(setting.name): '\(value.prefix(40))' is not yes or no"
                }
                value = truth != isTurned ? "yes" : "no"
                argument = truth != isTurned ? "--\(option.name)" : "--no-\(option.name)"
            } else {
                argument = "--\(option.name)=\(value)"
            }
            do {
                _ = try SettingSources.parse([argument])
            } catch {
                return WinchCommand.message(for: error)
            }
            arguments.append(argument)
            last[option.name] = (value, origin)
            return nil
        }
    }
}
