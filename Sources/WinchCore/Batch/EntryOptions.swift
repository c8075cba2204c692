/// The `name=value` options of a batch entry, under Winch's names and aria2's.
struct EntryOptions {
    var folder: String
    var name: TargetPath?
    var startsPaused = false
    var settings: TransferSettings
    /// True once an option changed `settings`; until then entries share one copy.
    private(set) var ownsSettings = false

    init(folder: String, settings: TransferSettings) {
        self.folder = folder
        self.settings = settings
    }

    /// All that `set` knows, Winch's own first.
    static let names = [
        "out", "dir", "pause", "split", "header", "referer", "user-agent", "user", "password", "proxy", "checksum",
        "on-change", "max-size", "limit-rate", "lowest-speed", "max-tries", "retry-wait", "timeout", "http-user",
        "ftp-user", "http-passwd", "ftp-passwd", "all-proxy", "http-proxy", "https-proxy", "ftp-proxy",
        "max-download-limit", "lowest-speed-limit",
    ]

    enum Fault: Error, Equatable {
        case unknown
        /// Known, but without effect here.
        case unused(String)
        case bad(String)
    }

    mutating func set(_ name: Substring, to value: Substring) throws(Fault) {
        switch name {
        case "out": self.name = try Self.path(value)
        case "dir": folder = try Self.folder(value)
        case "pause": startsPaused = try Self.truth(value)
        case "split":
            guard let count = Int(value), (1...16).contains(count) else { throw .bad("a number from 1 to 16") }
            throw .unused("one connection is used for each file so far")
        default:
            try setSetting(name, to: value)
            ownsSettings = true
        }
    }

    private mutating func setSetting(_ name: Substring, to value: Substring) throws(Fault) {
        switch name {
        case "header": settings.headers.append(try Self.header(value))
        case "referer": settings.referer = try Self.text(value)
        case "user-agent": settings.userAgent = try Self.text(value)
        case "user", "http-user", "ftp-user": settings.user = try Self.text(value)
        case "password", "http-passwd", "ftp-passwd": settings.password = try Self.text(value)
        case "proxy", "all-proxy", "http-proxy", "https-proxy", "ftp-proxy": settings.proxy = try Self.text(value)
        case "checksum":
            guard let checksum = Checksum(value) else {
                throw .bad("TYPE=HEX with md5, sha-1, sha-256 or sha-512 and all its digits")
            }
            settings.checksum = checksum
        case "on-change":
            guard let way = FileChange(rawValue: String(value)) else { throw .bad("restart or fail") }
            settings.onChange = way
        case "max-size":
            guard let size = ByteCount(parsing: value), size > .zero else { throw .bad("bytes, such as 500K or 2G") }
            settings.maxSize = size
        case "limit-rate", "max-download-limit":
            guard let rate = ByteRate(parsing: value) else { throw .bad("bytes a second, such as 500K or 2M") }
            settings.rateLimit = rate > .zero ? rate : nil
        case "lowest-speed", "lowest-speed-limit":
            guard let rate = ByteRate(parsing: value) else { throw .bad("bytes a second, such as 10K") }
            settings.lowestSpeed = rate > .zero ? rate : nil
        case "max-tries":
            guard let tries = Int(value), tries >= 0 else { throw .bad("a number, 0 for without end") }
            settings.maxTries = tries
        case "retry-wait":
            guard let wait = Duration(parsingSeconds: value) else { throw .bad("seconds") }
            settings.retryWait = wait
        case "timeout":
            guard let timeout = Duration(parsingSeconds: value), timeout > .zero else { throw .bad("seconds above 0") }
            settings.stallTimeout = timeout
        default: throw .unknown
        }
    }

    private static func header(_ value: Substring) throws(Fault) -> String {
        guard let line = HeaderLine(value) else { throw .bad("Name: value") }
        return try text(Substring(line.text))
    }

    /// 64 KiB: no server takes a longer header, and a runaway line must not fill the memory.
    private static let longest = 65_536

    private static func text(_ value: Substring) throws(Fault) -> String {
        guard value.utf8.count <= longest else { throw .bad("at most \(longest) bytes") }
        guard value.utf8.allSatisfy(\.isPrintableOrTab) else {
            throw .bad("text without control characters")
        }
        return String(value)
    }

    private static func folder(_ value: Substring) throws(Fault) -> String {
        guard !value.isEmpty else { throw .bad("a folder") }
        return try text(value)
    }

    private static func path(_ value: Substring) throws(Fault) -> TargetPath {
        do throws(TargetPath.Fault) {
            return try TargetPath(value)
        } catch {
            throw .bad("a file below the target folder; this one \(error.message)")
        }
    }

    private static func truth(_ value: Substring) throws(Fault) -> Bool {
        guard let truth = Setting.truth(value) else { throw .bad("true or false") }
        return truth
    }
}
