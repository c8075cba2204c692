/// The public key by which an SSH server proves which one it is.
public struct HostKey: Hashable, Sendable, Codable {
    /// As known_hosts names the server: `host`, or `[host]:2222` when the port is not 22; lower case.
    public var host: String
    /// `ssh-ed25519`, `ecdsa-sha2-nistp256`, `ssh-rsa`.
    public var type: String
    /// The key in base64, as known_hosts has it.
    public var key: String
    /// `SHA256:` and the hash in base64 without padding, as `ssh-keygen -l` prints it.
    public var fingerprint: String
    /// known_hosts has a key for the host, but of another type.
    public var hasOtherType: Bool

    public init(host: String, type: String, key: String, fingerprint: String, hasOtherType: Bool = false) {
        self.host = host
        self.type = type
        self.key = key
        self.fingerprint = fingerprint
        self.hasOtherType = hasOtherType
    }

    /// - Parameters:
    ///   - bytes: the key as the server sends it.
    ///   - sha256: its hash.
    /// - Returns: `nil` when the key does not name its type.
    public init?(host: String, bytes: [UInt8], sha256: [UInt8]) {
        guard let type = SSHPublicKey.type(of: bytes) else { return nil }
        let fingerprint = "SHA256:" + Base64.encoded(sha256).prefix { $0 != "=" }
        self.init(host: host, type: type, key: Base64.encoded(bytes), fingerprint: fingerprint)
    }

    /// What `ssh-keygen -l` prints, with or without `SHA256:` before it and padding after it.
    ///
    /// - Returns: the usual form; `nil` when it is no SHA-256 hash.
    public static func fingerprint(_ text: some StringProtocol) -> String? {
        let hash = text.hasPrefix("SHA256:") ? text.dropFirst("SHA256:".count)[...] : text[...]
        let bare = String(hash.prefix { $0 != "=" })
        return Base64.decoded(Array(bare.utf8))?.count == 32 ? "SHA256:" + bare : nil
    }

    /// `ED25519`, as ssh calls it in its questions.
    public var typeName: String {
        switch type {
        case "ssh-ed25519": "ED25519"
        case "ssh-rsa": "RSA"
        case "ssh-dss": "DSA"
        default: type.hasPrefix("ecdsa-") ? "ECDSA" : type
        }
    }

    /// The same server and the same key, whatever else is known of it.
    public func isSame(as other: HostKey) -> Bool { host == other.host && type == other.type && key == other.key }
}

/// A text that no log, ledger or process list may show.
public struct Secret: Hashable, Sendable, Codable, CustomStringConvertible, CustomReflectable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public var description: String { "(hidden)" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Nothing is written, so nothing can be read.
    public init(from decoder: any Decoder) throws {
        text = ""
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}
