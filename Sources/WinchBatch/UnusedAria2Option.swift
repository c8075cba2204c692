/// Options of aria2's input file that have no effect in Winch. An entry with one of them gets a warning and is used.
package enum UnusedAria2Option {
    /// The reason why an option of aria2 has no effect; `nil` when aria2 has no such option.
    package static func reason(_ name: some StringProtocol) -> String? {
        let name = String(name)
        if let reason = reasons[name] { return reason }
        return others.contains(name) || prefixes.contains(where: name.hasPrefix) ? "it has no meaning here" : nil
    }

    /// Options for which the message names what Winch does or offers instead.
    private static let reasons: [String: String] = {
        let always = "partial downloads are always resumed"
        let resuming = ["continue", "always-resume"].map { ($0, always) }
        return Dictionary(
            resuming + [
                ("max-connection-per-server", "it applies to the whole run; use --per-host"),
                ("max-concurrent-downloads", "it applies to the whole run; use --jobs"),
                ("max-overall-download-limit", "it applies to the whole run; use --limit-rate"),
                ("load-cookies", "it applies to the whole run; use --cookies"),
                ("ca-certificate", "it applies to the whole run; use --cacert"),
                ("check-certificate", "it applies to the whole run; use --insecure"),
                ("dry-run", "winch check FILE checks a batch file and downloads nothing"),
                ("conditional-get", "a complete file is not downloaded again unless it has changed"),
                ("remove-control-file", "there are no control files"),
            ], uniquingKeysWith: { first, _ in first })
    }()

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
