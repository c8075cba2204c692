import TestSupport
import Testing

@testable import WinchModel
@testable import WinchSSH

@Suite struct `The list of known SSH servers` {
    /// Keys of four bytes: `AQID` and so on.
    private static let text = """
        # a comment
        plain ssh-ed25519 AQID me@here

        [plain]:2222,other ssh-rsa BAUG
        *.example.org,!bad.example.org ecdsa-sha2-nistp256 BwgJ
        |1|c2FsdA==|aGFzaDpoaWRkZW4= ssh-ed25519 AQID
        @revoked plain ssh-ed25519 CgsM
        @cert-authority * ssh-ed25519 DQ4P
        plain not-base64 ???
        plain
        two ssh-ed25519 AQID
        two ssh-ed25519 BAUG
        """

    private static let hosts = KnownHosts(parsing: Array(text.utf8))

    /// In place of HMAC-SHA1, which this module does not implement.
    private static func hash(_ salt: [UInt8], _ name: String) -> [UInt8] {
        salt == Array("salt".utf8) ? Array("hash:\(name)".utf8) : []
    }

    @Test(
        arguments: [
            ("plain", "ssh-ed25519", [1, 2, 3], .trusted), ("plain", "ssh-ed25519", [9], .changed(line: 2)),
            ("plain", "ssh-rsa", [4, 5, 6], .unknown(hasOtherType: true)),
            ("[plain]:2222", "ssh-rsa", [4, 5, 6], .trusted), ("other", "ssh-rsa", [1], .changed(line: 4)),
            ("a.example.org", "ecdsa-sha2-nistp256", [7, 8, 9], .trusted),
            ("bad.example.org", "ecdsa-sha2-nistp256", [7, 8, 9], .unknown(hasOtherType: false)),
            ("example.org", "ecdsa-sha2-nistp256", [7, 8, 9], .unknown(hasOtherType: false)),
            ("hidden", "ssh-ed25519", [1, 2, 3], .trusted), ("hidden", "ssh-ed25519", [3], .changed(line: 6)),
            ("plain", "ssh-ed25519", [10, 11, 12], .revoked(line: 7)),
            ("nowhere", "ssh-ed25519", [13, 14, 15], .unknown(hasOtherType: false)),
            ("two", "ssh-ed25519", [4, 5, 6], .trusted), ("two", "ssh-ed25519", [7], .changed(line: 11)),
        ] as [(String, String, [UInt8], KnownHosts.Verdict)])
    func `judges a server's key`(name: String, type: String, key: [UInt8], verdict: KnownHosts.Verdict) {
        expectEqual(Self.hosts.verdict(on: key, type: type, of: name, hash: Self.hash), verdict)
    }

    @Test func `gives the types of a host's keys`() {
        expectEqual(Self.hosts.types(of: "plain", hash: Self.hash), ["ssh-ed25519"])
        expect(Self.hosts.types(of: "nowhere", hash: Self.hash).isEmpty)
    }

    @Test func `includes the port in a host's name unless it is 22`() {
        expectEqual(KnownHosts.name(ofHost: "Host", port: 22), "host")
        expectEqual(KnownHosts.name(ofHost: "::1", port: 2222), "[::1]:2222")
    }

    @Test func `writes a new key as a line that it can read`() throws {
        let key = SSHHostKey(host: "[h]:2222", type: "ssh-ed25519", key: "AQID", fingerprint: "SHA256:x")
        let again = KnownHosts(parsing: Array(KnownHosts.line(for: key).utf8))
        expectEqual(again.verdict(on: [1, 2, 3], type: "ssh-ed25519", of: "[h]:2222", hash: Self.hash), .trusted)
    }

    @Test(arguments: [
        ("*", "anything", true), ("", "a", false), ("a*c", "abbbc", true), ("a*c", "abbb", false), ("a?c", "abc", true),
        ("a?c", "ac", false), ("*a*b", "xaxaxb", true), ("HOST", "host", true), ("**", "", true), ("?", "", false),
    ])
    func `matches hosts by patterns`(pattern: String, name: String, matches: Bool) {
        expectEqual(SSHPatternList([pattern]).matches(name), matches)
    }
}
