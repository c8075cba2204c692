import CTransport
import WinchModel

/// The options that are set on a handle: the next transfer sets only those that differ.
struct EasyOptions {
    let settings: Shared<TransferSettings>
    private let headers: RequestHeaders
    private var range: String?
    private var resumeFrom: Int64 = 0
    private var isHead = false
    private var methods = WINCH_AUTH_BASIC
    private var waitsForMultiplex = false
    private var needsFreshConnection = false
    private var isHTTP1 = false
    private var isTunneled = false
    private var ftpEncryption = WINCH_TLS_NONE
    private var asksTime = false
    private var ignoresSize = false
    private var ftpPaths = WINCH_FTP_EACH
    private var ssh: SSHRequest?
    /// libcurl asks Winch to decide on an SSH server's key.
    var asksAboutHostKeys = false

    /// 512 KiB: below it turns of the loop cost more than the copy. Pages of it that are not used take no memory.
    static let receiveBuffer = 512 << 10
    /// From the most to the fewest protocols: this libcurl may lack some.
    private static let protocols = ["http,https,ftp,ftps,sftp", "http,https,ftp,ftps", "http,https"]
    /// A redirect may lead to a web server only.
    private static let redirectProtocols = "http,https"

    /// Without any OpenSSL itself would ask for that of a certificate's key: on the terminal, with the dashboard on it, and with
    /// the thread of all transfers.
    private static let noPassphrase = ""

    /// - Parameter headers: lines that the request has besides those of the settings.
    init(settings: Shared<TransferSettings>, headers own: [String] = []) {
        self.settings = settings
        headers = RequestHeaders(lines: settings.value.headers, own)
    }

    /// Sets everything on a handle that was just reset. Returns libcurl's code.
    ///
    /// - Parameter opening: hears of the sockets that the handle opens.
    func setAll(
        on easy: OpaquePointer, of loop: LoopExecutor, opening: UnsafePointer<winch_socket_listener>
    ) -> Int32 {
        let settings = settings.value
        var setter = OptionSetter(easy: easy)
        for (option, value) in Self.numbers(settings) { setter.set(option, value) }
        // Refused, and no failure, when the handle still has the buffer of its last request: see `EasyHandle.hasFreedBuffer`.
        _ = winch_easy_set_number(easy, WINCH_BUFFER_SIZE, Self.receiveBuffer)
        for (option, value) in Self.texts(settings) {
            if let value { setter.set(option, value) }
        }
        setter.set(WINCH_PROTOCOLS, firstOf: Self.protocols)
        setter.set(WINCH_REDIRECT_PROTOCOLS, Self.redirectProtocols)
        winch_easy_set_tls_listener(easy, loop.tlsCloseNotices.listener)
        winch_easy_set_socket_listener(easy, opening, loop.sockets.listener)
        if let share = loop.share { setter.note(winch_easy_set_share(easy, share)) }
        setter.note(winch_easy_set_headers(easy, headers.first))
        setter.note(winch_easy_set_proxy_headers(easy, headers.firstForProxy))
        return setter.code
    }

    private static func numbers(_ settings: TransferSettings) -> [(winch_number, Int)] {
        [
            (WINCH_NO_SIGNAL, 1), (WINCH_QUICK_EXIT, 1), (WINCH_TCP_NODELAY, 1), (WINCH_TCP_KEEPALIVE, 1),
            (WINCH_SUPPRESS_CONNECT_HEADERS, 1),
            (WINCH_FOLLOW, 1), (WINCH_MAX_REDIRECTS, settings.maxRedirects), (WINCH_UNRESTRICTED_AUTH, 0),
            (WINCH_AUTH, WINCH_AUTH_BASIC), (WINCH_NETRC, settings.usesNetrc ? 1 : 0),
            (WINCH_VERIFY_PEER, settings.isInsecure ? 0 : 1), (WINCH_VERIFY_HOST, settings.isInsecure ? 0 : 2),
            (WINCH_CONNECT_TIMEOUT_MS, milliseconds(settings.connectTimeout)),
            (WINCH_TLS_COMMAND, WINCH_AUTH_TLS),
        ]
    }

    private static func texts(_ settings: TransferSettings) -> [(winch_text, String?)] {
        [
            (WINCH_USER_AGENT, settings.userAgent ?? RequestHeaders.userAgent), (WINCH_REFERER, settings.referer),
            (WINCH_USER, settings.user), (WINCH_PASSWORD, settings.password),
            // Cookies that answers set are kept, and sent by their own rules.
            (WINCH_COOKIE_FILE, settings.cookieFile ?? ""),
            (WINCH_PROXY, settings.proxy), (WINCH_CA_FILE, settings.caFile),
            (WINCH_KEY_PASSPHRASE, noPassphrase),
        ] + certificate(settings)
    }

    private static func certificate(_ settings: TransferSettings) -> [(winch_text, String?)] {
        [
            (WINCH_CERTIFICATE, settings.certificateFile),
            (WINCH_CERTIFICATE_KEY, settings.certificateFile.map { settings.keyFile ?? $0 }),
        ]
    }

    /// libcurl follows a redirect: sends no more secrets than these settings have. User and password are libcurl's business, which
    /// sends them to the first origin only. Returns libcurl's code.
    func follow(with settings: TransferSettings, on easy: OpaquePointer) -> Int32 {
        var setter = OptionSetter(easy: easy)
        if headers.use(settings.headers) { setter.note(winch_easy_set_headers(easy, headers.first)) }
        setter.set(WINCH_NETRC, settings.usesNetrc ? 1 : 0)
        setter.set(WINCH_REFERER, settings.referer)
        for (option, value) in Self.certificate(settings) { setter.set(option, value) }
        return setter.code
    }

    private static func number(of choice: FTPEncryption) -> Int {
        switch choice {
        case .try: WINCH_TLS_TRY
        case .require: WINCH_TLS_ALL
        case .off: WINCH_TLS_NONE
        }
    }

    /// At least 1: libcurl takes 0 for its own default of five minutes.
    private static func milliseconds(_ span: Duration) -> Int {
        max(1, Int(min(span.seconds, 1_000_000) * 1000))
    }

    /// Sets the options in which `request` differs from the one before. Returns libcurl's code.
    mutating func change(to request: EasyRequest, on easy: OpaquePointer) -> Int32 {
        var setter = OptionSetter(easy: easy)
        setter.set(WINCH_URL, request.url.sentText)
        if Self.update(&range, to: request.range) { setter.set(WINCH_RANGE, range) }
        if Self.update(&resumeFrom, to: request.resumeFrom) {
            setter.note(winch_easy_set_size(easy, WINCH_RESUME_FROM, resumeFrom))
        }
        if headers.setCondition(request.condition) {
            setter.note(winch_easy_set_headers(easy, headers.first))
        }
        if Self.update(&isHead, to: request.isHead) { setter.set(isHead ? WINCH_NO_BODY : WINCH_GET, 1) }
        if Self.update(&methods, to: request.login.methods(at: request.url)) { setter.set(WINCH_AUTH, methods) }
        if Self.update(&needsFreshConnection, to: request.needsFreshConnection) {
            setter.set(WINCH_FRESH_CONNECT, needsFreshConnection ? 1 : 0)
        }
        if Self.update(&isHTTP1, to: request.isHTTP1) {
            setter.set(WINCH_HTTP_VERSION_WANTED, isHTTP1 ? WINCH_HTTP_1_1 : WINCH_HTTP_ANY)
        }
        // Plain HTTP/1.1 cannot share a connection, so there is nothing to wait for.
        if Self.update(&waitsForMultiplex, to: request.url.scheme == .https && !request.isHTTP1) {
            setter.set(WINCH_PIPE_WAIT, waitsForMultiplex ? 1 : 0)
        }
        // libcurl would ask an HTTP proxy to speak FTP: the answer is one of HTTP, and an upload is never renamed.
        if Self.update(&isTunneled, to: request.url.scheme == .ftp) {
            setter.set(WINCH_PROXY_TUNNEL, isTunneled ? 1 : 0)
        }
        // ftps encrypts the commands alone where the server refuses more, unless more is required.
        let encryption = request.url.scheme == .ftps ? .require : settings.value.ftpTLS
        if Self.update(&ftpEncryption, to: Self.number(of: encryption)) { setter.set(WINCH_USE_TLS, ftpEncryption) }
        if Self.update(&asksTime, to: request.asksTime) { setter.set(WINCH_ASK_TIME, asksTime ? 1 : 0) }
        if Self.update(&ignoresSize, to: request.ignoresSize) { setter.set(WINCH_IGNORE_SIZE, ignoresSize ? 1 : 0) }
        if Self.update(&ftpPaths, to: request.ftpPaths) { setter.set(WINCH_FTP_PATHS, ftpPaths) }
        if Self.update(&ssh, to: request.ssh) { change(to: ssh, &setter) }
        return setter.code
    }

    /// - Returns: false when it is that value already.
    private static func update<Value: Equatable>(_ value: inout Value, to next: Value) -> Bool {
        guard value != next else { return false }
        value = next
        return true
    }

    private func change(to ssh: SSHRequest?, _ setter: inout OptionSetter) {
        setter.set(WINCH_USER, ssh == nil ? settings.value.user : ssh?.user)
        setter.set(WINCH_PASSWORD, ssh == nil ? settings.value.password : ssh?.password)
        setter.set(WINCH_SSH_KEY_FILE, ssh?.keyFile)
        setter.set(WINCH_KEY_PASSPHRASE, ssh?.passphrase?.text ?? Self.noPassphrase)
        setter.set(WINCH_SSH_METHODS, ssh?.methods ?? 0)
        setter.set(WINCH_KNOWN_HOSTS, asksAboutHostKeys ? ssh?.wantedType : ssh?.knownHosts)
        // libcurl compares it, besides the login, when it looks for a kept connection, and has no other use for it over SSH.
        setter.set(WINCH_SASL_IDENTITY, ssh?.trust)
        setter.set(WINCH_VERBOSE, ssh == nil ? 0 : 1)
    }
}

/// Sets options one after the other and keeps the first error.
struct OptionSetter {
    let easy: OpaquePointer
    private(set) var code: Int32 = 0

    mutating func note(_ result: Int32) { if code == 0 { code = result } }
    mutating func set(_ option: winch_number, _ value: Int) { note(winch_easy_set_number(easy, option, value)) }
    mutating func set(_ option: winch_text, _ value: String?) { note(winch_easy_set_text(easy, option, value?.cBytes)) }

    mutating func set(_ option: winch_text, firstOf values: [String]) {
        var last: Int32 = 0
        for value in values {
            last = winch_easy_set_text(easy, option, value.cBytes)
            if last == 0 { return }
        }
        note(last)
    }
}

/// The header lines of every HTTP request: the user's (`--header`), those that Winch adds to each, and those of one request.
/// The User-Agent and the Referer are options of libcurl, set by `EasyOptions`.
///
/// It must live as long as the handle may use the lines.
final class RequestHeaders {
    private var list: LineList
    private let proxyList: LineList
    /// Without the condition.
    private(set) var lines: [String]
    /// Lines that only a proxy gets; a server would read in them what the proxy is entrusted with.
    let proxyLines: [String]
    private let own: [String]
    private var condition: String?

    /// Added to every request, unless the user gives a line of the same name.
    ///
    /// The bytes of the file itself are wanted, not an encoded form: ranges and checksums are about them.
    static let standard = ["Accept-Encoding: identity"]
    /// The value of `User-Agent` where the settings name none.
    static let userAgent = "winch/" + WinchVersion.text

    /// - Parameters:
    ///   - lines: `Name: value`, as the user gave them; `Range` and `If-Range` are dropped, Winch sets them itself, and `Cookie`: `cookies`.
    ///   - own: Winch's lines, which replace those of the same names.
    init(lines: [String], _ own: [String] = []) {
        self.own = own
        self.lines = Self.all(lines, own)
        proxyLines = lines.filter { !Self.hasControls($0) && Self.isForProxy($0) }
        list = LineList(self.lines)
        proxyList = LineList(proxyLines)
    }

    private static func all(_ lines: [String], _ own: [String]) -> [String] {
        let ownNames = Set(own.map(Self.name))
        var lines = lines.filter { !ownNames.contains(Self.name(of: $0)) }.filter { line in
            !hasControls(line) && !isForProxy(line) && !["range", "if-range", "cookie"].contains(name(of: line))
        }
        let given = Set(lines.map(Self.name))
        lines += standard.filter { !given.contains(name(of: $0)) }
        return lines + own
    }

    /// The user's cookies as one value, which libcurl sends behind those that answers have set: a request has one `Cookie` line,
    /// RFC 6265, 5.4. `nil`: there are none.
    ///
    /// - Parameters:
    ///   - lines: the user's.
    ///   - answered: cookies that answers have set, each as a line of a cookie file. One that is sent to the URL replaces the user's
    ///     of the same name.
    static func cookies(in lines: [String], besides answered: [String], at url: TransferURL) -> String? {
        let values = lines.filter { isNamed($0, "cookie") && !hasControls($0) }
            .flatMap { line in line.drop { $0 != ":" }.dropFirst().split(separator: ";") }
        guard !values.isEmpty else { return nil }
        let replaced = Set(answered.compactMap { cookieName($0, at: url) })
        let kept = values.filter { value in
            let name = value.drop { $0 == " " }.prefix { $0 != "=" && $0 != " " }
            return value.contains { $0 != " " } && !replaced.contains(String(name))
        }
        return kept.isEmpty ? nil : String(kept.joined(separator: ";").drop { $0 == " " })
    }

    /// - Parameter line: of a cookie file: domain, whether hosts below it get it too, path, whether it needs TLS, end, name, value.
    /// - Returns: `nil` when the cookie is not sent to the URL.
    private static func cookieName(_ line: String, at url: TransferURL) -> String? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count >= 7, url.isEncrypted || fields[3] != "TRUE" else { return nil }
        let mark = "#HttpOnly_"
        let domain = fields[0].dropFirst(fields[0].hasPrefix(mark) ? mark.count : 0).drop { $0 == "." }
        let host = url.hostWithoutBrackets.lowercased()
        guard host == domain || fields[1] == "TRUE" && host.hasSuffix("." + domain) else { return nil }
        let (path, asked) = (fields[2], url.pathText)
        let next = asked.dropFirst(path.count).first
        let isOfPath = asked.hasPrefix(path) && (path.hasSuffix("/") || next == nil || next == "/" || next == "?")
        return path == "/" || isOfPath ? String(fields[5]) : nil
    }

    /// Puts other lines in the place of the user's.
    ///
    /// - Returns: false when they are the same.
    func use(_ lines: [String]) -> Bool {
        let all = Self.all(lines, own)
        guard all != self.lines else { return false }
        self.lines = all
        list = LineList(all + (condition.map { [$0] } ?? []))
        return true
    }

    /// The head of libcurl's list; `nil` for none.
    var first: OpaquePointer? { list.first }

    /// The same of the lines for a proxy.
    var firstForProxy: OpaquePointer? { proxyList.first }

    /// Sets or removes the line on which the answer depends.
    ///
    /// - Returns: false when it was set so already.
    func setCondition(_ value: String?) -> Bool {
        guard value != condition else { return false }
        condition = value
        list = LineList(lines + (value.map { [$0] } ?? []))
        return true
    }

    private static func hasControls(_ line: String) -> Bool { line.utf8.contains { $0 < 0x20 && $0 != 0x09 } }

    private static func isForProxy(_ line: String) -> Bool { isNamed(line, "proxy-authorization") }

    private static func isNamed(_ line: String, _ name: String) -> Bool { self.name(of: line) == name }

    /// In lower case, without blanks; empty for what is no header line.
    private static func name(of line: String) -> String {
        let end = line.utf8.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
        return end.map { line[..<$0].lowercased().filter { $0 != " " } } ?? ""
    }
}

/// Lines in libcurl's own list, which must live as long as a handle may use it.
final class LineList {
    /// The head of the list; `nil` for none.
    private(set) var first: OpaquePointer?

    init(_ lines: [String]) {
        for line in lines {
            if let longer = winch_list_append(first, line.cBytes) { first = longer }
        }
    }

    deinit { winch_list_free(first) }
}
