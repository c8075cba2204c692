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

/// The hash of the bytes added so far. A copy goes on by itself.
///
/// `exit` frees what libcrypto works with: threads that hash must have ended before it.
package struct RunningHash: Sendable {
    /// libcrypto's state of one hash; `nil` inside: it refused the function, or memory was out.
    ///
    /// `@unchecked`: only changed through the one `RunningHash` that refers to it.
    private final class State: @unchecked Sendable {
        var hash: OpaquePointer?

        init(_ hash: OpaquePointer?) { self.hash = hash }

        deinit { winch_hash_free(hash) }

        func fail() {
            winch_hash_free(hash)
            hash = nil
        }

        func copy() -> State { State(hash.flatMap { winch_hash_copy($0) }) }
    }

    private var state: State

    package init(_ function: HashFunction) { state = State(winch_hash_new(function.inC)) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&state) { state = state.copy() }
        guard let hash = state.hash, !bytes.isEmpty else { return }
        if !winch_hash_update(hash, bytes.baseAddress, bytes.count) { state.fail() }
    }

    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// More bytes may follow.
    ///
    /// - Returns: none when libcrypto refuses the function.
    package func digest() -> [UInt8] {
        let last = state.copy()
        guard let hash = last.hash else { return [] }
        var digest = [UInt8](repeating: 0, count: Int(WINCH_HASH_MOST))
        let count = winch_hash_final(hash, &digest)
        return Array(digest.prefix(count))
    }
}

extension Sequence<UInt8> {
    /// Two lower-case digits for each byte, as digests are written.
    package var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
