import WinchModel

/// The `name=value` options of a batch entry, under Winch's names and aria2's.
struct BatchEntryOptions {
    package var folder: String
    var name: TargetPath?
    var startsPaused = false
    private(set) var upload = UploadFields()
    private(set) var recursion = FolderFields()
    /// The first of `BatchEntryOptionName.ofDownload`; `nil`: the entry has none of them.
    private(set) var optionOfDownload: String?
    var settings: TransferSettings { didSet { ownsSettings = true } }
    /// True after an option has changed `settings`; until then all entries share one copy of the settings.
    private(set) var ownsSettings = false
    /// The password is the entry's, and no other user's.
    private var hasPassword = false
    /// aria2's options for files that exist; `nil`: not given.
    private var allowsOverwrite: Bool?
    private var renames: Bool?
    private let places: Places

    init(folder: String, settings: TransferSettings, places: Places = Places()) {
        self.folder = folder
        self.settings = settings
        self.places = places
    }

    enum Fault: Error, Equatable {
        case unknown
        /// An option of aria2 that has no effect in Winch; the value says why.
        case unused(String)
        /// The value is wrong; the text completes a sentence about it: `must be true or false`.
        case bad(String)
    }

    /// Sets one option.
    ///
    /// - Parameter name: in lower case, Winch's or aria2's.
    mutating func set(_ name: String, to value: Substring) throws(Fault) {
        guard let option = BatchEntryOptionName(name: name) else {
            if BatchEntryOptionName.ofWholeRun.contains(name) {
                throw .unused("it applies to the whole run; use --\(name)")
            }
            if let reason = UnusedAria2Option.reason(name) { throw .unused(reason) }
            throw .unknown
        }
        try set(option, to: value)
        if BatchEntryOptionName.ofDownload.contains(option) {
            optionOfDownload = optionOfDownload ?? option.rawValue
        }
    }

    private mutating func set(_ option: BatchEntryOptionName, to value: Substring) throws(Fault) {
        switch option {
        case .out: name = try Self.path(value)
        case .dir: folder = try folder(value)
        case .pause: startsPaused = try Self.boolean(value)
        case .split: settings.split = try Self.value(value, SplitLimit.init(reading:))
        case .minSplitSize: settings.minSplitSize = try Self.value(value, ByteCount.size(reading:))
        case .header: settings.headers.append(try Self.header(value))
        case .referer: settings.referer = try Self.text(value)
        case .userAgent: settings.userAgent = try Self.text(value)
        case .user:
            let user = try Self.value(Self.text(value)[...], TransferSettings.userName(reading:))
            if user != settings.user, !hasPassword { settings.password = nil }
            settings.user = user
        case .password:
            settings.password = try Self.text(value)
            hasPassword = true
        case .cert: settings.certificateFile = try Self.file(value)
        case .key: settings.keyFile = try Self.file(value)
        case .hostKey:
            guard let fingerprint = SSHHostKey.fingerprint(value) else {
                throw .bad("must be SHA256: and 43 characters of base64")
            }
            settings.hostKeys.append(fingerprint)
        case .proxy: settings.proxy = try Self.value(Self.text(value)[...], ProxyAddress.reading)
        case .checksum: settings.checksum = try Self.value(value, Checksum.reading)
        case .onConflict: settings.onConflict = try Self.choice(value)
        case .allowOverwrite, .autoFileRenaming:
            let isOn = try Self.boolean(value)
            if option == .allowOverwrite { allowsOverwrite = isOn } else { renames = isOn }
            let way = NameConflict(allowsOverwrite: allowsOverwrite, renames: renames)
            settings.onConflict = way ?? settings.onConflict
        case .onChange: settings.onChange = try Self.choice(value)
        case .fileAllocation:
            guard let way = FileAllocation(reading: value) else { throw .bad("must be \(FileAllocation.words)") }
            settings.fileAllocation = way
        case .ftpTLS: settings.ftpTLS = try Self.choice(value)
        case .noMetalink: settings.metalink = try Self.boolean(value) ? .save : .follow
        case .maxSize: settings.maxSize = try Self.value(value, ByteCount.size(reading:))
        case .limitRate: settings.rateLimit = try Self.value(value, ByteRate.limit(reading:))
        case .lowestSpeed: settings.lowestSpeed = try Self.value(value, ByteRate.limit(reading:))
        case .maxTries:
            guard let tries = Int(value), tries >= 0 else { throw .bad("must be a number; 0 is unlimited") }
            settings.maxTries = tries
        case .retryWait: settings.retryWait = try Self.value(value, Duration.span(reading:))
        case .upload: upload.file = value == "-" ? "-" : try localFile(value)
        case .method:
            let method: UploadOrder.Method = try Self.choice(value.uppercased())
            upload.method = method
        case .form: upload.form.append(try field(value))
        case .resumable: upload.httpProtocol = try Self.choice(value)
        case .createDirs: upload.createsFolders = try Self.boolean(value)
        case .contentType: upload.contentType = try Self.text(value)
        case .noTemporaryName: upload.usesTemporaryName = try !Self.boolean(value)
        case .recursive: recursion.isRecursive = try Self.boolean(value)
        case .depth: recursion.depth = try Self.atLeastOne(value)
        case .maxFiles: recursion.mostFiles = try Self.atLeastOne(value)
        case .include: recursion.globs.append(try Self.glob(value, includes: true))
        case .exclude: recursion.globs.append(try Self.glob(value, includes: false))
        case .noTimes: settings.keepsTimes = try Self.boolean(value) ? false : nil
        case .onDone: settings.onDone = try hook(value)
        case .onFail: settings.onFail = try hook(value)
        case .timeout: settings.stallTimeout = try Self.timeout(value)
        case .connectTimeout: settings.connectTimeout = try Self.timeout(value)
        }
    }

    private static func header(_ value: Substring) throws(Fault) -> String {
        do throws(InvalidValue) { _ = try HeaderLine(value) } catch { throw .bad(error.message) }
        return try text(value)
    }

    private static func atLeastOne(_ value: Substring) throws(Fault) -> Int {
        guard let number = Int(value), number >= 1 else { throw .bad("must be a number from 1 up") }
        return number
    }

    private static func glob(_ value: Substring, includes: Bool) throws(Fault) -> GlobRule {
        guard !value.isEmpty else { throw .bad("must be a pattern, such as *.iso") }
        return GlobRule(includes: includes, pattern: try text(value).systemBytes)
    }

    /// 64 KiB, in bytes: no server accepts a longer header, and one endless line must not fill the memory.
    private static let longest = 65_536

    private static func text(_ value: Substring) throws(Fault) -> String {
        guard value.utf8.count <= longest else { throw .bad("must have at most \(longest) bytes") }
        guard value.utf8.allSatisfy(\.isPrintableOrTab) else {
            throw .bad("must be text without control characters")
        }
        return String(value)
    }

    private func localFile(_ value: Substring) throws(Fault) -> String {
        try Self.value(Self.file(value)[...], places.file)
    }

    private func field(_ value: Substring) throws(Fault) -> FormField {
        guard value.utf8.count <= Self.longest, !value.utf8.contains(0) else {
            throw .bad("must have at most \(Self.longest) bytes, and no NUL")
        }
        guard var field = FormField(value) else { throw .bad("must be NAME=VALUE, or NAME=@FILE") }
        if case .file(let path, let name, let type) = field.value {
            field.value = .file(path: try localFile(path[...]), name: name, type: type)
        }
        return field
    }

    private func folder(_ value: Substring) throws(Fault) -> String {
        guard !value.isEmpty else { throw .bad("must be a folder") }
        return try Self.value(Self.text(value)[...], places.folder)
    }

    /// - Returns: `nil` for an empty value: the entry has none, whatever the run has.
    private func hook(_ value: Substring) throws(Fault) -> HookCommand? {
        value.isEmpty ? nil : try Self.value(value, places.hook)
    }

    private static func timeout(_ value: Substring) throws(Fault) -> Duration {
        let span = try Self.value(value, Duration.span(reading:))
        guard span > .zero else { throw .bad("must be seconds above 0") }
        return span
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: some StringProtocol
    ) throws(Fault) -> Choice {
        guard let choice = Choice(rawValue: String(value)) else { throw .bad("must be \(Choice.words)") }
        return choice
    }

    private static func value<Value>(
        _ text: Substring, _ read: (Substring) throws(InvalidValue) -> Value
    ) throws(Fault) -> Value {
        do throws(InvalidValue) { return try read(text) } catch { throw .bad(": \(error.message)") }
    }

    private static func file(_ value: Substring) throws(Fault) -> String {
        guard !value.isEmpty else { throw .bad("must be a file") }
        return try text(value)
    }

    private static func path(_ value: Substring) throws(Fault) -> TargetPath {
        do throws(TargetPath.Fault) {
            return try TargetPath(value)
        } catch {
            throw .bad("must be a file below the target folder; this one \(error.message)")
        }
    }

    private static func boolean(_ value: Substring) throws(Fault) -> Bool {
        guard let boolean = NameValueLine.boolean(value) else { throw .bad("must be true or false") }
        return boolean
    }
}

/// An option of a batch entry, by the name it has in the file.
enum BatchEntryOptionName: String, CaseIterable {
    case out, dir, pause, split, header, referer, user, password, cert, key, proxy, checksum, timeout
    case userAgent = "user-agent"
    case hostKey = "host-key"
    case ftpTLS = "ftp-tls"
    case onConflict = "on-conflict"
    case onChange = "on-change"
    case fileAllocation = "file-allocation"
    case maxSize = "max-size"
    case noMetalink = "no-metalink"
    case limitRate = "limit-rate"
    case lowestSpeed = "lowest-speed"
    case minSplitSize = "min-split-size"
    case maxTries = "max-tries"
    case retryWait = "retry-wait"
    case connectTimeout = "connect-timeout"
    case upload, method, form, resumable
    case createDirs = "create-dirs"
    case contentType = "content-type"
    case noTemporaryName = "no-temporary-name"
    case recursive, depth, include, exclude
    case maxFiles = "max-files"
    case noTimes = "no-times"
    case onDone = "on-done"
    case onFail = "on-fail"
    // aria2's, for which Winch has another option.
    case allowOverwrite = "allow-overwrite"
    case autoFileRenaming = "auto-file-renaming"

    /// aria2's names for the same options.
    private static let aliases: [String: BatchEntryOptionName] = [
        "http-user": .user, "ftp-user": .user, "http-passwd": .password, "ftp-passwd": .password, "all-proxy": .proxy,
        "http-proxy": .proxy, "https-proxy": .proxy, "ftp-proxy": .proxy, "max-download-limit": .limitRate,
        "lowest-speed-limit": .lowestSpeed, "max-filesize": .maxSize,
        "certificate": .cert,
    ]

    /// Options that say something of the file or folder which a download saves, and have no effect on an upload.
    static let ofDownload: Set<BatchEntryOptionName> = [
        .out, .dir, .checksum, .onConflict, .allowOverwrite, .autoFileRenaming, .onChange, .fileAllocation, .maxSize,
        .noMetalink, .split, .minSplitSize, .recursive, .depth, .include, .exclude, .maxFiles, .noTimes,
    ]

    /// Options of the command line that an entry cannot have, because they apply to the whole run.
    static let ofWholeRun: Set<String> = [
        "input-file", "shard", "sums", "jobs", "per-host", "progress", "hold", "fail-fast", "space-wait",
        "limit-rate-each",
        "limit-upload",
        "max-time", "accept-new-host-keys", "netrc", "cookies", "cacert", "insecure", "allow-downgrade", "max-redirs",
        "on-settled", "max-command-time", "follow",
    ]

    /// - Parameter name: in lower case.
    init?(name: String) {
        guard let option = Self(rawValue: name) ?? Self.aliases[name] else { return nil }
        self = option
    }

    /// All names, Winch's own before aria2's.
    static let names = allCases.map(\.rawValue) + aliases.keys.sorted()
}

/// Options of aria2's input file that have no effect in Winch. An entry with one of them gets a warning and is used.
package enum UnusedAria2Option {
    /// The reason why an option of aria2 has no effect; `nil` when aria2 has no such option.
    package static func reason(_ name: some StringProtocol) -> String? {
        let name = String(name)
        if let reason = reasons[name] { return reason }
        return others.contains(name) || prefixes.contains(where: name.hasPrefix) ? "it has no meaning here" : nil
    }

    /// Whether the option is known by itself to have a value; of those that only have a known beginning it is not.
    package static func hasValue(_ name: String) -> Bool { reasons[name] != nil || others.contains(name) }

    /// Options for which the message names what Winch does or offers instead.
    private static let reasons = [
        "continue": "partial downloads are always resumed",
        "always-resume": "partial downloads are always resumed",
        "max-connection-per-server": "it applies to the whole run; use --per-host",
        "max-concurrent-downloads": "it applies to the whole run; use --jobs",
        "max-overall-download-limit": "it applies to the whole run; use --limit-rate",
        "load-cookies": "it applies to the whole run; use --cookies",
        "ca-certificate": "it applies to the whole run; use --cacert",
        "check-certificate": "it applies to the whole run; use --insecure",
        "dry-run": "winch check FILE checks a batch file and downloads nothing",
        "conditional-get": "a complete file is not downloaded again unless it has changed",
        "remove-control-file": "there are no control files",
    ]

    private static let prefixes = ["bt-", "metalink-", "rpc-", "enable-", "http-proxy-", "https-proxy-", "ftp-proxy-"]

    /// All other options, for which the message is the same.
    /// - Source: aria2c(1), "Input File".
    private static let others: Set<String> = [
        "all-proxy-passwd", "all-proxy-user", "allow-piece-length-change", "async-dns", "check-integrity",
        "content-disposition-default-utf8", "follow-metalink", "follow-torrent", "force-save",
        "ftp-pasv", "ftp-reuse-connection", "ftp-type", "gid", "hash-check-only", "http-accept-gzip",
        "http-auth-challenge", "http-no-cache", "index-out", "max-file-not-found", "max-mmap-limit",
        "max-resume-failure-tries", "max-upload-limit", "no-file-allocation-limit", "no-netrc",
        "no-proxy", "no-want-digest-header", "parameterized-uri", "pause-metadata", "piece-length", "proxy-method",
        "realtime-chunk-checksum", "remote-time", "reuse-uri", "save-not-found", "seed-ratio", "seed-time",
        "select-file", "ssh-host-key-md", "stream-piece-selector", "uri-selector", "use-head",
    ]
}
