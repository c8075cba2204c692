import WinchModel

/// The properties of a private key file that can be read without its passphrase.
///
/// - Source: PROTOCOL.key of OpenSSH; RFC 1421, section 4.6; RFC 5958.
package struct SSHKeyFile: Hashable, Sendable {
    /// The key needs a passphrase.
    package var isEncrypted: Bool
    /// An RSA key: servers refuse its old signatures (SHA-1), which are the only ones of libssh2 before 1.11.
    package var isRSA: Bool

    /// - Returns: `nil` when the file is no private key in a format that libssh2 reads.
    package init?(parsing bytes: [UInt8]) {
        var label: Substring?
        var body: [UInt8] = []
        var hasEncryptedField = false
        for (_, line) in TextLines(bytes) {
            let text = String(decoding: line, as: UTF8.self)
            if text.hasPrefix("-----BEGIN "), text.hasSuffix("-----"), label == nil {
                label = text.dropFirst("-----BEGIN ".count).dropLast(5)
            } else if text.hasPrefix("-----END ") {
                break
            } else if label != nil {
                if text.hasPrefix("Proc-Type:"), text.contains("ENCRYPTED") { hasEncryptedField = true }
                if !text.utf8.contains(UInt8(ascii: ":")) { body += line }
            }
        }
        switch label {
        case "OPENSSH PRIVATE KEY":
            guard let bytes = Base64.decoded(body), let own = OpenSSHKey(bytes) else { return nil }
            (isEncrypted, isRSA) = (own.isEncrypted, own.isRSA)
        case "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY":
            (isEncrypted, isRSA) = (hasEncryptedField, label == "RSA PRIVATE KEY")
        case "ENCRYPTED PRIVATE KEY": (isEncrypted, isRSA) = (true, false)
        case "PRIVATE KEY": (isEncrypted, isRSA) = (false, false)
        default: return nil
        }
    }
}

/// The header of a key in OpenSSH's own format; only what follows it is encrypted.
private struct OpenSSHKey {
    var isEncrypted: Bool
    var isRSA: Bool
    private static let magic = Array("openssh-key-v1\0".utf8)

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.magic) else { return nil }
        var rest = bytes[Self.magic.count...]
        guard let cipher = rest.takeString(), rest.takeString() != nil, rest.takeString() != nil,
            rest.takeNumber() != nil, var key = rest.takeString(), let type = key.takeString()
        else { return nil }
        isEncrypted = !cipher.elementsEqual("none".utf8)
        isRSA = type.elementsEqual("ssh-rsa".utf8)
    }
}
