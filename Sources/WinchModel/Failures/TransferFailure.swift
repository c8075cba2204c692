/// Why a transfer failed. Decisions that depend on the failure, such as whether to retry, are properties of this type.
public indirect enum TransferFailure: Error, Hashable, Sendable, Codable {
    /// The name of the host does not exist.
    case hostNotFound(String)
    /// The name cannot be looked up now: no name server answers, or the network is down.
    case nameServerDown(host: String)
    /// The machine has no route to the host now.
    case networkDown(host: String, reason: String)
    /// No connection: refused, unreachable, or reset while connecting. `reason`: the system's description.
    case unreachable(host: String, reason: String)
    /// No connection was ready after this many seconds. `isInLogin`: an FTP or SFTP server has accepted it, but the login was not
    /// done.
    case connectTimeout(host: String, seconds: Double, isInLogin: Bool? = nil)
    /// Less than 1 KiB arrived in this many seconds.
    case stalled(seconds: Double)
    /// The whole transfer took longer than allowed.
    case timeLimit(seconds: Double)
    /// The rate was below `--lowest-speed` for so many seconds.
    case tooSlow(perSecond: Double, seconds: Double)
    /// The server answered with this HTTP status, which is not what was asked for: an error, or "not yet".
    case httpStatus(Int)
    /// An FTP server accepts no more clients now; `reply`: its reply, the code first.
    case serverBusy(reply: String)
    /// The server wants a login, and none was sent, or none of a kind that it takes. `origin`: the server, as in
    /// `TransferURL.origin`; `offers`: the ways to log in that it offers, if Winch speaks none of them.
    case loginNeeded(origin: String, offers: String? = nil)
    /// The server refuses the login. `origin`: the server, as in `TransferURL.origin`, `nil` if it takes no password; `user`:
    /// the user name that was sent, `nil` when it was typed during the run; `details`: the user, the methods that were tried and
    /// what to do; both `nil` when not known.
    case loginRefused(origin: String?, user: String?, details: String?)
    /// The server asks for a longer wait (Retry-After) than Winch accepts.
    case askedToWait(status: Int, seconds: Double)
    /// More redirects than allowed; the allowed number.
    case tooManyRedirects(Int)
    /// A redirect to a scheme that is not followed, or without a usable URL.
    case redirectRefused(String)
    /// The certificate is not trusted; the TLS library's message.
    case untrusted(String)
    /// The TLS handshake or its settings failed; the TLS library's message.
    case tls(String)
    case proxy(String)
    /// The connection ended before the announced size was received.
    case cutShort(have: ByteCount, expected: ByteCount?)
    /// The connection broke during the transfer.
    case connectionLost(String)
    /// The response is invalid: lengths that disagree, or a range that was not requested.
    case badResponse(String)
    /// A different file has the name (`--on-conflict fail`).
    case nameTaken(String)
    /// The folder or the part file cannot be created.
    case folder(String, reason: String)
    /// The file system of this folder has too little space.
    ///
    /// - Parameters:
    ///   - needs: bytes that are still to be received; with `size`, those of the whole file.
    ///   - free: bytes that may still be written.
    ///   - size: the size of the file system, given when it is smaller than the file, so that waiting cannot help.
    case diskFull(folder: String, needs: ByteCount? = nil, free: ByteCount? = nil, size: ByteCount? = nil)
    /// Reading or writing this path failed. `reason`: the system's description.
    case readWrite(String, reason: String)
    /// `type`: an `Algorithm`'s raw value; the digests are in hexadecimal. `servers`: two that send the same file, given when
    /// no other was asked for that reason.
    case checksum(type: String, expected: String, got: String, servers: String? = nil)
    /// The file at this path has other bytes than a checksum demands, and stays as it is (`--on-conflict skip`).
    case existingFileDiffers(String)
    /// Another process downloads the same file; `pid` is `nil` when it is not known which one.
    case inUse(String, pid: Int32?)
    /// The file at the server is no longer the one whose bytes are in the part file (`--on-change fail`).
    case changed
    /// The server sent an HTML page where `expected` (`.zip`, or a media type) was expected. The part file was not changed.
    case unexpectedPage(expected: String)
    /// The file is larger than allowed (`--max-size`); `size`: as announced, `nil` when more bytes than allowed arrived.
    case tooLarge(limit: ByteCount, size: ByteCount?)
    /// known_hosts has no key for the SSH server.
    case hostKeyUnknown(SSHHostKey)
    /// The server has another key than the one in this line of a known_hosts file.
    case hostKeyChanged(SSHHostKey, file: String, line: Int)
    /// This line of a known_hosts file marks the server's key as revoked.
    case hostKeyRevoked(SSHHostKey, file: String, line: Int)
    /// The private key in this file needs a passphrase, or the given one is wrong.
    case keyLocked(String, isWrong: Bool)
    /// An FTP or SFTP server does not give the file.
    case remoteFile(RemoteFileFault, path: String)
    /// What was taken for a file is a folder with so many files and folders in it. `isMore`: there are others, which were not
    /// counted.
    case remoteFolder(path: String, files: Int, folders: Int, isMore: Bool)
    /// An FTP or SFTP server does not take the file. `details`: the server's words; `nil`: there are none.
    case remoteWrite(RemoteWriteFault, path: String, details: String? = nil)
    /// The server has no space for the file; the host.
    case remoteFull(host: String)
    /// The file that is uploaded has changed meanwhile; its path.
    case sourceChanged(String)
    /// What is uploaded can be read only once, and a part of it was sent; the reason for which it must be sent again.
    case notRepeatable(String)
    /// A request that must not be made twice was sent, and no answer came; the reason.
    case unanswered(String)
    /// The server answered with this status, a success, before it had the whole body.
    case answeredEarly(status: Int)
    /// The queue was stopped because another transfer failed (`--fail-fast`).
    case stoppedByFailFast
    /// Any other failure; the library's message.
    case other(String)
}

/// Why an FTP or SFTP server does not give a file.
public enum RemoteFileFault: String, Hashable, Sendable, Codable {
    /// There is no such file.
    case missing
    /// The user may not read it.
    case denied
    /// The path is a folder.
    case folder
    /// FTP has one reply code (550) for both.
    case missingOrDenied
    /// Not now, which says nothing of other files.
    case busy
}

/// Why an FTP or SFTP server does not take a file.
public enum RemoteWriteFault: String, Hashable, Sendable, Codable {
    /// The user may not write there.
    case denied
    /// There is no such folder.
    case noFolder
    /// Winch has no way to send the name; `details` says by what, and why.
    case name
    /// The file has the temporary name and cannot get its own.
    case rename
    /// A folder has the name.
    case folder
    /// The file at the server has another size than was sent.
    case size
    /// Not now.
    case busy
    /// The server gives no reason that is known.
    case unknown
}

extension TransferFailure {
    /// Two connections to a server of FTP or SFTP have brought different bytes for the same place of a file: nothing of it is kept.
    package static let mixed = TransferFailure.badResponse("its connections were sent different files")

    /// The failure that an HTTP status is: a 401 refuses the login of the request, or asks for one.
    ///
    /// - Parameters:
    ///   - url: of the request.
    ///   - settings: of the request.
    ///   - offers: the ways to log in that the answer offers, if Winch speaks none of them.
    package static func status(
        _ code: Int, of url: TransferURL, _ settings: TransferSettings, offers: String? = nil
    ) -> TransferFailure {
        guard code == 401 else { return .httpStatus(code) }
        if let offers, !settings.hasLine("authorization") { return .loginNeeded(origin: url.origin, offers: offers) }
        return settings.hasLogin(at: url)
            ? .loginRefused(origin: url.origin, user: settings.recordedUserName(at: url), details: nil)
            : .loginNeeded(origin: url.origin)
    }

    /// The server that wants another user name or password, as in `TransferURL.origin`.
    package var loginOrigin: String? {
        switch self {
        case .loginNeeded(let origin, _): origin
        case .loginRefused(let origin, _, _): origin
        default: nil
        }
    }

    /// `401 ` where the server speaks HTTP.
    private var statusPrefix: String { httpStatus.map { "\($0) " } ?? "" }

    /// The HTTP status that is the reason; `nil`: another reason.
    package var httpStatus: Int? {
        switch self {
        case .httpStatus(let code), .askedToWait(let code, _): code
        case .loginNeeded, .loginRefused: loginOrigin?.hasPrefix("http") ?? false ? 401 : nil
        default: nil
        }
    }

    /// Whether another mirror of the same file may succeed.
    public var isMirrorsFault: Bool {
        switch self {
        case .timeLimit, .nameTaken, .folder, .diskFull, .readWrite, .existingFileDiffers, .inUse, .stoppedByFailFast,
            .sourceChanged,
            .notRepeatable:
            false
        default: true
        }
    }

    /// An answer of the user may resolve it.
    package var asksUser: Bool {
        switch self {
        case .hostKeyUnknown, .keyLocked, .loginNeeded(_, nil), .loginRefused: true
        default: false
        }
    }

    /// The folder that was taken for a file; `nil`: another failure.
    ///
    /// - Returns: its path at the server, and what it is, as far as that is known: `a folder of 214 files`.
    package var unwantedFolder: (path: String, words: String)? {
        switch self {
        case .remoteFile(.folder, let path): (path, "a folder")
        case .remoteFolder(let path, 0, 0, let isMore): (path, isMore ? "a folder" : "an empty folder")
        case .remoteFolder(let path, let files, let folders, let isMore):
            (path, "a folder of " + (isMore ? "more than " : "") + Self.counted(files: files, folders: folders))
        default: nil
        }
    }

    /// The name of a transfer that has failed for this reason, as reports give it: a folder that was taken for a page has its own
    /// name instead of the page's, `index.html`.
    ///
    /// - Parameter name: of the transfer's file.
    package func reported(_ name: String) -> String {
        guard let path = unwantedFolder?.path, path.utf8.last == UInt8(ascii: "/") else { return name }
        return "\(path.split(separator: "/").last ?? "")/"
    }

    private static func counted(files: Int, folders: Int) -> String {
        [(files, "file"), (folders, "folder")].filter { $0.0 != 0 }
            .map { Found.counted($0.0, $0.1) }.joined(separator: " and ")
    }

    /// The machine's own network or its name server failed, so the failure says nothing about the host.
    public var isLocalNetworkFailure: Bool {
        switch self {
        case .nameServerDown, .networkDown: true
        default: false
        }
    }

    /// One line for the user: what happened, and what to do about it if anything. May contain text from a server: escape it
    /// before it is shown.
    public var message: String { fact + (partNote.map { "; " + $0 } ?? "") }

    /// - Parameter keepsPart: a part file stays; after a download to standard output none does.
    package func message(keepsPart: Bool) -> String { keepsPart ? message : fact }

    /// What becomes of the part file.
    private var partNote: String? {
        switch self {
        case .checksum: "kept as .part"
        case .changed: "the partial file is kept; cancel, then retry to download the new one"
        case .unexpectedPage: "the partial file is kept as it was"
        default: nil
        }
    }

    private var fact: String {
        switch self {
        case .hostNotFound(let host): "no such host: \(host); check the address"
        case .nameServerDown(let host): "network or name server unreachable: \(host) cannot be looked up now"
        case .networkDown(let host, let reason): "network unreachable: no way to \(host) now (\(reason))"
        case .serverBusy(let reply): "server busy: \(reply)"
        case .loginNeeded(_, .some(let offers)):
            "\(statusPrefix)login needed: the server offers only \(offers), which winch does not speak; "
                + "--header 'Authorization: ...' sends a token"
        case .loginNeeded(_, nil): "\(statusPrefix)login needed: --user NAME"
        case .loginRefused(_, let user, nil): "\(statusPrefix)login refused\(user.map { " for \($0)" } ?? "")"
        case .loginRefused(_, _, .some(let details)): "the SFTP server refuses the login: \(details)"
        case .unreachable(let host, let reason): "cannot connect to \(host): \(reason)"
        case .connectTimeout(let host, let seconds, .some(true)):
            "the server \(host) did not finish the login within \(Self.span(seconds)) (--connect-timeout)"
        case .connectTimeout(let host, let seconds, _): "no connection to \(host) within \(Self.span(seconds))"
        case .stalled(let seconds): "stalled: less than 1 KiB arrived in \(Self.span(seconds))"
        case .timeLimit(let seconds): "not finished within \(Self.span(seconds)) (--max-time)"
        case .tooSlow(let rate, let seconds):
            "only \(NumberFormat.rate(ByteRate(perSecond: rate))) in \(Self.span(seconds)) (--lowest-speed)"
        case .httpStatus(let code): "\(code) \(HTTPStatus.words(code))"
        case .askedToWait(let status, let seconds):
            "\(status) \(HTTPStatus.words(status)); the server asks for a wait of \(TimeLeftFormat.countdown(.saturating(seconds)))"
        case .tooManyRedirects(let count): "more than \(count) redirects (--max-redirs)"
        case .redirectRefused(let target):
            "redirect not followed: \(target.isEmpty ? "an empty Location" : TransferURL.withoutSecrets(target))"
        case .untrusted(let reason): "not trusted: \(reason)"
        case .tls(let reason): "no secure connection: \(reason)"
        case .proxy(let reason): "proxy: \(reason)"
        case .cutShort(let have, .some(let expected)): "cut short at \(have.bytes) of \(expected.bytes) bytes"
        case .cutShort(let have, nil): "cut short after \(have.bytes) bytes"
        case .connectionLost(let reason): "connection lost: \(reason)"
        case .badResponse(let reason): "invalid response: \(reason)"
        case .nameTaken(let name): "\(name) exists already (--on-conflict)"
        case .folder(let path, let reason): "cannot create \(path): \(reason)"
        case .diskFull(let folder, .some(let needs), _, .some(let size)):
            "needs \(NumberFormat.bytes(needs)); the whole disk of \(folder) has \(NumberFormat.bytes(size))"
        case .diskFull(let folder, .some(let needs), .some(let free), nil):
            "disk full: needs \(Self.formatted(needs, beside: free)), \(Self.formatted(free, beside: needs)) free in \(folder);"
                + " make room, then retry"
        case .diskFull(let folder, _, _, _): "disk full: no space left in \(folder); make room, then retry"
        case .readWrite(let path, let reason): "\(path): \(reason)"
        case .checksum(let type, let expected, let got, let servers):
            "checksum mismatch (\(type)): got \(got), expected \(expected)"
                + (servers.map { "; \($0) send the same file: check what is expected" } ?? "")
        case .existingFileDiffers(let path):
            "\(path) exists already with another checksum, and was left as it is (--on-conflict)"
        case .inUse(let name, .some(let pid)): "another winch is at work on \(name) (process \(pid))"
        case .inUse(let name, nil): "another winch is at work on \(name)"
        case .changed: "the remote file has changed (--on-change)"
        case .unexpectedPage(let expected):
            "received an HTML page instead of \(expected); a login may be needed"
        case .tooLarge(let limit, .some(let size)):
            "\(size.bytes) bytes are more than the limit of \(limit.bytes) (--max-size)"
        case .tooLarge(let limit, nil): "received more than the limit of \(limit.bytes) bytes (--max-size)"
        case .hostKeyUnknown(let key):
            "the SSH server \(key.host) is not known"
                + (key.hasOtherType ? " by a key of this type" : "")
                + "; its \(key.typeName) key is \(key.fingerprint); if that is right: --host-key \(key.fingerprint)"
        case .hostKeyChanged(let key, let file, let line):
            "THE KEY OF THE SSH SERVER \(key.host) HAS CHANGED, which may be an attack: \(file) line \(line) has "
                + "another \(key.typeName) key than \(key.fingerprint); if the server was set up anew, remove the line: "
                + "ssh-keygen -f '\(file)' -R '\(key.host)'"
        case .hostKeyRevoked(let key, let file, let line):
            "the \(key.typeName) key of the SSH server \(key.host) is revoked: \(file) line \(line)"
        case .keyLocked(let file, isWrong: true): "wrong passphrase for the key \(file)"
        case .keyLocked(let file, isWrong: false):
            "the key \(file) needs its passphrase: load it into an agent (ssh-add '\(file)'), or run winch on a terminal, "
                + "where it asks"
        case .remoteFile(.missing, let path): "no such file on the server: \(path)"
        case .remoteFile(.missingOrDenied, let path): "no such file on the server, or no permission: \(path)"
        case .remoteFile(.denied, let path): "permission denied on the server: \(path)"
        case .remoteFile(.busy, let path): "the server cannot give the file now: \(path)"
        case .remoteFile(.folder, let path), .remoteFolder(let path, _, _, _):
            "\(path) is \(unwantedFolder?.words ?? "a folder"); -r downloads what is in it"
        case .remoteWrite(.denied, let path, _): "no permission to write on the server: \(path)"
        case .remoteWrite(.noFolder, let path, _):
            "no such folder on the server: \(path); --create-dirs creates it"
        case .remoteWrite(.name, let path, let details):
            "Winch cannot send the name \(path)\(details.map { " " + $0 } ?? "")"
        case .remoteWrite(.rename, let path, let details):
            "the server cannot rename the temporary file to \(path)\(details.map { ": \($0)" } ?? ""); "
                + "--no-temporary-name sends without it"
        case .remoteWrite(.folder, let path, _):
            "\(path) is a folder on the server; end the URL with / to put the file into it"
        case .remoteWrite(.size, let path, let details):
            "the file on the server has another size than was sent: \(path)\(details.map { ", \($0)" } ?? "")"
        case .remoteWrite(.busy, let path, let details):
            "the server does not take \(path) now\(details.map { ": \($0)" } ?? "")"
        case .remoteWrite(.unknown, let path, let details):
            "the server does not take \(path): \(details ?? "the server gave no reason; is its disk full?")"
        case .remoteFull(let host): "no space left on the server \(host); make room there, then retry"
        case .sourceChanged(let path): "\(path) has changed while it was sent; retry sends the new version"
        case .notRepeatable(let reason): "must be sent again, but the input can be read only once: \(reason)"
        case .unanswered(let reason):
            "sent, but no answer came (\(reason)): it may have been received; retry sends it again"
        case .answeredEarly(let status):
            "the server answered \(status) \(HTTPStatus.words(status)) before it had the whole body"
        case .stoppedByFailFast: "stopped: another transfer failed (--fail-fast)"
        case .other(let reason): reason
        }
    }

    /// The count in the largest unit; in bytes when both counts would look the same.
    private static func formatted(_ count: ByteCount, beside other: ByteCount) -> String {
        NumberFormat.bytes(count) == NumberFormat.bytes(other) ? "\(count.bytes) bytes" : NumberFormat.bytes(count)
    }

    private static func span(_ seconds: Double) -> String {
        Int64(exactly: seconds).map { "\($0) s" } ?? "\(seconds) s"
    }
}

extension TransferFailure {
    /// The failure in a few words, for a narrow column. It contains no text from a server, except a status code.
    package var shortMessage: String {
        switch self {
        case .hostNotFound: "no such host"
        case .nameServerDown: "name lookup failed"
        case .networkDown: "network unreachable"
        case .unreachable(_, let reason): Self.connecting[reason] ?? "cannot connect"
        case .connectTimeout: "connect timed out"
        case .serverBusy, .remoteWrite(.busy, _, _): "server busy"
        case .loginNeeded: statusPrefix + "login needed"
        case .loginRefused: statusPrefix + "login refused"
        case .stalled: "stalled"
        case .timeLimit: "time limit"
        case .tooSlow: "too slow"
        case .httpStatus(let code): "\(code) \(HTTPStatus.words(code))"
        case .askedToWait(let status, _): "\(status), asks to wait"
        case .tooManyRedirects: "too many redirects"
        case .redirectRefused: "redirect refused"
        case .untrusted(let reason): Self.certificate(reason)?.short ?? "not trusted"
        case .tls: "no secure connection"
        case .proxy: "proxy error"
        case .cutShort: "cut short"
        case .connectionLost: "connection lost"
        case .badResponse: "invalid response"
        case .nameTaken: "name taken"
        case .folder: "cannot create"
        case .diskFull: "disk full"
        case .readWrite(_, let reason): (1...20).contains(reason.utf8.count) ? reason : "file error"
        case .checksum: "checksum mismatch"
        case .existingFileDiffers: "existing file wrong"
        case .inUse: "another winch has it"
        case .changed: "file has changed"
        case .unexpectedPage: "HTML page instead"
        case .tooLarge: "too large"
        case .hostKeyUnknown: "unknown host key"
        case .hostKeyChanged: "HOST KEY CHANGED"
        case .hostKeyRevoked: "host key revoked"
        case .keyLocked(_, let isWrong): isWrong ? "wrong passphrase" : "key needs passphrase"
        case .remoteFile(.missing, _), .remoteFile(.missingOrDenied, _): "no such file"
        case .remoteFile(.denied, _), .remoteWrite(.denied, _, _): "permission denied"
        case .remoteFile(.folder, _), .remoteFolder, .remoteWrite(.folder, _, _): "is a folder"
        case .remoteFile(.busy, _): "file busy"
        case .remoteWrite(.noFolder, _, _): "no such folder"
        case .remoteWrite(.name, _, _): "name cannot be sent"
        case .remoteWrite(.rename, _, _): "cannot rename"
        case .remoteWrite(.size, _, _): "wrong size at server"
        case .remoteWrite(.unknown, _, _): "server refuses it"
        case .remoteFull: "server full"
        case .sourceChanged: "source has changed"
        case .notRepeatable: "cannot send again"
        case .unanswered: "no answer"
        case .answeredEarly: "answered too early"
        case .stoppedByFailFast: "stopped"
        case .other: "failed"
        }
    }

    /// The failure for a column of 25 characters: `shortMessage`, or a more exact text where there is one of that length.
    package var rowMessage: String {
        if case .untrusted(let reason) = self { Self.certificate(reason)?.long ?? shortMessage } else { shortMessage }
    }

    /// Short texts by the system's description of the error.
    private static let connecting = [
        "connection refused": "connection refused", "network is unreachable": "network unreachable",
        "no route to host": "host unreachable", "connection timed out": "connection timed out",
        "connection reset by peer": "connection reset",
    ]

    /// Short and longer texts by the transport's description of a fault in a certificate.
    private static func certificate(_ reason: String) -> (short: String, long: String)? {
        let known: [(part: String, short: String, long: String)] = [
            ("has expired", "certificate expired", "certificate expired"),
            ("not valid yet", "cert. not valid yet", "certificate not valid yet"),
            ("for another host", "certificate mismatch", "certificate of other host"),
            ("unknown authority", "unknown authority", "certificate issuer unknown"),
            ("self-signed", "self-signed cert.", "self-signed certificate"),
            ("revoked", "certificate revoked", "certificate revoked"),
        ]
        return known.first { reason.contains($0.part) }.map { ($0.short, $0.long) }
    }
}

extension TransferFailure {
    /// The exit code, in aria2's numbers.
    public var exitCode: Int32 {
        switch self {
        case .connectTimeout, .stalled, .timeLimit: 2
        case .tooSlow: 5
        case .askedToWait(let status, _): Self.httpStatus(status).exitCode
        case .httpStatus(401), .httpStatus(407), .loginNeeded, .loginRefused, .keyLocked, .remoteFile(.denied, _),
            .remoteWrite(.denied, _, _):
            24
        case .httpStatus(429), .httpStatus(503), .serverBusy, .remoteFile(.busy, _): 29
        case .httpStatus(404), .httpStatus(410), .remoteFile, .remoteFolder: 3
        case .networkDown, .unreachable, .connectionLost, .untrusted, .tls, .proxy, .hostKeyUnknown, .hostKeyChanged,
            .hostKeyRevoked, .unanswered:
            6
        case .diskFull, .remoteFull, .httpStatus(507): 9
        case .inUse: 11
        case .nameTaken: 13
        case .folder, .readWrite, .remoteWrite: 17
        case .hostNotFound, .nameServerDown: 19
        case .cutShort, .badResponse, .unexpectedPage, .answeredEarly, .httpStatus: 22
        case .tooManyRedirects, .redirectRefused: 23
        case .checksum, .existingFileDiffers: 32
        case .sourceChanged, .notRepeatable, .changed, .stoppedByFailFast, .tooLarge, .other: 1
        }
    }
}
