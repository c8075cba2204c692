import FaultServer
import Hashing

extension FaultCase {
    private static let content = SeededContent(name: "a").bytes(in: 0..<65_536)
    private static let sums: [(type: String, hex: String)] = [
        ("md5", HashFunction.md5.hash(content).hex), ("sha-1", HashFunction.sha1.hash(content).hex),
        ("sha-256", HashFunction.sha256.hash(content).hex), ("sha-512", HashFunction.sha512.hash(content).hex),
    ]
    private static let sha256 = HashFunction.sha256.hash(content).hex

    /// Another hash of the same length.
    private static func wrong(_ hex: String) -> String { String(hex.map { $0 == "0" ? "1" : "0" }) }

    private static func digest(_ line: String) -> String { "/f/a?" + header(line) }

    private static let wrongFile = Expected.fails(32).saying("sha-256")

    /// Checksums: right ones, wrong ones and several at once.
    static let integrity: [FaultCase] =
        sums.flatMap { sum in
            [
                FaultCase(
                    .integrity, "\(sum.type) right", ["/f/a"], [.checksum(sum.type, sum.hex)], gives: .whole("a")),
                FaultCase(
                    .integrity, "\(sum.type) wrong", ["/f/a"], [.checksum(sum.type, wrong(sum.hex))],
                    gives: .fails(32, saying: sum.type)),
            ]
        } + [
            FaultCase(
                .integrity, "checksum after a drop", ["/f/a?dropfirst=30K"], [.checksum("sha-256", sha256)],
                gives: .whole("a")),
            FaultCase(
                .integrity, "checksum of a changed file", ["/f/a?dropfirst=30K&change=1&versions=2"],
                [.checksum("sha-256", sha256)], gives: .fails(32)),
            FaultCase(
                .integrity, "Repr-Digest right", [digest("Repr-Digest: sha-256=:\(base64(sha256)):")],
                gives: .whole("a")),
            FaultCase(
                .integrity, "Repr-Digest wrong", [digest("Repr-Digest: sha-256=:\(base64(wrong(sha256))):")],
                gives: wrongFile),
            FaultCase(
                .integrity, "Content-Digest right", [digest("Content-Digest: sha-256=:\(base64(sha256)):")],
                gives: .whole("a")),
            FaultCase(
                .integrity, "Content-Digest wrong", [digest("Content-Digest: sha-256=:\(base64(wrong(sha256))):")],
                gives: wrongFile),
            FaultCase(.integrity, "Digest right", [digest("Digest: SHA-256=\(base64(sha256))")], gives: .whole("a")),
            FaultCase(
                .integrity, "Digest wrong", [digest("Digest: SHA-256=\(base64(wrong(sha256)))")], gives: wrongFile),
            FaultCase(.integrity, "an unknown digest", [digest("Repr-Digest: crc-9000=:AAAA:")], gives: .whole("a")),
            FaultCase(.integrity, "a garbled digest", [digest("Repr-Digest: sha-256=:%%%")], gives: .whole("a")),
        ]

    /// - Source: RFC 4648, section 4.
    private static func base64(_ hex: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bits = hex.compactMap { $0.hexDigitValue }.flatMap { digit in (0..<4).map { digit >> (3 - $0) & 1 } }
        let text = stride(from: 0, to: bits.count, by: 6).map { start in
            alphabet[(0..<6).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }]
        }
        return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
