import ArgumentParser
import WinchCore

/// A command line as users of aria2, wget and curl type it: their options are turned into Winch's, dropped where Winch does
/// so anyway, or answered with the option that does it here.
struct ForeignArguments {
    /// With Winch's own options only, unless an option is unknown everywhere.
    private(set) var arguments: [String] = []
    /// What was dropped, and why; each once.
    private(set) var notices: [String] = []

    /// What becomes of an option.
    enum Meaning {
        /// Winch's name for the same, with dashes.
        case alias(String)
        /// Other words in its place.
        case words([String])
        /// Winch does so anyway, or has nothing that it could change.
        case nothing(String, takesValue: Bool = false)
        /// What to do instead.
        case answer(String)
    }

    /// - Parameter table: Winch's own options.
    /// - Throws: an answer, when an option must not be passed over.
    init(_ given: [String], table: OptionTable) throws {
        var rest = given[...]
        while let argument = rest.popFirst() {
            guard argument != "--" else {
                arguments += [argument] + rest
                return
            }
            if argument.hasPrefix("--") {
                try takeLong(argument, &rest, table)
            } else if argument.hasPrefix("-"), argument.count > 1 {
                try takeShort(argument, &rest, table)
            } else {
                arguments.append(argument)
            }
        }
    }

    private mutating func takeLong(_ argument: String, _ rest: inout ArraySlice<String>, _ table: OptionTable) throws {
        let name = String(argument.dropFirst(2).prefix { $0 != "=" })
        let value = argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
        if let option = table.meaning(of: name).option {
            arguments.append(argument)
            // Its value may look like an option.
            if !option.isFlag, value == nil, let next = rest.popFirst() { arguments.append(next) }
            return
        }
        guard let meaning = ForeignOptions.long(name, value: value) else { return arguments.append(argument) }
        try take(meaning, "--\(name)", value: value, &rest)
    }

    private mutating func takeShort(_ argument: String, _ rest: inout ArraySlice<String>, _ table: OptionTable) throws {
        let letters = String(argument.dropFirst())
        if let meaning = ForeignOptions.whole(argument) { return try take(meaning, argument, value: nil, &rest) }
        if ForeignOptions.isCluster(letters) {
            for letter in letters { try take(ForeignOptions.inCluster(letter), "-\(letter)", value: nil, &rest) }
            return
        }
        let letter = String(letters.prefix(1))
        let joined = letters.count > 1 ? String(letters.dropFirst()) : nil
        let next = joined ?? rest.first
        if letter == "s", Int(next ?? "") == nil {
            throw ValidationError("-s is the number of connections here; for no output: --output quiet")
        }
        if let option = table[letter] {
            arguments.append(argument)
            if !option.isFlag, joined == nil, let value = rest.popFirst() { arguments.append(value) }
            return
        }
        guard let meaning = ForeignOptions.short(letter, next: next) else { return arguments.append(argument) }
        try take(meaning, "-\(letter)", value: joined, &rest)
    }

    /// - Parameter value: what stands in the same word.
    private mutating func take(
        _ meaning: Meaning, _ option: String, value: String?, _ rest: inout ArraySlice<String>
    ) throws {
        switch meaning {
        case .alias(let name):
            arguments.append(name)
            if let value = value ?? rest.popFirst() { arguments.append(value) }
        case .words(let words): arguments += words
        case .nothing(let reason, let takesValue):
            if takesValue, value == nil { _ = rest.popFirst() }
            let notice = "\(option) has no effect: \(reason)"
            if !notices.contains(notice) { notices.append(notice) }
        case .answer(let words): throw ValidationError("\(option) \(words)")
        }
    }
}
