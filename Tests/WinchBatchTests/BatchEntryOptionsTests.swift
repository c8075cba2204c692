import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `An entry's option` {
    private static func settings(_ line: String) -> TransferSettings? {
        let text = "http://a/1\n \(line)"
        return BatchParser(folder: ".", settings: TransferSettings()).parse(Array(text.utf8)).specs.first?.settings
            .value
    }

    private enum Field {
        case referer, userAgent, user, password, proxy

        func value(in settings: TransferSettings?) -> String? {
            switch self {
            case .referer: settings?.referer
            case .userAgent: settings?.userAgent
            case .user: settings?.user
            case .password: settings?.password
            case .proxy: settings?.proxy
            }
        }
    }

    @Test(arguments: [
        ("referer=r", Field.referer, "r"), ("user-agent=u", .userAgent, "u"), ("user=u", .user, "u"),
        ("http-user=u", .user, "u"), ("ftp-user=u", .user, "u"), ("password=p", .password, "p"),
        ("http-passwd=p", .password, "p"), ("ftp-passwd=p", .password, "p"), ("proxy=p", .proxy, "p"),
        ("all-proxy=p", .proxy, "p"), ("http-proxy=p", .proxy, "p"), ("https-proxy=p", .proxy, "p"),
        ("ftp-proxy=p", .proxy, "p"), ("referer= a b ", .referer, "a b"), ("user=", .user, ""),
    ])
    private func `has Winch's and aria2's name`(line: String, field: Field, value: String) {
        expectEqual(field.value(in: Self.settings(line)), value)
    }

    @Test(arguments: ["user=me:secret", "http-user=me:secret", "proxy=http://me:secret/x@p:1"])
    func `that holds a secret is refused without it`(line: String) throws {
        let text = "http://h/a\n  \(line)\n"
        let batch = BatchParser(folder: ".", settings: TransferSettings()).parse(Array(text.utf8))
        expect(batch.specs.first?.settings.value.user == nil && batch.specs.first?.settings.value.proxy == nil)
        let problem = try require(batch.problems.first)
        expect(!problem.message.contains("secret"))
    }

    /// The password of the command line is its user's.
    @Test(
        arguments: [
            ("user=alice", nil), ("user=bob", "secret"), ("user=alice\n  password=hers", "hers"),
            ("password=hers\n  user=alice", "hers"), ("password=his", "his"),
        ] as [(String, String?)])
    func `that names another user takes no password from the command line`(lines: String, password: String?) {
        var settings = TransferSettings()
        (settings.user, settings.password) = ("bob", "secret")
        let batch = BatchParser(folder: ".", settings: settings).parse(Array("http://h/a\n  \(lines)\n".utf8))
        expectEqual(batch.specs.first?.settings.value.password, password)
    }

    @Test func `is parsed with its unit`() {
        expectEqual(Self.settings("limit-rate=500K")?.rateLimit, ByteRate(perSecond: 512_000))
        expectEqual(Self.settings("max-download-limit=2M")?.rateLimit, ByteRate(perSecond: 2_097_152))
        expectNil(Self.settings("limit-rate=0")?.rateLimit)
        expectEqual(Self.settings("max-size=2K")?.maxSize, ByteCount(bytes: 2048))
        expectNil(Self.settings("max-size=0"))
        expectEqual(Self.settings("max-tries=0")?.maxTries, 0)
        expectEqual(Self.settings("retry-wait=2.5")?.retryWait, .seconds(2.5))
        expectEqual(Self.settings("timeout=60")?.stallTimeout, .seconds(60))
    }

    @Test(arguments: [
        ("md5=d41d8cd98f00b204e9800998ecf8427e", Checksum.Algorithm.md5),
        ("MD5=D41D8CD98F00B204E9800998ECF8427E", .md5),
        ("sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709", .sha1),
        ("sha-1=da39a3ee5e6b4b0d3255bfef95601890afd80709", .sha1),
        ("sha-256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", .sha256),
    ])
    func `may set a checksum`(text: String, algorithm: Checksum.Algorithm) {
        let checksum = Self.settings("checksum=\(text)")?.checksum
        expectEqual(checksum?.algorithm, algorithm)
        expectEqual(checksum?.hex, checksum?.hex.lowercased())
    }

    @Test(
        arguments: [("restart", FileChange.restart), ("fail", .fail), ("Fail", nil), ("", nil)]
            as [(String, FileChange?)])
    func `may set the policy for changed files`(text: String, way: FileChange?) {
        expectEqual(Self.settings("on-change=\(text)")?.onChange, way)
    }

    @Test(arguments: ["", "md5", "md5=", "md5=xyz", "md5=d41d8cd98f00b204e9800998ecf8427", "crc=12", "=12"])
    func `is not a checksum unless the type is known and all digits are present`(text: String) {
        expectNil(Checksum(text))
    }
}
