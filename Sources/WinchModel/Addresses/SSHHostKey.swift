/// The public key by which an SSH server proves its identity.
public struct SSHHostKey: Hashable, Sendable, Codable {
    /// The server's name in known_hosts: `host`, or `[host]:2222` when the port is not 22; lower case.
    public var host: String
    /// `ssh-ed25519`, `ecdsa-sha2-nistp256`, `ssh-rsa`.
    public var type: String
    /// The key in base64, as in known_hosts.
    public var key: String
    /// `SHA256:` and the hash in base64 without padding, as `ssh-keygen -l` prints it.
    public var fingerprint: String
    /// known_hosts has a key of another type for the host.
    public var hasOtherType: Bool

    package init(host: String, type: String, key: String, fingerprint: String, hasOtherType: Bool = false) {
        (self.host, self.type, self.key) = (host, type, key)
        (self.fingerprint, self.hasOtherType) = (fingerprint, hasOtherType)
    }

    /// - Parameters:
    ///   - host: as in `host`.
    ///   - bytes: the key as the server sends it (RFC 4253, section 6.6).
    ///   - sha256: the hash of `bytes`.
    /// - Returns: `nil` when the key does not begin with its type.
    package init?(host: String, bytes: [UInt8], sha256: [UInt8]) {
        var rest = bytes[...]
        guard let type = rest.takeString().flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
        let fingerprint = "SHA256:" + Base64.encoded(sha256).prefix { $0 != "=" }
        self.init(host: host, type: type, key: Base64.encoded(bytes), fingerprint: fingerprint)
    }

    /// Reads a fingerprint as `ssh-keygen -l` prints it; the prefix `SHA256:` is optional, padding is accepted.
    ///
    /// - Returns: the form of `fingerprint`; `nil` when the text is no SHA-256 hash.
    package static func fingerprint(_ text: some StringProtocol) -> String? {
        let hash = text.hasPrefix("SHA256:") ? text.dropFirst("SHA256:".count)[...] : text[...]
        let bare = String(hash.prefix { $0 != "=" })
        return Base64.decoded(Array(bare.utf8))?.count == 32 ? "SHA256:" + bare : nil
    }

    /// The type as ssh shows it in its questions: `ED25519`.
    public var typeName: String {
        switch type {
        case "ssh-ed25519": "ED25519"
        case "ssh-rsa": "RSA"
        case "ssh-dss": "DSA"
        default: type.hasPrefix("ecdsa-") ? "ECDSA" : type
        }
    }

    /// Whether host and key are equal; the other fields may differ.
    public func isSame(as other: SSHHostKey) -> Bool { host == other.host && type == other.type && key == other.key }
}

extension ArraySlice<UInt8> {
    /// Takes a big-endian `uint32` from the front.
    ///
    /// - Source: RFC 4251, section 5.
    package mutating func takeNumber() -> Int? {
        guard count >= 4 else { return nil }
        let number = prefix(4).reduce(0) { $0 << 8 | Int($1) }
        self = dropFirst(4)
        return number
    }

    package mutating func takeString() -> ArraySlice<UInt8>? {
        guard let length = takeNumber(), length <= count else { return nil }
        defer { self = dropFirst(length) }
        return prefix(length)
    }
}
