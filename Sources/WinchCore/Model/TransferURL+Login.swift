extension TransferURL {
    /// As written but for the brackets of an IPv6 address.
    public var hostWithoutBrackets: String {
        let host = authority.host
        return host.first == "[" ? String(host.dropFirst().dropLast()) : String(host)
    }

    /// `nil` when the URL names none.
    public var port: Int? { authority.port.flatMap { Int($0) } }

    /// The login in the address, percent-decoded; `nil` when there is none.
    public var login: (user: String, password: String?)? {
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

    /// From the slash after the host on, with a query.
    public var pathText: Substring { Substring(afterScheme.drop(while: \.isAuthorityByte)) }

    /// True for FTP and SFTP when the address names a folder: what would come is a listing, not a file.
    public var isFolder: Bool {
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

    /// The same with a slash at its end: what answers there is a folder. `nil` when that cannot be asked.
    public var asFolder: TransferURL? {
        guard !isFolder, !pathText.contains("?"), !pathText.contains(";") else { return nil }
        return try? TransferURL(text + "/")
    }

    /// The same path elsewhere, without a login.
    public func moved(toHost host: String, port: Int) -> TransferURL? {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return try? TransferURL("\(scheme.rawValue)://\(host):\(port)\(pathText)")
    }
}

extension String {
    /// Where another text stands last; without Foundation.
    fileprivate func range(ofLast text: String) -> Range<Index>? {
        indices.reversed().lazy.filter { self[$0...].hasPrefix(text) }.first
            .map { $0..<self.index($0, offsetBy: text.count) }
    }
}
