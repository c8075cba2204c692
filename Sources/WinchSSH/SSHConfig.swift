import WinchModel

/// An ssh_config file: the keywords for the address of a host, the login and its key files.
///
/// If a keyword appears several times for a host, the first value counts (IdentityFile: all values). `Match` blocks other
/// than `Match all` are ignored and reported in `problems`.
///
/// - Source: ssh_config(5).
package struct SSHConfig: Hashable, Sendable {
    private indirect enum Directive: Hashable {
        case host(SSHPatternList)
        /// A condition other than `all` is never true.
        case match(isAll: Bool)
        case set(keyword: String, values: [String])
        /// The directives of an included file, which apply at this place.
        case include([Directive])
    }

    private var directives: [Directive] = []
    /// Messages such as `~/.ssh/config:12: Match is not understood and was left out`.
    package var problems: [String] = []

    /// The deepest nesting of `Include`; a deeper one is a file that includes itself.
    private static let deepest = 16
    /// The most included files in all: two files that both include both would otherwise be read 2^16 times.
    private static let mostFiles = 128
    private var files = 0

    package init() {}

    /// - Parameters:
    ///   - name: the name of the file, for `problems`.
    ///   - include: returns the files that match the pattern of an `Include`, with their contents.
    package init(parsing bytes: [UInt8], name: String, include: (String) -> [(name: String, bytes: [UInt8])]) {
        directives = read(bytes, name, depth: 0, include)
    }

    /// Adds a file with lower precedence, such as that of the system.
    package mutating func add(_ later: SSHConfig) {
        directives.append(.host(SSHPatternList(["*"])))
        directives.append(.include(later.directives))
        problems += later.problems
    }

    /// The settings that apply to a host.
    ///
    /// - Parameter host: as written in the URL.
    package func settings(for host: String) -> SSHHostSettings {
        var settings = SSHHostSettings()
        Self.apply(directives, for: host, isActive: true, to: &settings)
        return settings
    }

    private static func apply(
        _ directives: [Directive], for host: String, isActive isOuterActive: Bool, to settings: inout SSHHostSettings
    ) {
        var isActive = isOuterActive
        for directive in directives {
            switch directive {
            case .host(let patterns): isActive = isOuterActive && patterns.matches(host)
            case .match(let isAll): isActive = isOuterActive && isAll
            case .set(let keyword, let values): if isActive { settings.set(keyword, to: values) }
            case .include(let inner): apply(inner, for: host, isActive: isActive, to: &settings)
            }
        }
    }

    private mutating func read(
        _ bytes: [UInt8], _ name: String, depth: Int, _ include: (String) -> [(name: String, bytes: [UInt8])]
    ) -> [Directive] {
        var found: [Directive] = []
        for (number, line) in TextLines(bytes) {
            guard let text = String(validating: line, as: UTF8.self) else { continue }
            var words = Self.words(text)
            guard let first = words.first else { continue }
            words.removeFirst()
            switch first.lowercased() {
            case "host": found.append(.host(SSHPatternList(words)))
            case "match":
                let isAll = words.count == 1 && words[0].lowercased() == "all"
                if !isAll { problems.append("\(name):\(number): Match is not understood and was left out") }
                found.append(.match(isAll: isAll))
            case "include":
                guard depth < Self.deepest, files < Self.mostFiles else {
                    problems.append("\(name):\(number): too many files within files")
                    continue
                }
                for pattern in words {
                    for file in include(pattern) {
                        files += 1
                        found.append(.include(read(file.bytes, file.name, depth: depth + 1, include)))
                    }
                }
            case let keyword:
                if keyword == "port", SSHHostSettings.port(words.first) == nil {
                    problems.append("\(name):\(number): no such port: \(words.first ?? "")")
                }
                found.append(.set(keyword: keyword, values: words))
            }
        }
        return found
    }

    /// Splits a line, `Keyword value "a value" 'a value'` or `Keyword=value`, into words without quotes; the first is the
    /// keyword. A backslash before a quote, a backslash or, outside of quotes, a space takes it as it is. A `#` between words
    /// begins a comment.
    static func words(_ line: String) -> [String] {
        var rest = line[...].trimmingBlanks()
        let keyword = rest.prefix { $0 != " " && $0 != "\t" && $0 != "=" && $0 != "\"" }
        guard !keyword.isEmpty, keyword.first != "#" else { return [] }
        rest = rest[keyword.endIndex...].trimmingBlanks()
        if rest.first == "=" { rest = rest.dropFirst().trimmingBlanks() }
        var words = [String(keyword)]
        while let first = rest.first, first != "#" {
            var word = ""
            var quote: Character?
            while let next = rest.first, quote != nil || (next != " " && next != "\t") {
                rest = rest.dropFirst()
                if next == quote {
                    quote = nil
                } else if quote == nil, next == "\"" || next == "'" {
                    quote = next
                } else if next == "\\", let taken = rest.first,
                    taken == "\"" || taken == "'" || taken == "\\" || (quote == nil && taken == " ")
                {
                    word.append(taken)
                    rest = rest.dropFirst()
                } else {
                    word.append(next)
                }
            }
            words.append(word)
            rest = rest.trimmingBlanks()
        }
        return words
    }
}

/// The settings of ssh_config that apply to one host; `nil`: not set.
package struct SSHHostSettings: Hashable, Sendable {
    /// The real name or address of the host; may contain `%h`.
    package var hostName: String?
    package var user: String?
    package var port: Int?
    /// In the order in which they are tried; as written, with `%` tokens and `~`.
    /// Empty: `none`, no file is to be tried.
    package var identityFiles: [String]?
    /// The name to look up in known_hosts instead of the host's.
    package var hostKeyAlias: String?
    /// Replaces `~/.ssh/known_hosts`; as written. Empty: the user has none, `none` or `/dev/null`.
    package var knownHostsFiles: [String]?
    /// True for ProxyJump and ProxyCommand, which Winch does not support.
    package var usesProxy: Bool { proxy ?? false }
    private var proxy: Bool?
    /// No key is to be tried, neither of a file nor of an agent.
    package var refusesKeys: Bool { keys == false }
    /// The agent of `SSH_AUTH_SOCK` is not to be asked: there is to be none, or another one.
    package var refusesAgent: Bool {
        refusesKeys || agent.map { $0 != "SSH_AUTH_SOCK" && $0 != "$SSH_AUTH_SOCK" } ?? false
    }
    private var keys: Bool?
    private var agent: String?

    fileprivate static func port(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { (1...65535).contains($0) ? $0 : nil }
    }

    /// Sets a keyword unless it is set already. Unknown keywords and malformed values are ignored.
    fileprivate mutating func set(_ keyword: String, to values: [String]) {
        guard let value = values.first, !value.isEmpty else { return }
        switch keyword {
        case "hostname": hostName = hostName ?? value
        case "user": user = user ?? value
        case "port": port = port ?? Self.port(value)
        case "identityfile":
            var files = identityFiles ?? []
            if value.lowercased() != "none", !files.contains(value) { files.append(value) }
            identityFiles = files
        case "hostkeyalias": hostKeyAlias = hostKeyAlias ?? value
        case "userknownhostsfile":
            knownHostsFiles = knownHostsFiles ?? values.filter { $0.lowercased() != "none" && $0 != "/dev/null" }
        case "pubkeyauthentication": keys = keys ?? (value.lowercased() != "no")
        case "identityagent": agent = agent ?? value
        case "proxyjump", "proxycommand": proxy = proxy ?? (value.lowercased() != "none")
        default: break
        }
    }
}

/// The values of the `%` tokens and of `~` in ssh_config.
package struct SSHTokens: Hashable, Sendable {
    package var home: String
    package var localUser: String
    package var originalHost: String
    /// As written in the URL.
    package var host: String
    package var port: Int
    package var user: String

    package init(home: String, localUser: String, originalHost: String, host: String, port: Int, user: String) {
        self.home = home
        self.localUser = localUser
        self.originalHost = originalHost
        self.host = host
        self.port = port
        self.user = user
    }

    /// Replaces `%h` `%n` `%p` `%r` `%u` `%d` and `%%`; other tokens are kept.
    package func expanded(_ text: String) -> String {
        var result = ""
        var isToken = false
        for character in text {
            guard isToken else {
                if character == "%" { isToken = true } else { result.append(character) }
                continue
            }
            isToken = false
            switch character {
            case "h": result += host
            case "n": result += originalHost
            case "p": result += String(port)
            case "r": result += user
            case "u": result += localUser
            case "d": result += home
            case "%": result += "%"
            default: result += "%" + String(character)
            }
        }
        return isToken ? result + "%" : result
    }

    /// Replaces the tokens and `${VARIABLE}` in a path, and `~` or `~/` at its beginning by the home folder. A relative path
    /// stays relative.
    ///
    /// - Parameter variable: the value of a variable of the environment; `nil`: it is not set, and its name is kept.
    package func path(_ text: String, variable: (String) -> String? = { _ in nil }) -> String {
        var path = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            let name = String(rest[start.upperBound..<end])
            path += expanded(String(rest[..<start.lowerBound])) + (variable(name) ?? "${\(name)}")
            rest = rest[end...].dropFirst()
        }
        path += expanded(String(rest))
        if path == "~" { return home }
        if path.hasPrefix("~/") { return home + path.dropFirst(1) }
        return path
    }
}

/// A list of host patterns, as in ssh_config and known_hosts: `*` matches any text, `?` any character, and hosts that match a
/// pattern with `!` before it are excluded.
///
/// - Source: ssh_config(5), PATTERNS.
struct SSHPatternList: Hashable, Sendable {
    private struct Pattern: Hashable {
        var bytes: [UInt8]
        var isNegated: Bool
    }

    private let patterns: [Pattern]

    /// - Parameter words: one pattern each; matched without regard to case.
    init(_ words: [some StringProtocol]) {
        patterns = words.map { word in
            let isNegated = word.utf8.first == UInt8(ascii: "!")
            return Pattern(bytes: Array(word.lowercased().utf8.dropFirst(isNegated ? 1 : 0)), isNegated: isNegated)
        }
    }

    /// True when at least one pattern matches and no negated pattern does.
    func matches(_ name: String) -> Bool {
        let name = Array(name.lowercased().utf8)
        var isMatched = false
        for pattern in patterns where Self.matches(pattern.bytes, name) {
            if pattern.isNegated { return false }
            isMatched = true
        }
        return isMatched
    }

    /// Goes back to the last star only, so the time is bounded by the product of the two lengths.
    private static func matches(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
        var (place, at) = (0, 0)
        var star: (place: Int, at: Int)?
        while at < name.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") || pattern[place] == name[at] {
                place += 1
                at += 1
            } else if let last = star {
                star = (last.place, last.at + 1)
                place = last.place + 1
                at = last.at + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
