import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

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
}
