package import WinchModel

/// A known_hosts file: the keys of the SSH servers that the user trusts.
///
/// Lines with `@cert-authority` and malformed lines are ignored.
///
/// - Source: sshd(8), SSH_KNOWN_HOSTS FILE FORMAT.
package struct KnownHosts: Hashable, Sendable {
    /// One line of the file.
    struct Entry: Hashable, Sendable {
        var line: Int
        /// The line number, from 1.
        var isRevoked: Bool
        var names: Names
        var type: String
        var key: [UInt8]
    }

    enum Names: Hashable, Sendable {
        case patterns(SSHPatternList)
        /// The HMAC-SHA1 of one name, which keeps the names secret when the file is stolen.
        case hashed(salt: [UInt8], hash: [UInt8])
    }

    /// The result of looking up a server's key.
    package enum Verdict: Hashable, Sendable {
        case trusted
        /// The file marks the key as revoked.
        case revoked(line: Int)
        /// The file has another key of this type for the host.
        case changed(line: Int)
        /// The file has no key of this type for the host.
        ///
        /// - Parameter hasOtherType: it has keys of other types for the host.
        case unknown(hasOtherType: Bool)
    }

    /// Computes the HMAC-SHA1 of a name with the salt as its key. A parameter, because this module has no cryptography.
    package typealias Hash = (_ salt: [UInt8], _ name: String) -> [UInt8]

    private(set) var entries: [Entry] = []

    package init(parsing bytes: [UInt8]) {
        for (number, line) in TextLines(bytes) {
            if let entry = Self.entry(line, number) { entries.append(entry) }
        }
    }

    /// The name of a server in known_hosts: `host`, or `[host]:port` when the port is not 22.
    package static func name(ofHost host: String, port: Int) -> String {
        port == 22 ? host.lowercased() : "[\(host.lowercased())]:\(port)"
    }

    /// - Parameters:
    ///   - key: the key as the server sends it.
    ///   - name: from `name(ofHost:port:)`.
    package func verdict(on key: [UInt8], type: String, of name: String, hash: Hash) -> Verdict {
        let known = entries.filter { $0.isOf(name, hash: hash) }
        if let revoked = known.first(where: { $0.isRevoked && $0.key == key }) { return .revoked(line: revoked.line) }
        let valid = known.filter { !$0.isRevoked }
        if valid.contains(where: { $0.type == type && $0.key == key }) { return .trusted }
        if let other = valid.first(where: { $0.type == type }) { return .changed(line: other.line) }
        return .unknown(hasOtherType: !valid.isEmpty)
    }

    /// The types of the keys that the file has for a server, in its order.
    package func types(of name: String, hash: Hash) -> [String] {
        entries.filter { !$0.isRevoked && $0.isOf(name, hash: hash) }.map(\.type)
    }

    /// The line for a new key, without the line end.
    package static func line(for key: SSHHostKey) -> String { "\(key.host) \(key.type) \(key.key)" }

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
