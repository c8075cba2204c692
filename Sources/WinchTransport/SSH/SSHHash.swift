import Crypto

/// Hashes of keys and names.
enum SSHHash {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// As known_hosts hides names.
    static func name(_ salt: [UInt8], _ name: String) -> [UInt8] {
        Array(HMAC<Insecure.SHA1>.authenticationCode(for: Array(name.utf8), using: SymmetricKey(data: salt)))
    }
}
