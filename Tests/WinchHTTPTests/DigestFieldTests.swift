import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

/// Digests of empty input.
enum EmptyFile {
    static let md5 = Checksum("md5=d41d8cd98f00b204e9800998ecf8427e")
    static let sha1 = Checksum("sha-1=da39a3ee5e6b4b0d3255bfef95601890afd80709")
    static let sha256 = Checksum("sha-256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    static let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    static let base64Long =
        "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
}

@Suite struct `A digest field` {
    @Test(arguments: [
        "sha-256=:\(EmptyFile.base64):", " sha-256=:\(EmptyFile.base64):  ",
        "sha-256=:\(EmptyFile.base64):;q=1;a=\"x\"",
        "unixsum=:MTE=:, sha-256=:\(EmptyFile.base64):",
        "crc32c=5, a, b=?0, c=\"t\\\"\", d=tok/en:1, e=-1.5, f=(1 \"a\" b);z,"
            + "\tsha-256=:\(EmptyFile.base64):",
        "sha-256=:AAEC:, sha-256=:\(EmptyFile.base64):",
        "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, sha-256=:\(EmptyFile.base64):",
        "sha-256=:\(EmptyFile.base64.dropLast()):", "sha-256=:\(EmptyFile.base64):, a=:A:, b=(1, \"",
    ])
    func `has members of any form`(field: String) {
        expectEqual(DigestField.checksum(structured: field), EmptyFile.sha256)
    }

    @Test(arguments: [
        "", ",", "sha-256", "sha-256=", "sha-256=:\(EmptyFile.base64)", "sha-256=\(EmptyFile.base64)", "sha-256=:AAEC:",
        "SHA-256=:\(EmptyFile.base64):", "sha-256=:\(EmptyFile.base64): x", "a=?2", "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:",
        "sha-256=:*\(EmptyFile.base64.dropFirst()):", "sha-256=:=\(EmptyFile.base64):", "sha-256=:A:", "sha-256=::",
    ])
    func `that is malformed or has no supported hash is ignored`(field: String) {
        expectNil(DigestField.checksum(structured: field))
    }

    @Test func `gives the strongest of its hashes`() {
        let both = "sha-256=:\(EmptyFile.base64):, sha-512=:\(EmptyFile.base64Long):"
        expectEqual(DigestField.checksum(structured: both)?.algorithm, .sha512)
    }

    @Test(
        arguments: [
            ("SHA-256=\(EmptyFile.base64)", EmptyFile.sha256),
            ("sha-256=\(EmptyFile.base64), unixsum=30637", EmptyFile.sha256),
            ("MD5=1B2M2Y8AsgTpgAmY7PhCfg==", EmptyFile.md5), ("SHA=2jmj7l5rSw0yVb/vlWAYkK/YBwk=", EmptyFile.sha1),
            ("MD5=1B2M2Y8AsgTpgAmY7PhCfg==,SHA=2jmj7l5rSw0yVb/vlWAYkK/YBwk=", EmptyFile.sha1), ("SHA-256=x", nil),
            ("SHA-1=2jmj7l5rSw0yVb/vlWAYkK/YBwk=", nil), ("", nil), ("=", nil), ("MD5", nil),
            ("SHA-256=:\(EmptyFile.base64):", nil),
        ] as [(String, Checksum?)])
    func `in the obsolete form is parsed too`(field: String, checksum: Checksum?) {
        expectEqual(DigestField.checksum(old: field), checksum)
    }
}
