/// Which origins (scheme, host and port) get what the user has entrusted to Winch: the login, the client certificate, header
/// lines, the address of the referring page and the logins of `~/.netrc`.
///
/// `sent(to:)` decides for every request. It is asked with the URLs of a transfer, the addresses of redirects, of tus uploads,
/// and of mirrors and Metalinks that servers name.
extension Shared where Value == TransferSettings {
    /// The settings for a request to a URL: without secrets where its origin does not get them.
    ///
    /// Cookies of the cookie file stay: they name their own hosts. So does the proxy, which is the user's own.
    package func sent(to url: TransferURL) -> Shared {
        let isStranger = value.loginOrigins.map { !$0.contains(url.origin) } ?? false
        let own = isStranger && value.hasSecrets ? Shared(value.withoutSecrets(for: url)) : self
        // The login in a URL is for that URL: libcurl would take the other.
        guard let login = url.login, let user = own.value.user, own.value.isLoginTyped != true else { return own }
        var settings = own.value
        settings.user = login.user
        settings.password = login.password ?? (ExactText(user) == ExactText(login.user) ? settings.password : nil)
        return settings == own.value ? own : Shared(settings)
    }

    /// The same for an address that the answer to a request has named.
    ///
    /// - Parameter start: the URL of the request, which gets the secrets that these settings have. The login in it is its origin's.
    package func sent(to url: TransferURL, namedBy start: TransferURL) -> Shared {
        let sent = keepingLogin(at: CollectionOfOne(start)).sent(to: url)
        guard url.login == nil, url.origin == start.origin, let login = start.login else { return sent }
        var own = sent.value
        (own.user, own.password) = (login.user, login.password)
        return Shared(own)
    }

    /// The user gives a further URL: its origin gets the secrets as well.
    package func givingLogin(to url: TransferURL) -> Shared {
        guard let origins = value.loginOrigins, !origins.contains(url.origin) else { return self }
        var settings = value
        settings.loginOrigins = (origins + [url.origin]).sorted()
        return Shared(settings)
    }

    /// The same with a login that the user gave for the origin of a URL, which alone gets it and the other secrets.
    package func loggingIn(_ user: String, _ password: Secret, at url: TransferURL) -> Shared {
        var settings = value
        (settings.user, settings.password, settings.usesNetrc) = (user, password.text, false)
        settings.headers.removeAll { TransferSettings.name($0) == "authorization" }
        settings.loginOrigins = [url.origin]
        settings.isLoginTyped = true
        return Shared(settings)
    }

    /// Settings whose secrets go only to the origins of these URLs, which the user gave; the same object when that is so
    /// already, or when there are none.
    package func keepingLogin(at urls: some Collection<TransferURL>) -> Shared {
        guard value.hasSecrets, value.loginOrigins == nil else { return self }
        var settings = value
        settings.loginOrigins = Set(urls.map(\.origin)).sorted()
        return Shared(settings)
    }
}

extension TransferSettings {
    /// Checks a user name that is given apart from the URL. In that of an FTP or SFTP server a colon can be encoded; an HTTP server
    /// cannot be sent one, and who writes one means the NAME:PASSWORD of curl, which a failure would show as the name.
    ///
    /// - Throws: words that do not show the name.
    /// - Source: RFC 7617, section 2.
    package static func userName(reading text: some StringProtocol) throws(InvalidValue) -> String {
        guard !text.utf8.contains(UInt8(ascii: ":")) else {
            throw InvalidValue("a name without a colon; the password has an option of its own: --password TEXT")
        }
        return String(text)
    }

    fileprivate var hasSecrets: Bool {
        user != nil || password != nil || certificateFile != nil || usesNetrc || referer != nil
            || headers.contains { !Self.isHarmless($0) }
    }

    /// What may be sent to a URL of any origin. The user has named a host of `~/.netrc`, but no scheme: its login goes to that host,
    /// and not in clear text.
    fileprivate func withoutSecrets(for url: TransferURL) -> TransferSettings {
        var settings = self
        (settings.user, settings.password, settings.certificateFile) = (nil, nil, nil)
        settings.isLoginTyped = nil
        settings.usesNetrc = usesNetrc && url.isEncrypted
        settings.referer = referer.flatMap { Self.referer($0, at: url) }
        settings.headers.removeAll { !Self.isHarmless($0) }
        return settings
    }

    /// The address of a page as another origin gets it: without path and query, which may hold a token; nothing in clear text of a
    /// page that was encrypted.
    ///
    /// - Source: W3C Referrer Policy, `strict-origin-when-cross-origin`, which is the default of browsers.
    private static func referer(_ text: String, at url: TransferURL) -> String? {
        guard let page = try? TransferURL(text), page.scheme.isHTTP else { return nil }
        if page.origin == url.origin { return page.redacted }
        return url.isEncrypted || !page.isEncrypted ? page.origin + "/" : nil
    }

    /// Whether a header line says only what kind of answer is wanted, or goes to the user's own proxy and to no server. Any other
    /// may be a credential.
    private static func isHarmless(_ line: String) -> Bool { harmless.contains(name(line)) }

    private static let harmless: Set = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "dnt", "pragma", "priority",
        "proxy-authorization", "te", "upgrade-insecure-requests", "user-agent",
    ]

    fileprivate static func name(_ line: String) -> String {
        line.prefix { $0 != ":" && $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// The user has given a header line of this name, in lower case.
    package func hasLine(_ name: String) -> Bool { headers.contains { Self.name($0) == name } }

    /// Whether a request to a URL has a user name. What `~/.netrc` says is known to libcurl only.
    package func hasUser(at url: TransferURL) -> Bool { user != nil || url.login != nil || usesNetrc }

    /// The user name that a request to a URL sends; `nil`: none, or one of `~/.netrc`.
    package func userName(at url: TransferURL) -> String? { url.login?.user ?? user }

    /// Tells whose files a request to a URL brings or changes, as far as the user has said that: a number for the user name, for
    /// the header lines that may name an account, and for the paths of a certificate and of cookies. `nil`: there is none of these.
    ///
    /// It has so few bits that no secret can be guessed from it. Of 65,536 other accounts one has the same.
    package func accountMark(at url: TransferURL) -> UInt16? {
        if let account { return account }
        let files = [cookieFile, certificateFile].compactMap(\.self)
        let (user, lines) = (userName(at: url), headers.filter { !Self.isHarmless($0) } + files)
        guard user != nil || !lines.isEmpty else { return nil }
        var hash = StableHash()
        hash.add(user ?? "")
        for line in lines { hash.add(line) }
        let half = UInt64(truncatingIfNeeded: hash.value >> 64) ^ UInt64(truncatingIfNeeded: hash.value)
        let quarter = half >> 32 ^ half
        return UInt16(truncatingIfNeeded: quarter >> 16 ^ quarter)
    }

    /// The same for a failure, which is stored and logged: `nil` also for a name that was typed.
    package func recordedUserName(at url: TransferURL) -> String? { isLoginTyped == true ? nil : userName(at: url) }

    /// A server's words, for people: a password, and a user name that was typed, are `***` where the server repeats them. The
    /// logins of `~/.netrc` are known to libcurl only, and stay.
    package func withoutLogin(_ words: String, at url: TransferURL) -> String {
        [password, url.login?.password, isLoginTyped == true ? user : nil]
            .compactMap { $0 }.filter { !$0.isEmpty }
            // One may be a part of another.
            .sorted { $0.utf8.count > $1.utf8.count }
            .reduce(words) { $0.replacing($1, with: "***") }
    }

    /// Whether a request to a URL says who sends it, as far as the user has given that.
    package func hasLogin(at url: TransferURL) -> Bool { user != nil || url.login != nil || hasLine("authorization") }
}

/// A text that must not appear in a log, the ledger or a list of processes: printing and encoding leave it out.
package struct Secret: Hashable, Sendable, Codable, CustomStringConvertible, CustomReflectable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { "(hidden)" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Empty: `encode` writes no text.
    package init(from decoder: any Decoder) throws { text = "" }

    package func encode(to encoder: any Encoder) throws { try "".encode(to: encoder) }
}
