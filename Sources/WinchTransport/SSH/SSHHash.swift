import Hashing

/// Hashes of keys and names.
enum SSHHash {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { HashFunction.sha256.hash(bytes) }

    /// As known_hosts hides names.
    static func name(_ salt: [UInt8], _ name: String) -> [UInt8] {
        HashFunction.hmacSHA1(key: salt, Array(name.utf8))
    }
}
