import Testing

@testable import WinchCore

/// Of nothing.
private enum Empty {
    static let md5 = Checksum("md5=d41d8cd98f00b204e9800998ecf8427e")
    static let sha1 = Checksum("sha-1=da39a3ee5e6b4b0d3255bfef95601890afd80709")
    static let sha256 = Checksum("sha-256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    static let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    static let base64Long =
        "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
}

@Suite struct `A digest field` {
    @Test(arguments: [
        "sha-256=:\(Empty.base64):", " sha-256=:\(Empty.base64):  ", "sha-256=:\(Empty.base64):;q=1;a=\"x\"",
        "unixsum=:MTE=:, sha-256=:\(Empty.base64):",
        "crc32c=5, a, b=?0, c=\"t\\\"\", d=tok/en:1, e=-1.5, f=(1 \"a\" b);z,"
            + "\tsha-256=:\(Empty.base64):",
        "sha-256=:AAEC:, sha-256=:\(Empty.base64):", "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, sha-256=:\(Empty.base64):",
        "sha-256=:\(Empty.base64.dropLast()):",
    ])
    func `is read by the grammar of structured fields`(field: String) {
        #expect(DigestField.checksum(structured: field) == Empty.sha256)
    }

    @Test(arguments: [
        "", ",", "sha-256", "sha-256=", "sha-256=:\(Empty.base64)", "sha-256=\(Empty.base64)", "sha-256=:AAEC:",
        "SHA-256=:\(Empty.base64):", "sha-256=:\(Empty.base64):,", "sha-256=:\(Empty.base64): x",
        "sha-256=:\(Empty.base64):, \"", "sha-256=:\(Empty.base64):;", "sha-256=:\(Empty.base64):, a=(1", "a=?2",
        "sha-256=:\(Empty.base64):;=1", "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:", "sha-256=:*\(Empty.base64.dropFirst()):",
        "sha-256=:=\(Empty.base64):", "sha-256=:A:", "sha-256=::",
    ])
    func `with an error, or without a hash that holds, says nothing`(field: String) {
        #expect(DigestField.checksum(structured: field) == nil)
    }

    @Test func `counts by its strongest hash`() {
        let both = "sha-256=:\(Empty.base64):, sha-512=:\(Empty.base64Long):"
        #expect(DigestField.checksum(structured: both)?.algorithm == .sha512)
    }

    @Test(
        arguments: [
            ("SHA-256=\(Empty.base64)", Empty.sha256), ("sha-256=\(Empty.base64), unixsum=30637", Empty.sha256),
            ("MD5=1B2M2Y8AsgTpgAmY7PhCfg==", Empty.md5), ("SHA=2jmj7l5rSw0yVb/vlWAYkK/YBwk=", Empty.sha1),
            ("MD5=1B2M2Y8AsgTpgAmY7PhCfg==,SHA=2jmj7l5rSw0yVb/vlWAYkK/YBwk=", Empty.sha1), ("SHA-256=x", nil),
            ("SHA-1=2jmj7l5rSw0yVb/vlWAYkK/YBwk=", nil), ("", nil), ("=", nil), ("MD5", nil),
            ("SHA-256=:\(Empty.base64):", nil),
        ] as [(String, Checksum?)])
    func `of the old form is read as well`(field: String, checksum: Checksum?) {
        #expect(DigestField.checksum(old: field) == checksum)
    }
}

@Suite struct `A text in Base64` {
    @Test(
        arguments: [
            ("", []), ("AA==", [0]), ("AA", [0]), ("AAE=", [0, 1]), ("AAE", [0, 1]), ("AAEC", [0, 1, 2]),
            ("+/+/", [0xFB, 0xFF, 0xBF]), ("A", nil), ("A===", nil), ("AA=", nil), ("=AA=", nil), ("AA=A", nil),
            ("AAAA====", nil), ("AA A", nil), ("-_-_", nil),
        ] as [(String, [UInt8]?)])
    func `is read with or without its padding`(text: String, bytes: [UInt8]?) {
        #expect(Base64.decoded(text.utf8) == bytes)
    }
}

@Suite struct `What a file must hash to` {
    private func head(_ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { line.utf8.withContiguousStorageIfAvailable { _ = head.read(UnsafeRawBufferPointer($0)) } }
        return head
    }

    @Test func `is what the person says and what the server says`() {
        var settings = TransferSettings()
        settings.checksum = Empty.md5
        let answer = head("HTTP/1.1 200 OK", "Repr-Digest: sha-256=:\(Empty.base64):", "Digest: MD5=AAEC")
        let demands = DigestDemand.all(settings, listed: Empty.sha1, answer, offset: 0, end: 10)
        #expect(demands.map(\.checksum) == [Empty.md5, Empty.sha1, Empty.sha256].compactMap(\.self))
        #expect(demands.allSatisfy { $0.range == nil })
        #expect(demands.map(\.origin) == [.option, .list, .header("Repr-Digest")])
        let old = DigestDemand.all(
            TransferSettings(), listed: nil, head("HTTP/1.1 200 OK", "Digest: MD5=AAECAwQFBgcICQoLDA0ODw=="), offset: 0,
            end: 10)
        #expect(old.map(\.origin) == [.header("Digest")])
    }

    @Test func `is said once when all agree`() {
        var settings = TransferSettings()
        settings.checksum = Empty.sha256
        let field = "sha-256=:\(Empty.base64):"
        let answer = head(
            "HTTP/1.1 200 OK", "Repr-Digest: \(field)", "Content-Digest: \(field)", "Digest: SHA-256=\(Empty.base64)")
        #expect(DigestDemand.all(settings, listed: Empty.sha256, answer, offset: 0, end: 10).count == 1)
    }

    @Test func `of a part's content is that part, and of the representation the whole`() {
        let field = "sha-256=:\(Empty.base64):"
        let answer = head("HTTP/1.1 206 Partial", "Repr-Digest: \(field)", "Content-Digest: \(field)")
        let demands = DigestDemand.all(TransferSettings(), listed: nil, answer, offset: 5, end: 10)
        #expect(demands.map(\.range) == [nil, 5..<10])
        #expect(DigestDemand.all(TransferSettings(), listed: nil, answer, offset: 5, end: nil).map(\.range) == [nil])
    }

    @Test func `is nothing that an error's page says`() {
        let field = "sha-256=:\(Empty.base64):"
        let answer = head("HTTP/1.1 416 No", "Repr-Digest: \(field)", "Content-Digest: \(field)")
        #expect(DigestDemand.all(TransferSettings(), listed: nil, answer, offset: 5, end: 5) == [])
    }

    @Test func `may stand in two fields, or after the body`() {
        var answer = head("HTTP/1.1 200 OK", "repr-digest: md5=:AA==:", "REPR-DIGEST: sha-256=:\(Empty.base64):")
        #expect(answer.reprChecksum?.checksum == Empty.sha256)
        answer = head("HTTP/1.1 200 OK", "Content-Length: 5")
        for line in [
            "Content-Digest: sha-256=:\(Empty.base64):\r\n", "Content-Length: 7\r\n", "HTTP/1.1 404 x\r\n", "\r\n",
        ] {
            line.utf8.withContiguousStorageIfAvailable { answer.read(trailer: UnsafeRawBufferPointer($0)) }
        }
        #expect(answer.contentChecksum == Empty.sha256)
        #expect(answer.contentLength == .bytes(5) && answer.status == 200)
    }
}
