import ArgumentParser
import WinchModel

/// Translates the options of aria2, wget and curl on a command line: to Winch's option if there is one; ignored, with a
/// notice, if Winch does the same by default; else refused with the option or command to use instead.
struct ForeignOptionTranslator {
    /// The command line with Winch's options. Options that no program has are kept, for the parser to report.
    private(set) var arguments: [String] = []
    /// The ignored options and the reasons, each once.
    private(set) var notices: [String] = []

    enum Meaning {
        /// The same option with Winch's name, dashes included; the value is kept.
        case alias(String)
        case words([String])
        /// The value is a list of patterns. All lists together say which files are taken.
        case patterns(includes: Bool)
        /// aria2's options for files that exist, which together are one of Winch's.
        case allowsOverwrite(Bool)
        case renames(Bool)
        /// The option is ignored for this reason; `takesValue`: the next argument is its value.
        case nothing(String, takesValue: Bool = false)
        /// The option is refused; the text says what to use instead.
        case answer(String)
    }

    private var allowsOverwrite: Bool?
    private var renames: Bool?
    /// The index in `arguments` at which the first of the two was given.
    private var conflictIndex: Int?

    /// --http-proxy or another option for one scheme was given, as typed.
    private var proxyOption: String?
    /// -A was given, which is curl's --user-agent and wget's --accept.
    private var hasLetterA = false
    /// The patterns of wget's --accept and --reject.
    private var accepted: [String] = []
    private var rejected: [String] = []
    /// The index in `arguments` at which the first of them was given.
    private var patternIndex: Int?

    /// - Throws: `ValidationError` with the answer to an option that is refused.
    init(_ given: [String]) throws {
        var rest = given[...]
        while let argument = rest.popFirst() {
            guard argument != "--" else {
                arguments += [argument] + rest
                break
            }
            if argument.hasPrefix("--") {
                try takeLong(argument, &rest)
            } else if argument.hasPrefix("-"), argument.count > 1 {
                try takeShort(argument, &rest)
            } else {
                arguments.append(argument)
            }
        }
        insertCollected()
        guard hasLetterA || proxyOption != nil else { return }
        let own = OptionTable.ofWinch.given(in: arguments)
        if let proxyOption, Set(own.compactMap { $0.name == "proxy" ? $0.value : nil }).count > 1 {
            throw ValidationError(
                "\(proxyOption) is --proxy here, for all schemes; for several set http_proxy, https_proxy and ftp_proxy"
            )
        }
        if hasLetterA, own.contains(where: { $0.name == "recursive" }) {
            throw ValidationError("-A is --user-agent here; for the files of a folder: --accept LIST or --include GLOB")
        }
    }

    /// Inserts what is made of several options, where the first of them was given.
    private mutating func insertCollected() {
        var inserted: [(index: Int, words: [String])] = []
        if let index = conflictIndex, let way = NameConflict(allowsOverwrite: allowsOverwrite, renames: renames) {
            inserted.append((index, ["--on-conflict", way.rawValue]))
        }
        if let index = patternIndex {
            // Of patterns that match the last one counts, and wget takes no file that is rejected.
            let all = accepted.isEmpty ? [] : ["--exclude", "*"]
            let words = all + accepted.flatMap { ["--include", $0] } + rejected.flatMap { ["--exclude", $0] }
            inserted.append((index, words))
        }
        for (index, words) in inserted.sorted(by: { $0.index > $1.index }) {
            arguments.insert(contentsOf: words, at: index)
        }
    }

    private mutating func takeLong(_ argument: String, _ rest: inout ArraySlice<String>) throws {
        let name = String(argument.dropFirst(2).prefix { $0 != "=" })
        let value = argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
        if let option = OptionTable.ofWinch.meaning(of: name).option {
            guard !option.isFlag, value?.isEmpty ?? true else { return arguments.append(argument) }
            // For the parser `--name=` has no value.
            guard value == nil else { return arguments += ["--\(name)", ""] }
            return takeValue(of: argument, option, &rest)
        }
        guard let meaning = ForeignOptions.long(name, value: value) else { return arguments.append(argument) }
        try take(meaning, "--\(name)", value: value, &rest)
    }

    private mutating func takeShort(_ argument: String, _ rest: inout ArraySlice<String>) throws {
        let letters = String(argument.dropFirst())
        if let meaning = ForeignOptions.whole(letters) { return try take(meaning, argument, value: nil, &rest) }
        if ForeignOptions.isCluster(letters) {
            try takeFlags(letters)
            return
        }
        // Their last letter may be an option with a value: `-fsSLH 'Name: value'`.
        let flags = String(letters.prefix(while: ForeignOptions.isFlag))
        let behind = letters.dropFirst(flags.count)
        if ForeignOptions.isCluster(flags) || ["f", "S", "L", "J"].contains(flags),
            let last = behind.first, "HFAeoTu".contains(last)
        {
            try takeFlags(flags)
            return try takeShort("-\(behind)", &rest)
        }
        let letter = String(letters.prefix(1))
        let joined = letters.count > 1 ? String(letters.dropFirst()) : nil
        let next = joined ?? rest.first
        if letter == "s", Int(next ?? "") == nil, next?.lowercased() != "auto" {
            throw ValidationError("-s is the number of connections here; for no output: --output quiet")
        }
        if let option = OptionTable.ofWinch[letter] {
            guard !option.isFlag, joined == nil else { return arguments.append(argument) }
            return takeValue(of: argument, option, &rest)
        }
        guard let meaning = ForeignOptions.short(letter, next: next) else { return arguments.append(argument) }
        hasLetterA = hasLetterA || letter == "A"
        try take(meaning, "-\(letter)", value: joined, &rest)
    }

    private mutating func takeFlags(_ letters: String) throws {
        var none: ArraySlice<String> = []
        for letter in letters { try take(ForeignOptions.inCluster(letter), "-\(letter)", value: nil, &none) }
    }

    /// Takes the next argument as the value of an option of Winch. The parser takes one that begins with a dash, such as a
    /// password, only behind `=`. Where an option of Winch follows, the value was forgotten, which the parser reports.
    private mutating func takeValue(
        of argument: String, _ option: OptionTable.Option, _ rest: inout ArraySlice<String>
    ) {
        guard let value = rest.popFirst() else { return arguments.append(argument) }
        if value.hasPrefix("-"), value.count > 1, !Self.isOption(value) {
            arguments.append("--\(option.name)=\(value)")
        } else {
            arguments += [argument, value]
        }
    }

    private static func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("--") else {
            return word.count == 2 && OptionTable.ofWinch[String(word.dropFirst())] != nil
        }
        return OptionTable.ofWinch.meaning(of: String(word.dropFirst(2).prefix { $0 != "=" })).option != nil
    }

    /// - Parameter value: the value in the same argument; `nil`: none.
    private mutating func take(
        _ meaning: Meaning, _ option: String, value: String?, _ rest: inout ArraySlice<String>
    ) throws {
        switch meaning {
        case .alias(let name):
            if name == "--proxy" { proxyOption = option }
            if let value {
                arguments += value.isEmpty ? [name, ""] : ["\(name)=\(value)"]
            } else if let own = OptionTable.ofWinch[String(name.dropFirst(2))] {
                takeValue(of: name, own, &rest)
            }
        case .words(let words): arguments += words
        case .allowsOverwrite(let isOn):
            (allowsOverwrite, conflictIndex) = (isOn, conflictIndex ?? arguments.count)
        case .renames(let isOn):
            (renames, conflictIndex) = (isOn, conflictIndex ?? arguments.count)
        case .patterns(let includes):
            let patterns = ForeignOptions.patterns(in: value ?? rest.popFirst() ?? "")
            if includes { accepted += patterns } else { rejected += patterns }
            patternIndex = patternIndex ?? arguments.count
        case .nothing(let reason, let takesValue):
            if takesValue, value == nil { _ = rest.popFirst() }
            let notice = "\(option) has no effect: \(reason)"
            if !notices.contains(notice) { notices.append(notice) }
        case .answer(let words): throw ValidationError("\(option) \(words)")
        }
    }
}
