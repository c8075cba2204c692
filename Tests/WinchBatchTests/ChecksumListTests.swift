import FoundationEssentials
import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `A checksum list` {
    private static let md5 = "d41d8cd98f00b204e9800998ecf8427e"
    private static let sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let other = String(repeating: "0", count: 64)

    fileprivate static func spec(_ urls: String..., out: String? = nil) throws -> TransferSpec {
        TransferSpec(urls: try urls.map { try TransferURL($0) }, name: try out.map { try TargetPath($0) })
    }

    @Test func `is read despite invalid UTF-8`() {
        var list = ChecksumList()
        expectEqual(list.read([0xFF, 0xFE, 0x0A] + Array("\(Self.md5)  b".utf8)).map(\.line), [1])
        expectEqual(list.count, 1)
    }

    @Test func `may be PGP-signed`() {
        var list = ChecksumList()
        let text = """
            -----BEGIN PGP SIGNED MESSAGE-----
            Hash: SHA256

            \(Self.sha256) *a.iso
            -----BEGIN PGP SIGNATURE-----

            iQIzBAEBCAAdFiEE
            -----END PGP SIGNATURE-----
            """
        expectEqual(list.read(Array(text.utf8)), [])
        expect(list.checksum(of: "a.iso") != nil && list.count == 1)
    }

    @Test func `uses the stronger of two hashes and reports a contradiction`() {
        var list = ChecksumList()
        let text = "\(Self.md5)  a\n\(Self.sha256)  a\n\(Self.md5)  a\n\(Self.other)  a"
        expectEqual(list.read(Array(text.utf8)).map(\.line), [4])
        expectEqual(list.checksum(of: "a"), Checksum("sha-256=\(Self.sha256)"))
    }

    /// Gentoo's DIGESTS have both, one comment before each.
    @Test func `takes the kind of its digests from its comments`() {
        var list = ChecksumList()
        let (blake, sha) = (String(repeating: "b", count: 128), String(repeating: "5", count: 128))
        let text = """
            # BLAKE2B HASH
            \(blake)  a
            \(blake)  b
            # SHA512 HASH
            \(sha)  a
            """
        let problem = BatchProblem(line: 2, severity: .warning, message: "unknown checksum type: BLAKE2b")
        expectEqual(list.read(Array(text.utf8)), [problem], "once for all of a kind")
        expectEqual(list.checksum(of: "a"), Checksum("sha-512=\(sha)"))
        expectNil(list.checksum(of: "b"))
        expectEqual(list.entries, 1)
    }

    @Test(
        arguments: [
            ("b2sums.txt", "BLAKE2b"), ("disk.iso.b2", "BLAKE2b"), ("B3SUMS", "BLAKE3"), ("SHA3-512SUMS", "SHA3"),
            ("SHA512-256SUMS", "SHA512/256"), ("x.ripemd160", "RIPEMD"), ("SHA512SUMS", nil), ("sha256sum.txt", nil),
            ("SHA-512-256.txt", "SHA512/256"), ("md4sums.txt", "MD4"), ("a.xxh128", "XXH"), ("skein512sums", "SKEIN"),
            ("k12sums", "KangarooTwelve"), ("GOST-checksums.txt", "GOST"), ("gost_2.11_checksums.txt", nil),
            ("SHA384SUMS", nil), ("B2.md5", nil), ("CHECKSUM", nil),
        ] as [(String, String?)])
    func `takes the kind of its digests from its name`(name: String, kind: String?) {
        var list = ChecksumList()
        let problems = list.read(Array("\(String(repeating: "0", count: 128))  a".utf8), name: name)
        expectEqual(problems.map(\.message), (kind.map { ["unknown checksum type: \($0)"] } ?? []))
        expectEqual(list.isEmpty, (kind != nil))
    }

    @Test(arguments: [("a.iso.sha256", true), ("a.iso.SHA256SUM", true), ("SHA256SUMS", false), (".sha256", false)])
    func `may be the digest alone of the file that it is named after`(name: String, isRead: Bool) {
        var list = ChecksumList()
        let problems = list.read(Array("\(Self.sha256)\n".utf8), name: name)
        expectEqual(problems.isEmpty, isRead)
        expect(list.checksum(of: "a.iso") == (isRead ? Checksum("sha-256=\(Self.sha256)") : nil))
    }

    @Test(
        arguments: [
            ("SHA3-256:", "SHA3"), ("BLAKE2b checksums\n=================", "BLAKE2b"), ("; BLAKE3", "BLAKE3"),
            ("# XXH128", "XXH"), ("SHA-512 checksums:", nil),
        ] as [(String, String?)])
    func `takes the kind of its digests from a heading`(heading: String, kind: String?) {
        var list = ChecksumList()
        let problems = list.read(Array("\(heading)\n\(String(repeating: "0", count: 128))  a".utf8))
        expectEqual(problems.last?.message, kind.map { "unknown checksum type: \($0)" })
        expectEqual(list.isEmpty, kind != nil)
    }

    @Test func `keeps the kind that its name says when a comment has the name of another`() {
        var list = ChecksumList()
        let text = "# Skein Project release\n\(Self.sha256)  a"
        expectEqual(list.read(Array(text.utf8), name: "SHA256SUMS"), [])
        expectEqual(list.count, 1)
    }

    @Test func `keeps the kind when a comment names several, or none`() {
        var list = ChecksumList()
        let text = "# BLAKE2b is in B2SUMS, SHA512 here\n# by me\n\(String(repeating: "0", count: 128))  a"
        expectEqual(list.read(Array(text.utf8), name: "SUMS"), [])
        expectEqual(list.count, 1)
    }

    @Test func `identifies a file by its path, then by its name where that is unambiguous`() {
        var list = ChecksumList()
        _ = list.read(Array("\(Self.sha256)  x/a\n\(Self.other)  y/a\n\(Self.other)  y/b".utf8))
        expectEqual(list.checksum(of: "x/a"), Checksum("sha-256=\(Self.sha256)"))
        expectEqual(list.checksum(of: "y/a"), Checksum("sha-256=\(Self.other)"))
        expectNil(list.checksum(of: "a"))
        expect(list.checksum(of: "b") != nil)
        expect(list.checksum(of: "z/b") != nil)
    }

    @Test(arguments: 2...5)
    func `does not check a name that it lists with different hashes`(count: Int) throws {
        var list = ChecksumList()
        let lines = (1...count).map { "\(String(repeating: "\($0)", count: 64))  d\($0)/initrd.gz" }
        expectEqual(list.read(Array(lines.joined(separator: "\n").utf8)), [])
        expectNil(list.checksum(of: "initrd.gz"))
        expectNil(list.checksum(for: try Self.spec("http://h/d9/initrd.gz")))
        let second = Checksum("sha-256=" + String(repeating: "2", count: 64))
        expectEqual(list.checksum(of: "d2/initrd.gz"), second)
        expectEqual(list.checksum(for: try Self.spec("http://h/images/d2/initrd.gz?x=1")), second)
        expectEqual(list.checksum(for: try Self.spec("http://h/d1/%64%32/initrd.gz")), second)
    }

    @Test func `identifies a transfer by its own name, then by its URLs`() throws {
        var list = ChecksumList()
        _ = list.read(Array("\(Self.sha256)  a\n\(Self.other)  d/b c".utf8))
        let one = Checksum("sha-256=\(Self.sha256)")
        let two = Checksum("sha-256=\(Self.other)")
        expectEqual(list.checksum(for: try Self.spec("http://h/a?x=1")), one)
        expectEqual(list.checksum(for: try Self.spec("http://h/a", out: "d/b c")), two)
        expectEqual(list.checksum(for: try Self.spec("http://h/a", out: "mine")), one)
        expectEqual(list.checksum(for: try Self.spec("http://h/x", "http://h/b%20c")), two)
        expectNil(list.checksum(for: try Self.spec("http://h/x")))
    }
}

@Suite struct `A line of a checksum list` {
    private static let md5 = "d41d8cd98f00b204e9800998ecf8427e"
    private static let sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    @Test(
        arguments: [
            ("\(sha256)  a b.iso", "a b.iso"), ("\(sha256) *a.iso", "a.iso"), ("\(sha256) a.iso", "a.iso"),
            ("\(sha256)\ta.iso", "a.iso"), ("\(sha256.uppercased())  ./d/a.iso\r", "d/a.iso"),
            ("\\\(sha256)  a\\\\b\\nc", "a\\b\nc"), ("SHA256 (a (1).iso) = \(sha256)", "a (1).iso"),
            ("SHA2-256(a.iso)= \(sha256)", "a.iso"), ("sha256(a=b)= \(sha256)", "a=b"),
            ("\(sha256)  SHA256 (x) = y", "SHA256 (x) = y"), ("\u{FEFF}\(sha256)  a", "a"),
        ] as [(String, String)])
    func `is read in the format of every common tool`(line: String, name: String) {
        var list = ChecksumList()
        expectEqual(list.read(Array(line.utf8)), [])
        expectEqual(list.checksum(of: name), Checksum("sha-256=\(Self.sha256)"))
        expectEqual(list.count, 1)
    }

    @Test(
        arguments: [
            ("nonsense", "neither HEX  NAME nor SHA256 (NAME) = HEX"),
            (sha256, "neither HEX  NAME nor SHA256 (NAME) = HEX"),
            ("\(sha256)  ", "neither HEX  NAME nor SHA256 (NAME) = HEX"),
            ("\\\(sha256)  a\\x", "neither HEX  NAME nor SHA256 (NAME) = HEX"),
            ("SHA256 (a) = xyz", "neither HEX  NAME nor SHA256 (NAME) = HEX"),
            ("SHA256 (a) = 1234", "neither HEX  NAME nor SHA256 (NAME) = HEX"),
            ("SHA384 (a) = 1234", "unknown checksum type: SHA384"),
            ("\(sha256)00000000  a", "unknown checksum type: 72 digits"),
        ] as [(String, String)])
    func `reports the lines that it cannot read and reads the others`(line: String, fault: String) {
        var list = ChecksumList()
        let problems = list.read(Array("# a comment\n\n\(line)\n\(Self.md5)  b\n".utf8))
        expectEqual(problems, [BatchProblem(line: 3, severity: .warning, message: fault)])
        expectEqual(list.checksum(of: "b")?.algorithm, .md5)
    }

    /// One character with an accent, and a letter with a combining one.
    @Test func `tells names apart that Swift takes for equal, also when it was stored`() throws {
        var list = ChecksumList()
        let (one, two) = (String(repeating: "1", count: 64), String(repeating: "2", count: 64))
        expectEqual(list.read(Array("\(one)  d/\u{E9}\n\(two)  d/e\u{301}\n".utf8)), [])
        for list in [list, try JSONDecoder().decode(ChecksumList.self, from: try JSONEncoder().encode(list))] {
            expectEqual(list.count, 2)
            expectEqual(list.checksum(of: "\u{E9}")?.hex, one)
            expectEqual(list.checksum(of: "x/e\u{301}")?.hex, two)
            try expectEqual(list.checksum(for: `A checksum list`.spec("http://h/d/e%CC%81"))?.hex, two)
        }
    }

    @Test func `is the same when it was stored`() throws {
        var list = ChecksumList()
        let digests = ["a": String(repeating: "1", count: 64), "b": String(repeating: "2", count: 64)]
        _ = list.read(Array("\(digests["a"] ?? "")  x/a\n\(digests["b"] ?? "")  y/a\n".utf8))
        let stored = try JSONDecoder().decode(ChecksumList.self, from: try JSONEncoder().encode(list))
        expectEqual(stored.entries, 2)
        for path in ["x/a", "y/a", "a", "b"] { expectEqual(stored.checksum(of: path), list.checksum(of: path)) }
        expectEqual(list.checksum(of: "x/a")?.hex, digests["a"])
    }
}
