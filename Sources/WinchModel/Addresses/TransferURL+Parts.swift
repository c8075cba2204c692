extension TransferURL {
    /// The host as written, without the brackets of an IPv6 address.
    package var hostWithoutBrackets: String {
        let host = authority.host
        return host.first == "[" ? String(host.dropFirst().dropLast()) : String(host)
    }

    /// The port as written; `nil` when the URL has none.
    package var port: Int? { authority.port.flatMap { Int($0) } }

    /// The login in the URL, percent-decoded; `nil` when there is none.
    package var login: (user: String, password: String?)? {
        let authority = afterScheme.prefix(while: \.isAuthorityByte)
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        let login = Substring(authority[..<at])
        guard let colon = login.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return (PercentCoding.decoded(login), nil)
        }
        return (
            PercentCoding.decoded(login[..<colon]), PercentCoding.decoded(login[login.utf8.index(after: colon)...])
        )
    }

    /// The path from the slash after the host on, and the query.
    package var pathText: Substring { Substring(afterScheme.drop(while: \.isAuthorityByte)) }

    /// The text as libcurl gets it: a `%` without two hexadecimal digits behind it, which servers refuse, is `%25`, and an `@` in
    /// the login, which libcurl takes for its end, `%40`.
    package var sentText: String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "@") }) else { return text }
        let bytes = Array(text.utf8)
        let authority = withBytes { Authority($0) }
        let login = authority.start..<max(authority.start, authority.host.lowerBound - 1)
        var sent: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "@"), login.contains(index) {
                sent += "%40".utf8
                continue
            }
            sent.append(byte)
            let digits = bytes.dropFirst(index + 1).prefix(2)
            if byte == UInt8(ascii: "%"), digits.count < 2 || !digits.allSatisfy({ $0.hexValue != nil }) {
                sent += "25".utf8
            }
        }
        return String(decoding: sent, as: UTF8.self)
    }

    /// True when an FTP or SFTP URL names a folder, for which the server would send a listing instead of a file.
    package var isFolder: Bool {
        switch scheme {
        case .http, .https: return false
        case .ftp, .ftps:
            let path = pathText.lowercased()
            guard let type = path.ranges(of: ";type=").last else { return path.isEmpty || path.last == "/" }
            let file = path[..<type.lowerBound]
            return file.isEmpty || file.last == "/" || path[type.upperBound...] == "d"
        case .sftp: return pathText.isEmpty || pathText.last == "/"
        }
    }

    /// Without the `;type=i` of an FTP URL, which says how the file is sent.
    package var withoutType: TransferURL {
        guard scheme.isFTP else { return self }
        let name = lastPathComponent
        guard name.dropLast().lowercased().hasSuffix(";type=") else { return self }
        return TransferURL(checked: String(text[..<name.dropLast(7).endIndex] + text[name.endIndex...]))
    }

    /// The URL with one slash at its end, by which the server can be asked for a folder. `nil` when it contains `?`, or lacks the
    /// slash and contains `;`.
    package var asFolder: TransferURL? {
        let path = pathText
        guard !path.contains("?") else { return nil }
        if path.last == "/" { return self }
        return path.contains(";") ? nil : try? TransferURL(text + "/")
    }

    /// A URL with the same scheme and path at another host and port, without a login; `nil` when `host` is no valid host.
    package func moved(toHost host: String, port: Int) -> TransferURL? {
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"/?#@\\".utf8.contains($0) }) else { return nil }
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return try? TransferURL("\(scheme.rawValue)://\(host):\(port)\(pathText)")
    }
}

extension TransferURL {
    /// The path ends in `/`, or there is none.
    package var namesFolder: Bool { lastPathComponent.isEmpty }

    /// The URL of the file with this name in the folder that the URL names. A query stays behind the path.
    ///
    /// - Returns: `nil` when the URL would be too long.
    package func file(named name: some StringProtocol) -> TransferURL? {
        let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
        let query = Substring(text.utf8[path.endIndex...])
        let slash = path.last == UInt8(ascii: "/") ? "" : "/"
        return try? TransferURL(String(Substring(path)) + slash + PercentCoding.encoded(name) + query)
    }

    /// The URL of the folder that the file is in, which ends in `/`; `nil`: it is the top folder.
    package var folder: TransferURL? {
        let bytes = text.utf8
        guard let colon = bytes.firstRange(of: "://".utf8) else { return nil }
        let path = bytes[colon.upperBound...].prefix { $0 != UInt8(ascii: "?") }
        let named = path.last == UInt8(ascii: "/") ? path.dropLast() : path
        guard let slash = named.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return TransferURL(checked: String(text[...slash]))
    }
}

extension TransferURL {
    /// Whether this URL, which a server named, may be used as a mirror: it is for HTTP or FTP, has no login, and is encrypted if
    /// `origin` is.
    ///
    /// - Parameters:
    ///   - origin: the URL that the user gave.
    ///   - allowsDowngrade: it need not be encrypted (`--allow-downgrade`).
    package func isMirror(of origin: TransferURL, allowsDowngrade: Bool) -> Bool {
        guard scheme != .sftp, redacted == text else { return false }
        return isEncrypted || !origin.isEncrypted || allowsDowngrade
    }

    /// The bytes are encrypted from the first on.
    package var isEncrypted: Bool { scheme != .http && scheme != .ftp }
}

extension TransferURL {
    /// The query carries a signature or a token with an end: such a URL may be valid for one request, and a second one may be
    /// refused or count against a quota. It is never asked for in several connections.
    package var isSigned: Bool {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
        let names = Set(
            text.utf8[text.utf8.index(after: mark)...]
                .split(whereSeparator: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") })
                .map { PercentCoding.decoded(Substring($0.prefix { $0 != UInt8(ascii: "=") })).lowercased() })
        return !names.isDisjoint(with: Self.signatures)
            || (!names.isDisjoint(with: Self.tokens) && !names.isDisjoint(with: Self.ends))
    }

    /// Names of parameters, in lower case. Amazon S3 (version 4 and 2), Google Cloud Storage, Azure (`sig`), CloudFront and
    /// Alibaba (`signature`), Akamai (`hdnea`, `hdnts`), Tencent, nginx's `secure_link`.
    ///
    /// - Source: the documentation of each service.
    private static let signatures: Set = [
        "x-amz-signature", "signature", "x-goog-signature", "sig", "x-oss-signature", "x-cos-signature", "q-signature",
        "hdnea", "hdnts", "hmac", "x-tos-signature", "x-obs-signature", "sign", "auth_key", "one-time", "onetime",
        "otp",
        "nonce",
    ]
    /// Hidden beside `signatures`: keys and passwords that have no end, without `-` and `_`.
    private static let secrets: Set = [
        "key", "auth", "pass", "pwd", "jwt", "session", "sid", "code", "keypairid",
    ]
    /// Ends of further names that are hidden, such as `X-Amz-Security-Token` and `refresh_token`.
    private static let endsOfSecrets = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "secretkey", "privatekey",
        "authkey", "signature", "credential", "credentials", "sessionid", "sessid",
    ]

    /// - Parameter name: of a parameter, in lower case.
    private static func isSecret(_ name: String) -> Bool {
        let word = name.filter { $0 != "-" && $0 != "_" }
        return signatures.contains(name) || secrets.contains(word) || endsOfSecrets.contains { word.hasSuffix($0) }
    }

    private static let tokens: Set = ["token", "md5", "hash", "key", "auth", "st", "verify", "secure"]
    private static let ends: Set = [
        "expires", "expire", "expiry", "exp", "e", "until", "validto", "validuntil", "ttl", "se",
    ]

    /// A text with a URL, for people: signatures, tokens and passwords in a query or fragment are `***`. What is stored, compared, copied or
    /// given to programs keeps them: without them it is another URL.
    package static func withoutSecrets(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for place in placesOfSecrets(in: bytes).reversed() { bytes.replaceSubrange(place, with: "***".utf8) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Where an argument of a command line, if it has a URL, has a login, signatures, tokens and passwords; in their order.
    package static func placesToCover(in argument: [UInt8]) -> [Range<Int>] {
        guard argument.firstRange(of: "://".utf8) != nil else { return [] }
        let login = placeOfLogin(in: argument).map { [$0] } ?? []
        return login + placesOfSecrets(in: argument).filter { !$0.isEmpty }
    }

    /// Where the bytes of a text with URLs are what `withoutSecrets` hides, in their order.
    package static func placesOfSecrets(in bytes: [UInt8]) -> [Range<Int>] {
        guard let mark = bytes.firstIndex(where: { "?#".utf8.contains($0) }) else { return [] }
        var values: [(name: String, place: Range<Int>)] = []
        for parameter in bytes[mark...].split(whereSeparator: { "?&; #\t".utf8.contains($0) }) {
            guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = PercentCoding.decoded(String(decoding: parameter[..<equals], as: UTF8.self))
            values.append((name.lowercased(), equals + 1..<parameter.endIndex))
        }
        let hasEnd = values.contains { ends.contains($0.name) }
        return values.filter { isSecret($0.name) || hasEnd && tokens.contains($0.name) }.map { $0.place }
    }
}

/// Names that FTP has trouble with: it has no way to quote a byte of a name.
package enum FTPName {
    /// Why a server would not get a name as it is; `nil`: it would.
    ///
    /// - Source: RFC 959, sections 4.1 and 5.3: a command is a line of Telnet, whose own commands begin with FF (RFC 854). libcurl
    ///   refuses all control characters but DEL.
    package static func fault(_ name: [UInt8]) -> String? {
        if name.contains(where: { $0 < 0x20 }) { return "a control character in the name" }
        let endsCommand = name.indices.contains { index in
            // FB to FE and a further byte are a command; two FF are one in a name.
            name[index] == 0xFF && (index + 1 == name.count || name[index + 1] >= 0xFB)
        }
        return endsCommand ? "the byte FF in the name" : nil
    }

    /// Servers take the name for a home folder where a path begins with it: `~` for the user's, `~USER` for another's.
    package static func meansHome(_ name: [UInt8]) -> Bool { name.first == UInt8(ascii: "~") }

    /// The decoded components of a path.
    package static func parts(of url: TransferURL) -> [[UInt8]] {
        url.pathText.utf8.split(separator: UInt8(ascii: "/")).map { PercentCoding.bytes(Substring($0)) }
    }
}
