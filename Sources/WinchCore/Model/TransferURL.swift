/// An address that Winch can fetch from, checked for shape once, kept as text.
///
/// Source: RFC 3986, section 3. libcurl does the real parsing when it connects; this knows what the queue, the names
/// and the screen need.
public struct TransferURL: Hashable, Sendable {
    /// As given, without the fragment.
    public let text: String

    public enum Scheme: String, Hashable, Sendable, Codable, CaseIterable {
        case http, https, ftp, sftp

        var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            case .ftp: 21
            case .sftp: 22
            }
        }
    }

    public enum Fault: Error, Hashable, Sendable {
        case noScheme(String)
        case unsupportedScheme(String)
        case noHost(String)
        case badPort(String)
        case badCharacter(String)
        case tooLong

        public var message: String {
            switch self {
            case .noScheme(let text): "not a URL (no http://, https://, ftp:// or sftp://): \(text)"
            case .unsupportedScheme(let scheme): "cannot fetch \(scheme)://; http, https, ftp and sftp are known"
            case .noHost(let text): "the URL names no host: \(text)"
            case .badPort(let port): "no such port: \(port)"
            case .badCharacter(let text): "blank or control character in the URL: \(text)"
            case .tooLong: "the URL is longer than \(TransferURL.longest) bytes"
            }
        }
    }

    /// 64 KiB: servers refuse far shorter ones, and a runaway line must not fill the memory.
    static let longest = 65_536

    public init(_ text: some StringProtocol) throws(Fault) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard let colon = text.range(of: "://") else { throw .noScheme(String(text.prefix(80))) }
        let name = text[..<colon.lowerBound].lowercased()
        guard Scheme(rawValue: name) != nil else { throw .unsupportedScheme(String(name.prefix(20))) }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .badCharacter(String(text.prefix(80))) }
        let rest = text[colon.upperBound...].prefix { $0 != "#" }
        self.text = name + "://" + rest
        let authority = self.authority
        guard !authority.host.isEmpty else { throw .noHost(String(text.prefix(80))) }
        if let port = authority.port, UInt16(port).map({ $0 == 0 }) ?? true { throw .badPort(String(port.prefix(20))) }
    }

    public var scheme: Scheme {
        Scheme(rawValue: String(text.prefix { $0 != ":" })) ?? .http
    }

    /// `host` or `host:port`, the port only when it is not the scheme's own; lower case. Names the host's slots.
    public var hostKey: String {
        let (host, port) = authority
        guard let port, Int(port) != scheme.defaultPort else { return host.lowercased() }
        return host.lowercased() + ":" + port
    }

    /// The last part of the path, still percent-encoded; empty when the path ends in a slash.
    public var lastPathComponent: Substring {
        let path = afterScheme.drop { $0 != "/" }.prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return path[path.index(after: slash)...]
    }

    /// The address without a login in it, for screens and logs.
    public var redacted: String {
        let rest = afterScheme
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return scheme.rawValue + "://" + rest[rest.index(after: at)...]
    }

    private var afterScheme: Substring {
        guard let colon = text.range(of: "://") else { return text[...] }
        return text[colon.upperBound...]
    }

    private var authority: (host: Substring, port: Substring?) {
        var authority = afterScheme.prefix { $0 != "/" && $0 != "?" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return ("", nil) }
            let after = authority[authority.index(after: end)...]
            return (authority[...end], after.first == ":" ? after.dropFirst() : nil)
        }
        guard let colon = authority.lastIndex(of: ":") else { return (authority, nil) }
        let port = authority[authority.index(after: colon)...]
        return (authority[..<colon], port.isEmpty ? nil : port)
    }
}

extension TransferURL: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension StringProtocol {
    /// The first place of `needle`, compared by bytes; the standard library has this for collections only from macOS 13.
    fileprivate func range(of needle: StaticString) -> Range<Index>? {
        let bytes = utf8
        return needle.withUTF8Buffer { needle in
            var start = bytes.startIndex
            while start != bytes.endIndex {
                if bytes[start...].starts(with: needle) {
                    return start..<bytes.index(start, offsetBy: needle.count)
                }
                start = bytes.index(after: start)
            }
            return nil
        }
    }
}
