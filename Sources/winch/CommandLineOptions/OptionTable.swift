import ArgumentParser
import FoundationEssentials

/// All options of a command, as ArgumentParser describes their declarations (see `OptionSection`).
struct OptionTable {
    struct Option: Hashable {
        /// The long name, without dashes.
        var name: String
        /// Other names of the option: aria2's, and single letters. No dashes.
        var aliases: [String]
        /// The option takes no value; it is on when it is given.
        var isFlag: Bool
        /// The flag has an opposite on the command line, as `--exit` has `--no-exit`.
        var isInvertible = false
        /// The default value as text; empty: none.
        var standard: String
        var help: String
        var section: String
        var traits: Set<OptionTrait> = []
    }

    private(set) var options: [Option]

    init(of type: any ParsableArguments.Type) {
        let dump = try? JSONDecoder().decode(Dump.self, from: Data(type._dumpHelp().utf8))
        let all = dump?.command.arguments.compactMap(\.option) ?? []
        // A flag with an inversion is listed twice, as `exit` and `no-exit`.
        let flags = Set(all.filter(\.isFlag).map(\.name))
        options = all.filter { !($0.name.hasPrefix("no-") && flags.contains(String($0.name.dropFirst(3)))) }
        for index in options.indices { options[index].isInvertible = flags.contains("no-" + options[index].name) }
    }

    /// The options of `winch` itself, with their traits. Made when a start first needs it, because ArgumentParser takes longer to
    /// describe the options than to parse a command line.
    static let ofWinch: OptionTable = {
        var table = OptionTable(of: WinchCommand.self)
        let ofAllCommands: [OptionTrait: [String]] = [.ofOneRun: ["version", "help"]]
        for (trait, names) in WinchCommand.sections.flatMap({ $0.traits }) + ofAllCommands {
            for index in table.options.indices where names.contains(table.options[index].name) {
                table.options[index].traits.insert(trait)
            }
        }
        return table
    }()

    /// All names that are accepted in a settings file, except single letters.
    var names: [String] {
        options.map(\.name) + options.filter(\.isFlag).map { "no-" + $0.name }
            + options.flatMap(\.aliases).filter { $0.count > 1 }
    }

    /// - Parameter name: the long name, aria2's name or a single letter, without dashes.
    subscript(name: String) -> Option? {
        options.first { $0.name == name || $0.aliases.contains(name) }
    }
}

/// The parts of ArgumentParser's description of a command (`--experimental-dump-help`) that are needed here.
private struct Dump: Decodable {
    struct Command: Decodable {
        var arguments: [Argument]
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        var preferredName: Name?
        var defaultValue: String?
        var abstract: String?
        var sectionTitle: String?
        /// False for what only `winch` itself gives.
        var shouldDisplay: Bool

        var option: OptionTable.Option? {
            guard kind != "positional", shouldDisplay, let name = preferredName?.name else { return nil }
            let (words, helpText) = Self.split(abstract ?? "")
            return OptionTable.Option(
                name: name, aliases: (names ?? []).map(\.name).filter { $0 != name }, isFlag: kind == "flag",
                standard: standard(helpText), help: words, section: sectionTitle ?? "")
        }

        private func standard(_ helpText: String?) -> String {
            guard kind == "flag" else { return defaultValue ?? helpText ?? "" }
            return defaultValue.map { !$0.hasPrefix("--no-") } ?? false ? "yes" : "no"
        }

        /// ArgumentParser does not know the default of an option with a `transform`; it is in the help text, see
        /// `ArgumentHelp.helpText`.
        private static func split(_ text: String) -> (words: String, standard: String?) {
            guard text.hasSuffix(")"), let start = text.ranges(of: " (default: ").last else { return (text, nil) }
            return (String(text[..<start.lowerBound]), String(text[start.upperBound...].dropLast()))
        }
    }

    var command: Command
}

extension OptionTable {
    /// - Parameter name: as for the subscript, or `no-` and the name of a flag.
    /// - Returns: the option, and whether the name turns it off, as `no-exit` does.
    func meaning(of name: String) -> (option: Option?, isNegated: Bool) {
        if let option = self[name] { return (option, false) }
        guard name.hasPrefix("no-"), let option = self[String(name.dropFirst(3))], option.isFlag else {
            return (nil, false)
        }
        return (option, true)
    }

    /// The options on a command line with their values as given, in order; of an option that is given twice the last counts.
    func given(in arguments: [String]) -> [(name: String, value: String)] {
        var found: [(String, String)] = []
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            let isLong = argument.hasPrefix("--")
            guard isLong || argument.hasPrefix("-") && argument.count > 1 else { continue }
            let body = argument.dropFirst(isLong ? 2 : 1)
            let equals = isLong ? body.firstIndex(of: "=") : nil
            let (option, isNegated) = meaning(
                of: isLong ? String(body[..<(equals ?? body.endIndex)]) : String(body.prefix(1)))
            guard let option else { continue }
            if option.isFlag {
                found.append((option.name, isNegated ? "no" : "yes"))
            } else if let equals {
                found.append((option.name, String(body[body.index(after: equals)...])))
            } else if !isLong, body.count > 1 {
                found.append((option.name, String(body.dropFirst())))
            } else if let value = rest.popFirst() {
                found.append((option.name, value))
            }
        }
        return found
    }
}
