import ArgumentParser
import Glibc
import WinchBatch
import WinchModel
import WinchScreen
import WinchTransport

/// The settings of a run, combined from all sources: the defaults, the settings file, the run that is resumed, the `WINCH_*`
/// variables of the environment, the command line. Later sources take precedence.
///
/// File, resumed run and environment are converted to options and placed before those of the command line, so that one
/// parser reads them all. A setting that the parser refuses is reported and ignored, unless it is a decisive one:
/// that ends the program.
struct SettingSources {
    struct Outcome: Hashable {
        var option: OptionTable.Option
        /// As it was given; `(set)` for a secret.
        var value: String
        var origin: SettingsList.Origin
    }

    let command: WinchCommand
    /// The name of the run in the ledger. Made with the rest, because a run gives back the code that reads its options.
    let title: String
    let folders: FolderFields
    /// Problems in the form for the user: `winch.conf:3: ...`.
    let problems: [String]
    /// The path of the settings file, which need not exist; `nil` with `--no-config` or without a home folder.
    let path: String?
    /// The key map, changed by the `key.ACTION=KEYS` lines of the settings file.
    let keys: UserKeyBindings
    let themes: ThemeCatalog
    /// Writes settings that were changed in the dashboard to the settings file.
    let saver: SettingsSaver

    static let keyPrefix = "key."

    let arguments: [String]

    private let environment: [String: String]
    /// As given by the last source that has the option, by its name.
    private let values: [String: (value: String, origin: SettingsList.Origin)]
    /// Messages about options of other programs that were ignored, with the reason.
    let notices: [String]

    /// - Parameters:
    ///   - given: the command line without the name of the program.
    ///   - kept: settings of the run that is resumed; the environment and the command line of this run take precedence.
    /// - Throws: an error of the command line, as ArgumentParser reports it.
    init(arguments given: [String], environment: [String: String], kept: [NameValueLine] = []) throws {
        (self.arguments, self.environment) = (given, environment)
        let foreign = try ForeignOptionTranslator(given)
        let arguments = foreign.arguments
        let onCommandLine = arguments.isEmpty ? [] : OptionTable.ofWinch.given(in: arguments)
        let (path, file) = try Self.file(onCommandLine, arguments, environment)
        let themes = ThemeCatalog(folder: SettingsFile.folder(environment).map { $0 + "/themes" })
        func read(parsesEach: Bool) -> (SourceReader, UserKeyBindings) {
            var reading = SourceReader(themes: themes, parsesEach: parsesEach)
            if let file { reading.take(file) }
            let keys = UserKeyBindings(reading.keys)
            reading.problems = Self.sorted(reading.fileProblems + keys.problems.map { ($0.line, $0.message) }, of: path)
            if let problem = reading.openness { reading.problems.append(problem) }
            reading.take(kept: kept)
            reading.take(environment)
            return (reading, keys)
        }
        var (reading, keys) = read(parsesEach: false)
        if reading.arguments.isEmpty, reading.refusal == nil {
            command = try Self.parse(arguments)
        } else if reading.refusal == nil,
            let whole = (try? WinchCommand.parseAsRoot(reading.arguments + arguments)) as? WinchCommand
        {
            command = whole
        } else {
            // Unless the command line is wrong by itself, a setting is.
            _ = try Self.parse(arguments)
            (reading, keys) = read(parsesEach: true)
            if let refusal = reading.refusal { throw ValidationError(refusal) }
            command = try Self.parse(reading.arguments + arguments)
        }
        title = Self.title(of: command, given)
        if command.transfer.connections.proxy == nil { try Self.checkProxies(environment) }
        folders = command.folder.fields(in: arguments)
        var values = reading.last
        for (name, value) in onCommandLine { values[name] = (value, .flag) }
        self.values = values
        if let fault = themes.fault(of: command.frontEnd.theme) { throw ValidationError("--\(fault)") }
        let login = command.transfer.login
        let cookies = login.cookieFile?.warning.map { "--cookies \(login.cookies ?? ""): \($0)" }
        problems = (themes[command.frontEnd.theme]?.problems ?? []) + reading.problems + [cookies].compactMap(\.self)
        notices = foreign.notices
        self.keys = keys
        self.themes = themes
        self.path = path
        saver = SettingsSaver(path: path, home: environment["HOME"])
    }

    /// The same sources with the settings of the run that is resumed.
    func continuing(_ kept: [NameValueLine]) throws -> SettingSources {
        try SettingSources(arguments: arguments, environment: environment, kept: kept)
    }

    /// All settings, in the order of the help.
    var outcomes: [Outcome] {
        OptionTable.ofWinch.options.filter { !$0.traits.contains(.ofOneRun) }.map { option in
            let (value, origin) = values[option.name] ?? (option.standard, .standard)
            let isHidden = option.traits.contains(.secret) && !value.isEmpty
            return Outcome(option: option, value: isHidden ? "(set)" : value, origin: origin)
        }
    }

    /// - Parameter name: of an option.
    /// - Returns: the value as it was given; `nil`: the default applies.
    func value(of name: String) -> String? { values[name]?.value }

    /// The value of an option from the command line, or from the settings file that it names; `nil`: another command without
    /// these has the same value.
    func ownValue(of name: String) -> String? {
        guard let (value, origin) = values[name] else { return nil }
        if origin == .flag { return value }
        if case .file = origin, command.config.config != nil { return value }
        return nil
    }

    /// The problems of the settings file in the order of their lines, with its path.
    private static func sorted(_ problems: [(line: Int, words: String)], of path: String?) -> [String] {
        problems.sorted { $0.line < $1.line }.map { "\(path ?? ""):\($0.line): \($0.words)" }
    }

    /// The part of the entries that a run takes; `nil`: all. The entry that goes to standard output is not divided.
    ///
    /// - Throws: when the environment does not say which it is.
    var shard: Shard? {
        get throws {
            guard let choice = command.target.shard, command.target.out != .standardOutput else { return nil }
            do throws(InvalidValue) {
                return try choice.shard(in: environment)
            } catch {
                throw ValidationError("--shard: \(error.message)")
            }
        }
    }

    var theme: Theme { themes[command.frontEnd.theme] ?? .standard }

    private static func parse(_ arguments: [String]) throws -> WinchCommand {
        let parsed: any ParsableCommand
        do {
            parsed = try WinchCommand.parseAsRoot(arguments)
        } catch {
            throw CommandLineErrors.explained(error, of: WinchCommand.self)
        }
        guard let command = parsed as? WinchCommand else { throw CleanExit.helpRequest(WinchCommand.self) }
        return command
    }

    /// The variables that libcurl reads. Of http_proxy it takes the small form only: a CGI program gets the other one from its client.
    ///
    /// - Source: libcurl-env(3).
    private static func checkProxies(_ environment: [String: String]) throws {
        let names = TransferURL.Scheme.allCases.map { "\($0.rawValue)_proxy" } + ["all_proxy"]
        for name in names + names.dropFirst().map({ $0.uppercased() }) {
            do throws(InvalidValue) {
                _ = try ProxyAddress.reading(environment[name] ?? "")
            } catch {
                throw ValidationError("the variable \(name): \(error.message)")
            }
        }
    }

    /// The settings file and its path. They are found without a pass of the parser, which is the costliest step of a start.
    ///
    /// - Parameter given: the options of the arguments.
    /// - Throws: an error of the command line rather than one of the file.
    private static func file(
        _ given: [(name: String, value: String)], _ arguments: [String], _ environment: [String: String]
    ) throws -> (path: String?, file: SettingsFile?) {
        if given.contains(where: { $0.name == "no-config" }) { return (nil, nil) }
        do {
            let wanted = try given.last { $0.name == "config" }.map { try OptionValueParsing.file($0.value) }
            let path = try wanted ?? usualPath(environment)
            return (path, try path.flatMap { try file($0, isWanted: wanted != nil) })
        } catch {
            _ = try parse(arguments)
            throw error
        }
    }

    private static func usualPath(_ environment: [String: String]) throws -> String? {
        if let path = environment["WINCH_CONFIG"], !path.isEmpty { return try OptionValueParsing.file(path) }
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

    /// Converts settings to options, one source after the other.
    private struct SourceReader {
        let themes: ThemeCatalog
        /// Finds out which settings the parser refuses. It costs a pass over all options for each, so that it is done
        /// only when the parser has refused something.
        let parsesEach: Bool
        var arguments: [String] = []
        var last: [String: (value: String, origin: SettingsList.Origin)] = [:]
        /// All problems: those of the file, then those of the environment.
        var problems: [String] = []
        /// About the first decisive setting that is wrong; `nil`: none is.
        var refusal: String?
        var fileProblems: [(line: Int, words: String)] = []
        /// A warning when the settings file contains a login and other users may read it; `nil`: none.
        var openness: String?
        var keys: [NameValueLines.Line] = []

        mutating func take(_ file: SettingsFile) {
            fileProblems = file.lines.problems.map { ($0.line, $0.message) }
            var holdsSecret = false
            for line in file.lines.lines {
                if line.setting.name.hasPrefix(SettingSources.keyPrefix) {
                    let action = String(line.setting.name.dropFirst(SettingSources.keyPrefix.count))
                    let setting = NameValueLine(name: action, value: line.setting.value)
                    keys.append(NameValueLines.Line(number: line.number, setting: setting))
                } else if let problem = take(
                    line.setting, .file(line: line.number), place: "\(file.path):\(line.number)")
                {
                    fileProblems.append((line.number, problem))
                } else if OptionTable.ofWinch.meaning(of: line.setting.name).option?.traits.contains(.secret) ?? false {
                    holdsSecret = true
                }
            }
            if holdsSecret, file.isOpenToOthers {
                openness = "\(file.path): holds a login and others may read it: chmod 600 \(file.path)"
            }
        }

        /// Takes the settings of the run that is resumed. Those that this version does not know are ignored.
        mutating func take(kept: [NameValueLine]) {
            for setting in kept { _ = take(setting, .lastRun, place: "the last run") }
        }

        /// Takes the variables: `WINCH_LIMIT_RATE=2M` is `--limit-rate 2M`.
        mutating func take(_ environment: [String: String]) {
            for (variable, value) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix("WINCH_") {
                let name = variable.dropFirst("WINCH_".count).lowercased().map { $0 == "_" ? "-" : $0 }
                // What a hook is told is no setting of the winch that the hook runs, nor is the server of a fleet.
                guard variable != "WINCH_CONFIG", !variable.hasPrefix(HookVariables.prefix),
                    !variable.hasPrefix(Self.fleetPrefix)
                else { continue }
                if let problem = take(
                    NameValueLine(name: String(name), value: value), .environment, place: variable)
                {
                    problems.append("\(variable): \(problem)")
                }
            }
        }

        /// Of the variables that `winch-fleet` reads, such as WINCH_FLEET_SERVER.
        private static let fleetPrefix = "WINCH_FLEET_"

        /// - Parameter place: where the setting is, for the user: `winch.conf:3`.
        /// - Returns: why the setting is ignored; `nil` when it is taken, or wrong and decisive: see `refusal`.
        private mutating func take(
            _ setting: NameValueLine, _ origin: SettingsList.Origin, place: String
        ) -> String? {
            let (option, isNegated) = OptionTable.ofWinch.meaning(of: setting.name)
            guard let option else {
                return "no setting '\(setting.name.prefix(40))'"
                    + NearestName.question(for: setting.name, among: OptionTable.ofWinch.names)
            }
            guard !option.traits.contains(.ofOneRun) else {
                return "\(option.name) belongs to one run: give it on the command line"
            }
            if option.name == "theme", let fault = themes.fault(of: setting.value) { return fault }
            let given: [String]
            var value = setting.value
            if option.isFlag {
                guard let boolean = NameValueLine.boolean(value) else {
                    return refused(option, "\(setting.name): '\(value.prefix(40))' is not yes or no", place)
                }
                let isOn = boolean != isNegated
                value = isOn ? "yes" : "no"
                given = isOn ? ["--\(option.name)"] : option.isInvertible ? ["--no-\(option.name)"] : []
            } else {
                // For the parser `--name=` has no value, and one behind a blank must not begin with a dash.
                given = value.isEmpty ? ["--\(option.name)", ""] : ["--\(option.name)=\(value)"]
            }
            do {
                if parsesEach { _ = try SettingSources.parse(given) }
            } catch {
                return refused(option, WinchCommand.message(for: error), place)
            }
            arguments += given
            last[option.name] = (value, origin)
            return nil
        }

        private mutating func refused(_ option: OptionTable.Option, _ words: String, _ place: String) -> String? {
            guard option.traits.contains(.decisive) else { return words }
            refusal = refusal ?? "\(place): \(words)"
            return nil
        }
    }
}

extension SettingSources {
    /// `exit` is a wish for a run of this process; a dashboard of a session follows it from the command line alone.
    func exits(isAttached: Bool) -> Bool {
        guard isAttached, command.frontEnd.exit else { return command.frontEnd.exit }
        return outcomes.contains { $0.option.name == "exit" && $0.origin == .flag }
    }

    /// Settings with their values and origins, for the settings panel: all, or, where the dashboard shows the session of another
    /// process, those of the dashboard, which are the user's own.
    func shown(isAttached: Bool) -> SettingsList {
        SettingsList(
            outcomes.filter { !isAttached || $0.option.section == "Display" }.map { outcome in
                SettingsList.NameValueLine(
                    name: outcome.option.name, value: outcome.value.isEmpty ? "-" : outcome.value,
                    origin: outcome.origin, description: outcome.option.help)
            })
    }
}

struct SettingsFile {
    let path: String
    let lines: NameValueLines
    /// Group or others have a permission for the file. The user is warned if it contains a login as well.
    let isOpenToOthers: Bool

    /// `$XDG_CONFIG_HOME/winch`, else `~/.config/winch`; `nil` when there is no home folder.
    ///
    /// - Source: XDG Base Directory Specification: a relative path in the variable is ignored.
    static func folder(_ environment: [String: String]) -> String? {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/winch" }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config/winch" }
    }

    static func read(_ path: String) throws(InputFile.Failure) -> SettingsFile? {
        var status = stat()
        guard stat(path.cBytes, &status) == 0 || errno != ENOENT && errno != ENOTDIR else { return nil }
        let bytes = try InputFile.read(path)
        return SettingsFile(
            path: path, lines: NameValueLines(parsing: bytes), isOpenToOthers: status.st_mode & 0o077 != 0)
    }
}

/// The available themes: the built-in ones, and the user's own from `$XDG_CONFIG_HOME/winch/themes/NAME.theme`.
struct ThemeCatalog {
    private(set) var themes = Theme.builtIn
    /// By theme name: why its file could not be read.
    private var unreadable: [String: String] = [:]

    private static let suffix = ".theme"
    /// The largest theme file that is read, in bytes; a theme has some twenty lines.
    private static let largest = 1 << 20
    /// How many files are read: more themes cannot be chosen with `t`, which shows one after the other.
    private static let most = 100

    /// - Parameter folder: the folder with the user's themes, which need not exist; `nil`: none.
    init(folder: String?) {
        guard let folder else { return }
        let names = FolderNames.all(in: folder)
        for name in names.filter({ $0.hasSuffix(Self.suffix) && $0 != Self.suffix }).sorted().prefix(Self.most) {
            take(folder + "/" + name, name: String(name.dropLast(Self.suffix.count)))
        }
    }

    /// Reads a theme. One with the name of a built-in theme replaces it.
    private mutating func take(_ path: String, name: String) {
        do throws(InputFile.Failure) {
            let bytes = try InputFile.read(path, largest: Self.largest)
            var (theme, found) = Theme.parsing(bytes, name: name) { base in themes.first { $0.name == base } }
            theme.problems = found.map { "\(path):\($0.line): \($0.message)" }
            if let index = themes.firstIndex(where: { $0.name == name }) {
                themes[index] = theme
            } else {
                themes.append(theme)
            }
        } catch {
            unreadable[name] = error.message
        }
    }

    /// `standard` is another name of the default theme.
    subscript(name: String) -> Theme? {
        themes.first { $0.name == name } ?? (name == "standard" ? Theme.standard : nil)
    }

    /// The error message for a name that no theme has; `nil` for the name of a theme.
    func fault(of name: String) -> String? {
        guard self[name] == nil else { return nil }
        if let reason = unreadable[name] { return "theme: \(reason)" }
        let names = themes.map(\.name)
        return "theme: '\(name.prefix(40))' is not one of \(names.joined(separator: ", "))"
            + NearestName.question(for: name, among: names)
    }
}
