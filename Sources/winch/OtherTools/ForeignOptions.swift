import WinchBatch
import WinchModel

/// The translation of common options of aria2, wget and curl.
///
/// - Source: aria2c(1), wget(1), curl(1).
enum ForeignOptions {
    typealias Meaning = ForeignOptionTranslator.Meaning

    // MARK: Long names

    /// - Parameter value: the text after `=`; `nil` without one.
    /// - Returns: `nil` for an unknown option.
    static func long(_ name: String, value: String?) -> Meaning? {
        let isOff = value.map { NameValueLine.boolean($0) == false } ?? false
        switch name {
        case "quiet", "silent", "no-verbose": return .words(isOff ? [] : ["--output", "quiet"])
        case "no-clobber": return .words(["--on-conflict", "skip"])
        case "allow-overwrite", "auto-file-renaming":
            guard let isOn = NameValueLine.boolean(value ?? "true") else { return .answer("must be true or false") }
            return name == "allow-overwrite" ? .allowsOverwrite(isOn) : .renames(isOn)
        case "check-certificate" where !isOff: return .words(["--no-insecure"])
        case "no-check-certificate", "check-certificate": return .answer("is --insecure here")
        case "url": return value.map { .words([$0]) } ?? .words([])
        case "no-netrc": return .words(["--no-netrc"])
        case "mirror": return .words(isOff ? [] : ["--recursive"])
        case "level": return levels(value ?? "")
        case "accept": return .patterns(includes: true)
        case "reject": return .patterns(includes: false)
        case "cut-dirs": return .nothing(ownFolder, takesValue: true)
        default: break
        }
        if let own = aliases[name] { return .alias("--" + own) }
        if let words = answers[name] { return .answer(words) }
        if let reason = reasons[name] { return .nothing(reason) }
        // Options of aria2 with a truth value have it after `=` or leave it out; all others take a value. Where only the beginning
        // of the name is known, the next argument may be a URL, and is kept.
        guard let reason = UnusedAria2Option.reason(name) ?? (aria2s.contains(name) ? meaningless : nil) else {
            return nil
        }
        let hasValue = aria2s.contains(name) || UnusedAria2Option.hasValue(name)
        return .nothing(reason, takesValue: hasValue && !switches.contains(name))
    }

    /// Of wget's lists of endings and patterns, separated by commas.
    static func patterns(in list: String) -> [String] {
        list.split(separator: ",").map { $0.contains { "*?[".contains($0) } ? String($0) : "*\($0)" }
    }

    /// wget's levels are all of them for `inf` and 0.
    private static func levels(_ text: String) -> Meaning {
        ["0", "inf"].contains(text) ? .nothing("all levels are downloaded", takesValue: true) : .alias("--depth")
    }

    private static let ownFolder = "a folder (-r) becomes one folder below --dir"

    private static let meaningless = "it has no meaning here"

    /// By name: Winch's name of the same option, both without dashes.
    static let aliases = [
        "directory-prefix": "dir", "output-dir": "dir", "output-document": "out", "tries": "max-tries",
        "waitretry": "retry-wait", "retry-delay": "retry-wait", "max-redirect": "max-redirs", "parallel-max": "jobs",
        "http-password": "password", "ftp-user": "user", "ftp-password": "password", "ftp-passwd": "password",
        "http-proxy": "proxy", "https-proxy": "proxy", "ftp-proxy": "proxy", "speed-limit": "lowest-speed",
        "output-file": "log", "read-timeout": "timeout", "split-connections": "split",
    ]

    static let answers = [
        "dry-run": "is not supported: winch check FILE checks a batch file and downloads nothing",
        "spider": "is not supported: winch check FILE checks a batch file and downloads nothing",
        "page-requisites": "is not supported: Winch downloads files and folders, not pages with their images",
        "background": "is winch ... & here", "daemon": "is winch ... & here",
        "verbose": "is --log FILE --log-level debug here", "cookie": "is --cookies FILE here",
        "retry": "is --max-tries N here, which counts the first attempt as well",
        "data": "is not supported; -F sends a form, -T a file",
        "request": "is not supported; -T sends a file by PUT, with --method POST by POST",
        "on-download-complete": "is --on-done here; WINCH_HOOK_FILE holds the path",
        "on-download-error": "is --on-fail here; WINCH_HOOK_ERROR holds the reason",
        "on-download-start": noSuchHook, "on-download-pause": noSuchHook, "on-download-stop": noSuchHook,
        "proxy-user": "belongs in the proxy's URL: --proxy http://NAME:PASSWORD@HOST:PORT",
        "proxy-password": "belongs in the proxy's URL: --proxy http://NAME:PASSWORD@HOST:PORT",
        "interface": systemInterface, "multiple-interface": systemInterface,
        "min-tls-version": "is not supported: libcurl and OpenSSL choose the oldest version of TLS",
        "no-proxy": withoutProxy, "noproxy": withoutProxy,
        "torrent-file": "is not supported: Winch downloads over http, https, ftp and sftp",
        "metalink-file": "is -i FILE here",
    ]

    private static let systemInterface = "is not supported: the system chooses the network interface"

    private static let withoutProxy = "is --proxy '' here; for some hosts only: no_proxy=HOST,... in the environment"

    private static let noSuchHook = "is not supported; --on-done, --on-fail and --on-settled run commands at the end"

    static let reasons: [String: String] = {
        let names = "the name that the server gives is used"
        let redirects = "redirects are followed"
        let errors = "an error page is never saved"
        let several = "several URLs are several files"
        return [
            "location": redirects, "fail": errors, "fail-with-body": errors, "show-error": "errors are always shown",
            "remote-name": names, "remote-name-all": names, "remote-header-name": names, "content-disposition": names,
            "trust-server-names": names,
            "compressed": "files are saved as the server has them", "progress-bar": "progress is shown",
            "show-progress": "progress is shown", "no-progress-meter": "use --output quiet",
            "force-sequential": several, "parallel": several,
            "timestamping": "a complete file is not downloaded again unless it has changed",
            "continue-at": "partial downloads are always resumed",
            "no-parent": "of a folder (-r) only what is below it is downloaded",
            "no-directories": "the files of a folder (-r) keep their folders", "no-host-directories": ownFolder,
            "remove-on-error": "a partial file is kept for the next run",
        ]
    }()

    /// Options of aria2's command line that its input file does not have; see `UnusedAria2Option` for the others.
    static let aria2s: Set<String> = [
        "auto-save-interval", "console-log-level", "disk-cache", "disable-ipv6", "download-result", "event-poll",
        "human-readable", "log-level-console", "no-conf", "optimize-concurrent-downloads", "quiet-console",
        "save-session", "save-session-interval", "show-console-readout", "show-files", "stop", "stop-with-process",
        "summary-interval", "truncate-console-readout", "server-stat-of", "server-stat-if", "deferred-input",
        "keep-unfinished-download-result",
    ]

    /// Options of aria2 whose value may be left out.
    private static let switches: Set<String> = [
        "continue", "always-resume", "conditional-get", "remote-time", "check-integrity", "async-dns", "no-conf",
        "allow-piece-length-change", "content-disposition-default-utf8", "force-save", "ftp-pasv",
        "ftp-reuse-connection", "hash-check-only", "http-accept-gzip", "http-auth-challenge", "http-no-cache",
        "human-readable", "no-file-allocation-limit", "no-want-digest-header", "parameterized-uri", "pause-metadata",
        "realtime-chunk-checksum", "remove-control-file", "reuse-uri", "save-not-found", "use-head", "disable-ipv6",
        "show-console-readout", "show-files", "truncate-console-readout", "deferred-input",
        "optimize-concurrent-downloads", "keep-unfinished-download-result",
    ]

    // MARK: Letters

    /// The long names of letters that take no value, and of wget's options of two letters after a single dash.
    private static let longNames = [
        "c": "continue", "q": "quiet", "Z": "parallel", "L": "location", "f": "fail", "S": "show-error",
        "J": "remote-header-name", "#": "progress-bar", "N": "timestamping", "R": "timestamping",
        "nc": "no-clobber", "nv": "no-verbose", "nd": "no-directories", "nH": "no-host-directories", "np": "no-parent",
    ]

    /// - Parameter letters: all of an argument behind its dash.
    static func whole(_ letters: String) -> Meaning? { longNames[letters].flatMap { long($0, value: nil) } }

    /// Whether letters after a dash are several of curl's flags, such as `-fsSL`.
    static func isCluster(_ letters: String) -> Bool {
        letters.count > 1 && letters.allSatisfy(isFlag) && letters.contains { "fSLOJ#".contains($0) }
    }

    static func isFlag(_ letter: Character) -> Bool { "fsSLOJ#".contains(letter) }

    static func inCluster(_ letter: Character) -> Meaning {
        letter == "s" ? .words(["--output", "quiet"]) : short(String(letter), next: nil) ?? .nothing(meaningless)
    }

    /// - Parameter next: the text after the letter in the same argument, or else the next argument.
    static func short(_ letter: String, next: String?) -> Meaning? {
        let isNumber = next.flatMap { Int($0) } != nil
        switch letter {
        case "x": return isNumber ? .alias("--per-host") : .answer("is curl's; here: --proxy URL")
        case "C": return .nothing("partial downloads are always resumed", takesValue: true)
        case "V": return .words(["--version"])
        case "k":
            // With a size it is aria2's --min-split-size. Else it is curl's --insecure, which is refused, so that certificates
            // are not ignored by accident.
            let isSize = next.flatMap { ByteCount(parsing: $0) } != nil
            return isSize ? .alias("--min-split-size") : .answer("is curl's; here: --insecure")
        case "O":
            let isFile = next.map { $0 == "-" || !$0.hasPrefix("-") && !$0.contains("://") } ?? false
            return isFile ? .alias("--out") : long("remote-name", value: nil)
        case "H": return .alias("--header")
        case "A": return .alias("--user-agent")
        case "e":
            let isAddress = next?.contains("://") ?? true
            return isAddress ? .alias("--referer") : .answer("is curl's --referer URL here, not a command of .wgetrc")
        case "l": return isNumber || next == "inf" ? levels(next ?? "") : .answer("is aria2's; here: --log FILE")
        default: return whole(letter) ?? answersOfLetters[letter].map(Meaning.answer)
        }
    }

    private static let answersOfLetters = [
        "P": "is wget's; here: -d DIR", "m": "is --max-tries N (aria2) or --max-time S (curl) here",
        "t": "is --timeout S (aria2) or --max-tries N (wget) here",
        "u": "is curl's; here: --user NAME --password TEXT", "U": "is wget's; here: --user-agent TEXT",
        "b": "is --cookies FILE (curl) or winch ... & (wget) here",
        "v": "is --log FILE --log-level debug here",
        "w": "is not supported; --retry-wait S is the wait before another attempt",
        "n": "is --netrc or --no-netrc here",
        "X": "is not supported; -T sends a file by PUT, with --method POST by POST",
        "D": "is winch ... & here", "a": "is wget's; here: --log FILE",
        "K": "is curl's; here: --config FILE", "I": "is not supported: Winch always downloads the file",
    ]
}
