import FaultServer
import Foundation
import Hashing

extension FaultCase {
    private static let content = SeededContent(name: "a").bytes(in: 0..<65_536)
    private static let sha256 = HashFunction.sha256.hash(content)

    /// Another hash of the same length.
    private static func wrong(_ hash: [UInt8]) -> [UInt8] { hash.map { $0 ^ 1 } }

    private static func checksums(_ name: String, _ function: HashFunction) -> [FaultCase] {
        let hash = function.hash(content)
        return [
            FaultCase("\(name) right", "/f/a --checksum \(name)=\(hash.hex)"),
            FaultCase("\(name) wrong", "/f/a --checksum \(name)=\(wrong(hash).hex)", gives: .fails(32, saying: name)),
        ]
    }

    /// Checksums, right and wrong ones.
    static let integrity: [FaultCase] = checksums("md5", .md5) + checksums("sha-512", .sha512)

    static let digests: [FaultCase] = [
        FaultCase(
            "checksum of a changed file", "/f/a?dropfirst=30K&change=1&versions=2 --checksum sha-256=\(sha256.hex)",
            gives: .fails(32)),
        FaultCase(
            "Repr-Digest wrong",
            "/f/a?" + header("Repr-Digest: sha-256=:\(Data(wrong(sha256)).base64EncodedString()):"),
            gives: .fails(32, saying: "sha-256")),
    ]
}
