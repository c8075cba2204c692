import ArgumentParser
import Foundation

/// Every option of the command line, as the parser itself describes them: the one list behind the settings file, the
/// environment and the settings panel.
struct OptionTable {
    /// One option.
    struct Option: Hashable {
        /// The long name, without dashes.
        var name: String
        /// Other names that mean the same: aria2's, and the single letters.
        var aliases: [String]
        /// Takes no value: is on when it is there.
        var isFlag: Bool
        var isRepeatable: Bool
        /// What holds when nobody says otherwise; empty: nothing.
        var standard: String
        var help: String
        var section: String
    }

    let options: [Option]

    /// - Parameter type: the command whose options these are.
    init(of type: any ParsableArguments.Type) {
        let dump = try? JSONDecoder().decode(Dump.self, from: Data(type._dumpHelp().utf8))
        let all = dump?.command.arguments.compactMap(\.option) ?? []
        // A flag that can be turned off is described twice.
        let names = Set(all.map(\.name))
        options = all.filter { !($0.name.hasPrefix("no-") && names.contains(String($0.name.dropFirst(3)))) }
    }

    /// All that an option may be called in a settings file, except by a single letter.
    var names: [String] {
        options.map(\.name) + options.filter(\.isFlag).map { "no-" + $0.name }
            + options.flatMap(\.aliases).filter { $0.count > 1 }
    }

    /// - Parameter name: long name, other tool's name or single letter; no dashes. `no-` before a flag's name means it too.
    subscript(name: String) -> Option? {
        options.first { $0.name == name || $0.aliases.contains(name) }
    }
}

/// The parser's description of a command, as far as it is needed.
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
        var isRepeating: Bool
        var defaultValue: String?
        var abstract: String?
        var sectionTitle: String?

        var option: OptionTable.Option? {
            guard kind != "positional", let name = preferredName?.name else { return nil }
            let (words, said) = Self.split(abstract ?? "")
            return OptionTable.Option(
                name: name, aliases: (names ?? []).map(\.name).filter { $0 != name }, isFlag: kind == "flag",
                isRepeatable: isRepeating, standard: standard(said), help: words, section: sectionTitle ?? "")
        }

        private func standard(_ said: String?) -> String {
            guard kind == "flag" else { return defaultValue ?? said ?? "" }
            return defaultValue.map { !$0.hasPrefix("--no-") } ?? false ? "yes" : "no"
        }

        /// The parser knows no defaults of options that are read by functions of ours: they stand in the words.
        private static func split(_ text: String) -> (words: String, standard: String?) {
            guard text.hasSuffix(")"), let start = text.range(of: " (default: ", options: .backwards) else {
                return (text, nil)
            }
            return (String(text[..<start.lowerBound]), String(text[start.upperBound...].dropLast()))
        }
    }

    var command: Command
}

extension OptionTable {
    /// - Returns: the option of this name, and whether the name turns it off, as `no-exit` does.
    func meaning(of name: String) -> (option: Option?, isTurned: Bool) {
        if let option = self[name] { return (option, false) }
        guard name.hasPrefix("no-"), let option = self[String(name.dropFirst(3))], option.isFlag else {
            return (nil, false)
        }
        return (option, true)
    }

    /// The options that stand on a command line, with their values as given; the last of each counts.
    func given(in arguments: [String]) -> [(name: String, value: String)] {
        var found: [(String, String)] = []
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            let isLong = argument.hasPrefix("--")
            guard isLong || argument.hasPrefix("-") && argument.count > 1 else { continue }
            let body = argument.dropFirst(isLong ? 2 : 1)
            let equals = isLong ? body.firstIndex(of: "=") : nil
            let (option, isTurned) = meaning(
                of: isLong ? String(body[..<(equals ?? body.endIndex)]) : String(body.prefix(1)))
            guard let option else { continue }
            if option.isFlag {
                found.append((option.name, isTurned ? "no" : "yes"))
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
