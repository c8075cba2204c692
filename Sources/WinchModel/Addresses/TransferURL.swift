/// A URL that Winch can download from, validated once and stored as text.
///
/// libcurl parses the URL again when it connects; this type knows only the parts that the queue, the file names and the
/// screen need.
///
/// - Source: RFC 3986, section 3.
public struct TransferURL: Hashable, Sendable {
    /// As given, without the fragment; the scheme in lower case, and codes for what is no ASCII outside of the host. Two texts
    /// that Swift takes for equal, since an accent is a character of its own in one of them, have other codes.
    public let text: String

    public enum Scheme: String, Hashable, Sendable, Codable, CaseIterable {
        case http
        case https
        /// FTP, unencrypted or with AUTH TLS.
        case ftp
        /// FTP over TLS from the start.
        case ftps
        /// Files over SSH.
        case sftp

        package var isHTTP: Bool { self == .http || self == .https }
        package var isFTP: Bool { self == .ftp || self == .ftps }

        var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            case .ftp: 21
            case .ftps: 990
            case .sftp: 22
            }
        }
    }

    /// Why a text is no usable URL. The text in it is shortened and has no login.
    public enum Fault: Error, Hashable, Sendable {
        /// The text has no `scheme://`.
        case noScheme(String)
        case unsupportedScheme(String)
        /// There is nothing between `://` and the path.
        case noHost(String)
        /// The port is no number in 1...65535.
        case badPort(String)
        /// There is a login with `/`, `?` or `#` in it, which end the part of a URL that contains the host.
        case unencodedLogin
        /// The text contains a space or a control character.
        case badCharacter(String)
        /// The text has several URLs, separated by spaces.
        case severalURLs(String)
        /// The text is longer than 65,536 bytes.
        case tooLong

        /// One line for the user.
        public var message: String {
            switch self {
            case .noScheme(let text):
                "not a URL (no http://, https://, ftp:// or sftp://): \(text)"
                    + (TransferURL.isLikeHost(text) ? "; did you mean http://\(text)?" : "")
            case .unsupportedScheme(let scheme): "cannot fetch \(scheme)://; http, https, ftp, ftps and sftp are known"
            case .noHost(let text): "the URL names no host: \(text)"
            case .badPort(let port): "no such port: \(port)"
            case .unencodedLogin: "the URL's login contains / ? or #: write them as %2F %3F %23"
            case .badCharacter(let text): "space or control character in the URL (a space is %20): \(text)"
            case .severalURLs(let text):
                "several URLs with spaces between: \(text); give each a line, or a TAB between mirrors of one file"
            case .tooLong: "the URL is longer than \(TransferURL.longest) bytes"
            }
        }
    }

    /// 64 KiB, in bytes: servers refuse far shorter URLs, and one endless line must not fill the memory.
    static let longest = 65_536

    /// Checks the text and stores it.
    ///
    /// - Parameter text: an absolute URL; spaces around it are not removed.
    /// - Throws: why it is refused.
    public init(_ text: some StringProtocol) throws(Fault) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        let given = PercentCoding.encodingSystemBytes(text)
        let bytes = given.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8), bytes[..<colon].allSatisfy(\.isSchemeByte)
        else { throw .noScheme(Self.shown(given)) }
        let name = given[..<colon].lowercased()
        guard Scheme(rawValue: name) != nil else { throw .unsupportedScheme(String(name.prefix(20))) }
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .badCharacter(Self.shown(given)) }
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let whole = given[..<colon] == name ? String(given[..<end]) : name + given[colon..<end]
        self.text = Self.withCodes(whole)
        guard self.text.utf8.count <= Self.longest else { throw .tooLong }
        let (host, port) = self.authority
        guard !host.isEmpty, host.utf8.first == UInt8(ascii: "[") || !host.utf8.contains(UInt8(ascii: ":")) else {
            throw Self.hasUnencodedLogin(bytes) ? .unencodedLogin : .noHost(Self.shown(given))
        }
        if let port, withBytes({ Authority($0).number($0) }) == nil {
            throw Self.hasUnencodedLogin(bytes) ? .unencodedLogin : .badPort(String(port.prefix(20)))
        }
    }

    private static func withCodes(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        let host = TransferURL(checked: text).withBytes { Authority($0).host }
        return PercentCoding.encodingNonASCII(text, besides: host)
    }

    /// - Parameter text: of a URL that has been checked.
    init(checked text: String) { self.text = text }

    /// Reads a URL that the user typed, pasted or wrote into a list: `<` `>` or quotes around it are removed, and spaces in it
    /// become `%20`, as in browsers and wget. A space before a `#` begins a comment.
    package init(typed text: some StringProtocol) throws(Fault) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        let address = Self.bare(Self.withoutComment(Substring(text)).trimmingBlanks())
        guard address.utf8.contains(UInt8(ascii: " ")) else {
            try self.init(address)
            return
        }
        let parts = address.split(separator: " ")
        guard parts.dropFirst().allSatisfy({ !$0.contains("://") }) else {
            throw .severalURLs(Self.shown(String(address)))
        }
        // A host has no spaces, so the first space must be in the path.
        let head = parts.first ?? ""
        let slashes = head.utf8.firstRange(of: "://".utf8)
        guard let slashes, head.utf8[slashes.upperBound...].contains(where: { !$0.isAuthorityByte }) else {
            throw slashes == nil ? .noScheme(Self.shown(String(address))) : .badCharacter(Self.shown(String(address)))
        }
        try self.init(
            String(address).utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                .map { String(Substring($0)) }.joined(separator: "%20"))
    }

    /// A fragment is not sent, so nothing is lost with it; the spaces before it would be sent as a part of the path.
    private static func withoutComment(_ text: Substring) -> Substring {
        guard let comment = text.utf8.firstRange(of: " #".utf8) else { return text }
        return text[..<comment.lowerBound]
    }

    /// Without one pair of `<` `>` or quotes around the text.
    private static func bare(_ text: Substring) -> Substring {
        let bytes = text.utf8
        guard bytes.count > 1, let first = bytes.first, let last = bytes.last,
            ["<>", "\"\"", "''"].contains(where: { $0.utf8.elementsEqual([first, last]) })
        else { return text }
        return Substring(bytes.dropFirst().dropLast()).trimmingBlanks()
    }

    /// True for `www.example.org/x`, a URL without its scheme.
    fileprivate static func isLikeHost(_ text: String) -> Bool {
        text.utf8.starts(with: "www.".utf8) && text.utf8.allSatisfy { $0 > 0x20 }
    }

    /// The first 80 characters without logins and tokens, for messages: of several URLs, or of none.
    package static func shown(_ text: String) -> String {
        // The first login may have a space in it, which ends a word.
        String(withoutSecrets(withoutLogins(withoutLogin(text[...]))).prefix(80))
    }

    /// Words, for people: without the logins of URLs in them, and of addresses without a scheme.
    package static func withoutLogins(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            guard !word.contains("://") else { return withoutLogin(word) }
            guard let at = word.lastIndex(of: "@"), word[..<at].contains(":") else { return String(word) }
            return String(word[word.index(after: at)...])
        }.joined(separator: " ")
    }

    /// Scheme, host and port in normal form: what was entrusted to one URL may be sent to others of its origin, and to no others.
    package var origin: String { "\(scheme.rawValue)://\(hostAndPort)" }

    /// The host in lower case, with the brackets of an IPv6 address.
    public var host: String { authority.host.lowercased() }

    /// The normal form, for comparisons: host in lower case, no default port, no `.` and `..` in the path, `/` for an empty
    /// path. It is never sent, because some servers distinguish between the forms.
    ///
    /// - Source: RFC 3986, section 6.2.
    package var normal: String {
        guard !isNormal else { return text }
        let path = afterHost.prefix { $0 != UInt8(ascii: "?") }
        let login = afterScheme.prefix(while: \.isAuthorityByte)
        let user = login.lastIndex(of: UInt8(ascii: "@")).map { String(Substring(login[...$0])) } ?? ""
        let rest = Substring(afterHost.dropFirst(path.count))
        return "\(scheme.rawValue)://\(user)\(hostAndPort)\(Self.withoutDots(path))\(rest)"
    }

    /// What is equal for all URLs of one file at a server, whatever login they have: one form of the host, and a path that has codes
    /// for exactly the bytes that may need one, and no segments `.` and `..` even where these were codes. The normal form keeps
    /// codes, because the shards of a list depend on it in every version.
    ///
    /// - Source: RFC 3986, section 6.2.2.
    package var place: String {
        guard !isPlace else { return text }
        let (host, rest) = (HostForm.normal(self.host), withoutType.pathText.utf8)
        let port = withBytes { Authority($0).number($0) }.map { Int($0) } ?? scheme.defaultPort
        let portText = port == scheme.defaultPort ? "" : ":\(port)"
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let query = rest.dropFirst(path.count)
        let parts = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { PercentCoding.encoded(bytes: PercentCoding.bytes(Substring($0))) }
        let plain = "/" + parts.joined(separator: "/")
        let asked = query.count > 1 ? PercentCoding.normal(Substring(query)) : ""
        return "\(scheme.rawValue)://\(host)\(portText)\(Self.withoutDots(plain[...].utf8))\(asked)"
    }

    /// `place` would be the text itself, as for most URLs; false says nothing.
    private var isPlace: Bool {
        guard isNormal else { return false }
        return withBytes { bytes in
            let authority = Authority(bytes)
            let label = bytes[authority.host].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last
            // The last label of no name begins with a digit, as that of an address does.
            guard authority.host.lowerBound == authority.start, let first = label?.first,
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
            else { return false }
            return bytes[authority.end...].allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "/") }
        }
    }

    /// From the slash or the `?` that ends the host.
    private var afterHost: Substring.UTF8View {
        let bytes = afterScheme
        return bytes.firstIndex { !$0.isAuthorityByte }.map { bytes[$0...] } ?? bytes[bytes.endIndex...]
    }

    /// Removes the segments `.` and `..`.
    ///
    /// - Source: RFC 3986, section 5.2.4.
    private static func withoutDots(_ path: Substring.UTF8View) -> String {
        var kept: [Substring.UTF8View] = []
        let parts = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isDots = part.elementsEqual("..".utf8)
            if isDots { _ = kept.popLast() }
            if !isDots, !part.elementsEqual(".".utf8) {
                kept.append(part)
            } else if index == parts.count - 1 {
                kept.append("".utf8[...])
            }
        }
        return "/" + kept.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// The URL without a login, for screens and logs.
    public var redacted: String { Self.redacted(text) }

    /// The same for a text that may be a URL, such as the Location header of a response.
    package static func redacted(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "@")) ? withoutLogin(text[...]) : text
    }

    private static func withoutLogin(_ text: Substring) -> String {
        guard let login = placeOfLogin(in: text.utf8) else { return String(text) }
        return String(text[..<login.lowerBound]) + text[text.utf8.index(after: login.upperBound)...]
    }

    /// Where a URL has a login, up to the `@`; `nil`: it has none.
    ///
    /// A password may have a `/`, `?` or `#` that should be encoded. Where no port can be before the first of them, the login
    /// reaches to the last `@` of all.
    package static func placeOfLogin<Bytes: BidirectionalCollection<UInt8>>(in bytes: Bytes) -> Range<Bytes.Index>? {
        guard let start = bytes.firstRange(of: "://".utf8)?.upperBound else { return nil }
        let authority = bytes[start...].prefix(while: \.isAuthorityByte)
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return start..<at }
        guard authority.first != UInt8(ascii: "["), let colon = authority.firstIndex(of: UInt8(ascii: ":")),
            let at = bytes[start...].lastIndex(of: UInt8(ascii: "@"))
        else { return nil }
        let port = authority[colon...].dropFirst()
        let isPort = port.isEmpty || UInt16(String(decoding: port, as: UTF8.self)).map { $0 > 0 } ?? false
        return isPort ? nil : start..<at
    }

    private static func hasUnencodedLogin(_ bytes: String.UTF8View) -> Bool {
        placeOfLogin(in: bytes).map { bytes[$0].contains { !$0.isAuthorityByte } } ?? false
    }

    var afterScheme: Substring.UTF8View {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return text[...].utf8 }
        return bytes[colon...].dropFirst(3)
    }
}

extension UInt8 {
    /// - Source: RFC 3986, section 3.1.
    fileprivate var isSchemeByte: Bool { isAlphanumeric || "+-.".utf8.contains(self) }

    /// False for `/`, `?` and `#`, which end the part of the URL that contains the host.
    var isAuthorityByte: Bool { self != UInt8(ascii: "/") && self != UInt8(ascii: "?") && self != UInt8(ascii: "#") }
}

extension TransferURL: Codable {
    /// - Throws: ``Fault`` as `init(_:)`.
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

/// Where host and port are. Read for each transfer several times, so it goes over bytes in memory, not over a collection.
extension TransferURL {
    /// Host and port as offsets into the bytes of the text.
    ///
    /// Split into bytes, not characters, as libcurl does: a slash with a combining accent still ends the host.
    struct Authority {
        /// The part from `://` on.
        var start = 0
        /// Empty when the text is malformed.
        var host = 0..<0
        /// `nil`: none, or nothing behind the colon.
        var port: Range<Int>?
        /// The slash, `?` or `#` behind it, or the end of the text.
        var end = 0

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
            start = colon.map { min($0 + 3, bytes.count) } ?? 0
            end = bytes[start...].firstIndex { !$0.isAuthorityByte } ?? bytes.count
            var first = start
            if let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) { first = at + 1 }
            guard first < end, bytes[first] == UInt8(ascii: "[") else {
                let colon = bytes[first..<end].lastIndex(of: UInt8(ascii: ":"))
                host = first..<(colon ?? end)
                port = colon.flatMap { $0 + 1 < end ? $0 + 1..<end : nil }
                return
            }
            guard let bracket = bytes[first..<end].firstIndex(of: UInt8(ascii: "]")) else { return }
            let after = bracket + 1
            guard after == end || bytes[after] == UInt8(ascii: ":") else { return }
            host = first..<after
            port = after + 1 < end ? after + 1..<end : nil
        }

        /// Host and port are written as in `hostAndPort`.
        func isNormal(_ bytes: UnsafeBufferPointer<UInt8>, _ scheme: Scheme) -> Bool {
            guard bytes[host].allSatisfy({ $0 < 0x80 && !$0.isUpperCase }) else { return false }
            guard let port else { return host.upperBound == end }
            return bytes[port.lowerBound] != UInt8(ascii: "0")
                && number(bytes).map(Int.init) ?? scheme.defaultPort
                    != scheme.defaultPort
        }

        /// The port in 1...65535; `nil` for anything but digits.
        func number(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt16? {
            guard let port else { return nil }
            var number = 0
            for byte in bytes[port] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), number <= UInt16.max else { return nil }
                number = 10 * number + Int(byte - UInt8(ascii: "0"))
            }
            return UInt16(exactly: number).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        text.utf8.withContiguousStorageIfAvailable(body) ?? Array(text.utf8).withUnsafeBufferPointer(body)
    }

    /// Host and port as written.
    var authority: (host: Substring, port: Substring?) {
        let authority = withBytes { Authority($0) }
        return (part(authority.host), authority.port.map(part))
    }

    private func part(_ range: Range<Int>) -> Substring {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
        return text[start..<bytes.index(start, offsetBy: range.count)]
    }

    /// The scheme, which `init` has checked.
    public var scheme: Scheme {
        withBytes { bytes in
            switch (bytes.firstIndex(of: UInt8(ascii: ":")), bytes.first) {
            case (3, _): .ftp
            case (5, _): .https
            case (4, UInt8(ascii: "s")): .sftp
            case (4, UInt8(ascii: "f")): .ftps
            default: .http
            }
        }
    }

    /// `host`, or `host:port` when the port is not the scheme's default; lower case. The key for everything that is counted
    /// for each host, such as connections.
    public var hostAndPort: String {
        let scheme = scheme
        return withBytes { bytes in
            let authority = Authority(bytes)
            if authority.isNormal(bytes, scheme) {
                let end = authority.port?.upperBound ?? authority.host.upperBound
                return String(decoding: bytes[authority.host.lowerBound..<end], as: UTF8.self)
            }
            let host = String(decoding: bytes[authority.host], as: UTF8.self).lowercased()
            guard let port = authority.number(bytes), Int(port) != scheme.defaultPort else { return host }
            return "\(host):\(port)"
        }
    }

    /// The last part of the path, still percent-encoded; empty when the path ends in a slash.
    public var lastPathComponent: Substring {
        part(
            withBytes { bytes in
                let authority = Authority(bytes)
                let end = bytes[authority.start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
                let slash = bytes[authority.start..<end].lastIndex(of: UInt8(ascii: "/"))
                return slash.map { $0 + 1..<end } ?? end..<end
            })
    }

    /// `normal` would be the text itself.
    var isNormal: Bool {
        let scheme = scheme
        return withBytes { bytes in
            let authority = Authority(bytes)
            let end = authority.end
            guard end < bytes.count, bytes[end] == UInt8(ascii: "/"), authority.isNormal(bytes, scheme) else {
                return false
            }
            var wasSlash = false
            for byte in bytes[end...] {
                if byte == UInt8(ascii: "?") { break }
                // A segment of the path that begins with a dot may be `.` or `..`.
                if wasSlash, byte == UInt8(ascii: ".") { return false }
                wasSlash = byte == UInt8(ascii: "/")
            }
            return true
        }
    }
}

extension UInt8 { fileprivate var isUpperCase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) } }
