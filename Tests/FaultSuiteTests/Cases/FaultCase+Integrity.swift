import FaultServer
import Foundation
import Hashing

extension FaultCase {
    private static let content = SeededContent(name: "a").bytes(in: 0..<65_536)
    private static let sha256 = HashFunction.sha256.hash(content)

    /// Another hash of the same length.
    private static func wrong(_ hash: [UInt8]) -> [UInt8] { hash.map { $0 ^ 1 } }

    private static func digest(_ line: String) -> String { "/f/a?" + header(line) }

    private static func base64(_ hash: [UInt8]) -> String { Data(hash).base64EncodedString() }

    private static let wrongFile = Expected.fails(32).saying("sha-256")

    private static func checksums(_ name: String, _ function: HashFunction) -> [FaultCase] {
        let hash = function.hash(content)
        return [
            FaultCase("\(name) right", "/f/a --checksum \(name)=\(hash.hex)"),
            FaultCase("\(name) wrong", "/f/a --checksum \(name)=\(wrong(hash).hex)", gives: .fails(32, saying: name)),
        ]
    }

    /// Checksums: right ones, wrong ones and several at once.
    static let integrity: [FaultCase] =
        checksums("md5", .md5) + checksums("sha-1", .sha1) + checksums("sha-256", .sha256)
        + checksums("sha-512", .sha512)

    static let digests: [FaultCase] = [
        FaultCase("checksum after a drop", "/f/a?dropfirst=30K --checksum sha-256=\(sha256.hex)"),
        FaultCase(
            "checksum of a changed file", "/f/a?dropfirst=30K&change=1&versions=2 --checksum sha-256=\(sha256.hex)",
            gives: .fails(32)),
        FaultCase("Repr-Digest right", digest("Repr-Digest: sha-256=:\(base64(sha256)):")),
        FaultCase("Repr-Digest wrong", digest("Repr-Digest: sha-256=:\(base64(wrong(sha256))):"), gives: wrongFile),
        FaultCase("Content-Digest right", digest("Content-Digest: sha-256=:\(base64(sha256)):")),
        FaultCase(
            "Content-Digest wrong", digest("Content-Digest: sha-256=:\(base64(wrong(sha256))):"), gives: wrongFile),
        FaultCase("Digest right", digest("Digest: SHA-256=\(base64(sha256))")),
        FaultCase("Digest wrong", digest("Digest: SHA-256=\(base64(wrong(sha256)))"), gives: wrongFile),
        FaultCase("an unknown digest", digest("Repr-Digest: crc-9000=:AAAA:")),
        FaultCase("a garbled digest", digest("Repr-Digest: sha-256=:%%%")),
    ]
}
