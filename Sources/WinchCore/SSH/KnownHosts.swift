/// The keys of SSH servers that the user trusts: a known_hosts file.
///
/// Lines of authorities (`@cert-authority`) are passed over, as are lines that make no sense.
///
/// - Source: sshd(8), SSH_KNOWN_HOSTS FILE FORMAT.
public struct KnownHosts: Hashable, Sendable {
    /// One line of the file.
    struct Entry: Hashable, Sendable {
        /// From 1.
        var line: Int
        var isRevoked: Bool
        var names: Names
        var type: String
        var key: [UInt8]
    }

    enum Names: Hashable, Sendable {
        case patterns(SSHPatternList)
        /// HMAC-SHA1 of one name, so that a stolen file does not tell which hosts it is about.
        case hashed(salt: [UInt8], hash: [UInt8])
    }

    /// What the file says of a key.
    public enum Verdict: Hashable, Sendable {
        case trusted
        /// It must not be trusted any more.
        case revoked(line: Int)
        /// The host has another key of this type.
        case changed(line: Int)
        /// - Parameter hasOtherType: keys of other types are known for the host.
        case unknown(hasOtherType: Bool)
    }

    /// HMAC-SHA1 of a name, with the salt as its key.
    public typealias Hash = (_ salt: [UInt8], _ name: String) -> [UInt8]

    private(set) var entries: [Entry] = []

    public init() {}

    public init(parsing bytes: [UInt8]) {
        for (number, line) in TextLines(bytes) {
            if let entry = Self.entry(line, number) { entries.append(entry) }
        }
    }

    /// How known_hosts names a server: the port stands there only when it is not 22.
    public static func name(ofHost host: String, port: Int) -> String {
        port == 22 ? host.lowercased() : "[\(host.lowercased())]:\(port)"
    }

    /// - Parameters:
    ///   - key: the server's, as it is sent.
    ///   - name: as `name(ofHost:port:)` gives it.
    public func verdict(on key: [UInt8], type: String, of name: String, hash: Hash) -> Verdict {
        let known = entries.filter { $0.isOf(name, hash: hash) }
        if let revoked = known.first(where: { $0.isRevoked && $0.key == key }) { return .revoked(line: revoked.line) }
        let valid = known.filter { !$0.isRevoked }
        if valid.contains(where: { $0.type == type && $0.key == key }) { return .trusted }
        if let other = valid.first(where: { $0.type == type }) { return .changed(line: other.line) }
        return .unknown(hasOtherType: !valid.isEmpty)
    }

    /// Types of the keys that are known for a server, in the file's order.
    public func types(of name: String, hash: Hash) -> [String] {
        entries.filter { !$0.isRevoked && $0.isOf(name, hash: hash) }.map(\.type)
    }

    /// The line for a new key, without its end.
    public static func line(for key: HostKey) -> String { "\(key.host) \(key.type) \(key.key)" }

    private static func entry(_ line: ArraySlice<UInt8>, _ number: Int) -> Entry? {
        var words = line.split(whereSeparator: \.isBlank)[...]
        guard let first = words.first, first.first != UInt8(ascii: "#") else { return nil }
        var isRevoked = false
        if first.first == UInt8(ascii: "@") {
            guard first.elementsEqual("@revoked".utf8) else { return nil }
            isRevoked = true
            words = words.dropFirst()
        }
        guard words.count >= 3, let hosts = words.popFirst(), let type = words.popFirst(), let text = words.popFirst(),
            let names = names(hosts), let type = String(validating: type, as: UTF8.self),
            let key = Base64.decoded(text), !key.isEmpty
        else { return nil }
        return Entry(line: number, isRevoked: isRevoked, names: names, type: type, key: key)
    }

    private static func names(_ text: ArraySlice<UInt8>) -> Names? {
        guard text.first == UInt8(ascii: "|") else {
            guard let text = String(validating: text, as: UTF8.self) else { return nil }
            return .patterns(SSHPatternList(text.split(separator: ",")))
        }
        let parts = text.split(separator: UInt8(ascii: "|"))
        guard parts.count == 3, parts[0].elementsEqual("1".utf8), let salt = Base64.decoded(parts[1]),
            let hash = Base64.decoded(parts[2]), !hash.isEmpty
        else { return nil }
        return .hashed(salt: salt, hash: hash)
    }
}

extension KnownHosts.Entry {
    fileprivate func isOf(_ name: String, hash: KnownHosts.Hash) -> Bool {
        switch names {
        case .patterns(let patterns): patterns.matches(name)
        case .hashed(let salt, let wanted): hash(salt, name) == wanted
        }
    }
}
