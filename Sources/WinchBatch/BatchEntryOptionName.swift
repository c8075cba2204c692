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

    /// Options of the command line that an entry cannot have, because they apply to the whole run.
    static let ofWholeRun: Set<String> = [
        "input-file", "shard", "sums", "jobs", "per-host", "progress", "hold", "fail-fast", "space-wait",
        "limit-rate-each",
        "limit-upload",
        "max-time", "accept-new-host-keys", "netrc", "cookies", "cacert", "insecure", "allow-downgrade", "max-redirs",
        "on-settled", "max-command-time",
    ]

    /// - Parameter name: in lower case.
    init?(name: String) {
        guard let option = Self(rawValue: name) ?? Self.aliases[name] else { return nil }
        self = option
    }

    /// All names, Winch's own before aria2's.
    static let names = allCases.map(\.rawValue) + aliases.keys.sorted()
}
