/// The user's ssh_config, as far as it says where a host is and who logs in there.
///
/// Of a keyword that is given once the first value holds, in the order of the file. `Match` blocks other than `Match all`
/// are left out, which `problems` tells.
///
/// - Source: ssh_config(5).
public struct SSHConfig: Hashable, Sendable {
    private indirect enum Directive: Hashable {
        case host(SSHPatternList)
        /// A condition that is not understood never holds.
        case match(isAll: Bool)
        case set(keyword: String, values: [String])
        /// A whole file, which is read as if it stood here.
        case include([Directive])
    }

    private var directives: [Directive] = []
    /// `~/.ssh/config:12: Match is not understood and was left out`.
    public private(set) var problems: [String] = []

    /// Files within files: more is a file that includes itself.
    private static let deepest = 16
    /// In all: each of two files that include both would be read without end.
    private static let mostFiles = 128
    private var files = 0

    public init() {}

    /// - Parameters:
    ///   - name: the file's, for problems.
    ///   - include: the files that a pattern after `Include` names, with their contents.
    public init(parsing bytes: [UInt8], name: String, include: (String) -> [(name: String, bytes: [UInt8])]) {
        directives = read(bytes, name, depth: 0, include)
    }

    /// Adds a file that is asked after this one, such as the system's.
    public mutating func add(_ later: SSHConfig) {
        directives.append(.host(SSHPatternList(["*"])))
        directives.append(.include(later.directives))
        problems += later.problems
    }

    /// All that holds for a host.
    ///
    /// - Parameter host: as the URL names it.
    public func settings(for host: String) -> SSHHostSettings {
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
            case let keyword: found.append(.set(keyword: keyword, values: words))
            }
        }
        return found
    }

    /// `Keyword value "a value"` or `Keyword=value`; what follows a `#` between words is a comment.
    static func words(_ line: String) -> [String] {
        var rest = line[...].trimmingBlanks()
        let keyword = rest.prefix { $0 != " " && $0 != "\t" && $0 != "=" && $0 != "\"" }
        guard !keyword.isEmpty, keyword.first != "#" else { return [] }
        rest = rest[keyword.endIndex...].trimmingBlanks()
        if rest.first == "=" { rest = rest.dropFirst().trimmingBlanks() }
        var words = [String(keyword)]
        while let first = rest.first, first != "#" {
            let isQuoted = first == "\""
            if isQuoted { rest = rest.dropFirst() }
            let word = rest.prefix { isQuoted ? $0 != "\"" : $0 != " " && $0 != "\t" }
            words.append(String(word))
            rest = rest[word.endIndex...].dropFirst(isQuoted ? 1 : 0).trimmingBlanks()
        }
        return words
    }
}

/// What ssh_config says of one host.
public struct SSHHostSettings: Hashable, Sendable {
    /// The host's real name; may hold `%h`.
    public var hostName: String?
    public var user: String?
    public var port: Int?
    /// In the order in which they are tried; as written.
    public var identityFiles: [String] = []
    /// The name under which known_hosts has its key.
    public var hostKeyAlias: String?
    /// Instead of the usual known_hosts; as written.
    public var knownHostsFiles: [String]?
    /// Reached through another host or program, which Winch cannot do.
    public var usesProxy: Bool { proxy ?? false }
    private var proxy: Bool?

    public init() {}

    /// Keywords that are not known, and values that make no sense, are passed over.
    fileprivate mutating func set(_ keyword: String, to values: [String]) {
        guard let value = values.first, !value.isEmpty else { return }
        switch keyword {
        case "hostname": hostName = hostName ?? value
        case "user": user = user ?? value
        case "port": port = port ?? Int(value).flatMap { (1...65535).contains($0) ? $0 : nil }
        case "identityfile":
            if value.lowercased() != "none", !identityFiles.contains(value) { identityFiles.append(value) }
        case "hostkeyalias": hostKeyAlias = hostKeyAlias ?? value
        case "userknownhostsfile": knownHostsFiles = knownHostsFiles ?? values
        case "proxyjump", "proxycommand": proxy = proxy ?? (value.lowercased() != "none")
        default: break
        }
    }
}

/// What the `%` tokens and `~` of ssh_config stand for.
public struct SSHTokens: Hashable, Sendable {
    public var home: String
    public var localUser: String
    /// As the URL names it.
    public var originalHost: String
    public var host: String
    public var port: Int
    public var user: String

    public init(home: String, localUser: String, originalHost: String, host: String, port: Int, user: String) {
        self.home = home
        self.localUser = localUser
        self.originalHost = originalHost
        self.host = host
        self.port = port
        self.user = user
    }

    /// `%h` `%n` `%p` `%r` `%u` `%d` `%%`; others stay as they are.
    public func expanded(_ text: String) -> String {
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

    /// The same for a path: `~/` is the home folder, and a relative path begins there too.
    public func path(_ text: String) -> String {
        let text = expanded(text)
        if text == "~" { return home }
        if text.hasPrefix("~/") { return home + text.dropFirst(1) }
        return text
    }
}
