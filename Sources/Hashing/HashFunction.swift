import CHashing

package enum HashFunction: Hashable, Sendable, CaseIterable {
    case md5, sha1, sha256, sha512

    /// - Returns: 16 to 64 bytes; none when libcrypto refuses the function, as it does MD5 in FIPS mode.
    package func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = RunningHash(self)
        hash.update(bytes)
        return hash.digest()
    }

    /// HMAC with SHA-1.
    ///
    /// - Returns: 20 bytes; none when libcrypto refuses.
    /// - Source: RFC 2104.
    package static func hmacSHA1(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 20)
        return winch_hmac_sha1(key, key.count, bytes, bytes.count, &hash) ? hash : []
    }

    var inC: winch_hash_function {
        switch self {
        case .md5: WINCH_MD5
        case .sha1: WINCH_SHA1
        case .sha256: WINCH_SHA256
        case .sha512: WINCH_SHA512
        }
    }
}
