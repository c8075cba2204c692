import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `What a file must hash to` {
    private func head(_ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { line.utf8.withContiguousStorageIfAvailable { _ = head.read(UnsafeRawBufferPointer($0)) } }
        return head
    }

    @Test func `is what the user says and what the server says`() {
        var settings = TransferSettings()
        settings.checksum = EmptyFile.md5
        let answer = head("HTTP/1.1 200 OK", "Repr-Digest: sha-256=:\(EmptyFile.base64):", "Digest: MD5=AAEC")
        let demands = ExpectedDigest.all(settings, listed: EmptyFile.sha1, answer, offset: 0, end: 10)
        #expect(demands.map(\.checksum) == [EmptyFile.md5, EmptyFile.sha1, EmptyFile.sha256].compactMap(\.self))
        #expect(demands.allSatisfy { $0.range == nil })
        #expect(demands.map(\.origin) == [.option, .list, .header("Repr-Digest")])
        let old = ExpectedDigest.all(
            TransferSettings(), listed: nil, head("HTTP/1.1 200 OK", "Digest: MD5=AAECAwQFBgcICQoLDA0ODw=="), offset: 0,
            end: 10)
        #expect(old.map(\.origin) == [.header("Digest")])
    }

    @Test func `is said once when all agree`() {
        var settings = TransferSettings()
        settings.checksum = EmptyFile.sha256
        let field = "sha-256=:\(EmptyFile.base64):"
        let answer = head(
            "HTTP/1.1 200 OK", "Repr-Digest: \(field)", "Content-Digest: \(field)",
            "Digest: SHA-256=\(EmptyFile.base64)")
        #expect(ExpectedDigest.all(settings, listed: EmptyFile.sha256, answer, offset: 0, end: 10).count == 1)
    }

    @Test func `of a part's content is that part, and of the representation the whole`() {
        let field = "sha-256=:\(EmptyFile.base64):"
        let answer = head("HTTP/1.1 206 Partial", "Repr-Digest: \(field)", "Content-Digest: \(field)")
        let demands = ExpectedDigest.all(TransferSettings(), listed: nil, answer, offset: 5, end: 10)
        #expect(demands.map(\.range) == [nil, 5..<10])
        #expect(ExpectedDigest.all(TransferSettings(), listed: nil, answer, offset: 5, end: nil).map(\.range) == [nil])
    }

    @Test func `is nothing that an error's page says`() {
        let field = "sha-256=:\(EmptyFile.base64):"
        let answer = head("HTTP/1.1 416 No", "Repr-Digest: \(field)", "Content-Digest: \(field)")
        #expect(ExpectedDigest.all(TransferSettings(), listed: nil, answer, offset: 5, end: 5) == [])
    }

    @Test func `may stand in two fields, or after the body`() {
        var answer = head("HTTP/1.1 200 OK", "repr-digest: md5=:AA==:", "REPR-DIGEST: sha-256=:\(EmptyFile.base64):")
        #expect(answer.reprChecksum?.checksum == EmptyFile.sha256)
        answer = head("HTTP/1.1 200 OK", "Content-Length: 5")
        for line in [
            "Content-Digest: sha-256=:\(EmptyFile.base64):\r\n", "Content-Length: 7\r\n", "HTTP/1.1 404 x\r\n", "\r\n",
        ] {
            line.utf8.withContiguousStorageIfAvailable { answer.read(trailer: UnsafeRawBufferPointer($0)) }
        }
        #expect(answer.contentChecksum == EmptyFile.sha256)
        #expect(answer.contentLength == .bytes(5) && answer.status == 200)
    }
}
