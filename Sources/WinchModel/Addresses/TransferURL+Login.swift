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

    /// The text as it is sent: a `%` without two hexadecimal digits behind it, which servers refuse, is `%25`.
    package var sentText: String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        let bytes = Array(text.utf8)
        var sent: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
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
            let path = pathText
            let type = path.lowercased().range(ofLast: ";type=")
            guard let type else { return path.isEmpty || path.last == "/" }
            let file = path.lowercased()[..<type.lowerBound]
            return file.isEmpty || file.last == "/" || path.lowercased()[type.upperBound...] == "d"
        case .sftp: return pathText.isEmpty || pathText.last == "/"
        }
    }

    /// The URL with a slash at its end, with which the server can be asked whether it is a folder. `nil` when it has the slash
    /// already, or contains `?` or `;`.
    package var asFolder: TransferURL? {
        guard !isFolder, !pathText.contains("?"), !pathText.contains(";") else { return nil }
        return try? TransferURL(text + "/")
    }

    /// A URL with the same scheme and path at another host and port, without a login; `nil` when `host` is no valid host.
    package func moved(toHost host: String, port: Int) -> TransferURL? {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return try? TransferURL("\(scheme.rawValue)://\(host):\(port)\(pathText)")
    }
}

extension String {
    /// The last occurrence of `text`. Foundation's `range(of:options:)` is not available in this module.
    fileprivate func range(ofLast text: String) -> Range<Index>? {
        indices.reversed().lazy.filter { self[$0...].hasPrefix(text) }.first
            .map { $0..<self.index($0, offsetBy: text.count) }
    }
}
