import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `The expected digest of a file` {
    private func head(_ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { line.utf8.withContiguousStorageIfAvailable { _ = head.read(UnsafeRawBufferPointer($0)) } }
        return head
    }

    @Test func `comes from the user, the list and the server`() {
        var settings = TransferSettings()
        settings.checksum = EmptyFile.md5
        let answer = head("HTTP/1.1 200 OK", "Repr-Digest: sha-256=:\(EmptyFile.base64):", "Digest: MD5=AAEC")
        let demands = ExpectedChecksum.all(settings, listed: EmptyFile.sha1, answer, offset: 0, end: 10)
        expectEqual(demands.map(\.checksum), [EmptyFile.md5, EmptyFile.sha1, EmptyFile.sha256].compactMap(\.self))
        expect(demands.allSatisfy { $0.range == nil })
        expectEqual(demands.map(\.origin), [.option, .list, .header("Repr-Digest")])
        let old = ExpectedChecksum.all(
            TransferSettings(), listed: nil, head("HTTP/1.1 200 OK", "Digest: MD5=AAECAwQFBgcICQoLDA0ODw=="), offset: 0,
            end: 10)
        expectEqual(old.map(\.origin), [.header("Digest")])
    }

    @Test func `is included once when all sources agree`() {
        var settings = TransferSettings()
        settings.checksum = EmptyFile.sha256
        let field = "sha-256=:\(EmptyFile.base64):"
        let answer = head(
            "HTTP/1.1 200 OK", "Repr-Digest: \(field)", "Content-Digest: \(field)",
            "Digest: SHA-256=\(EmptyFile.base64)")
        expectEqual(ExpectedChecksum.all(settings, listed: EmptyFile.sha256, answer, offset: 0, end: 10).count, 1)
    }

    @Test func `covers the part for Content-Digest and the whole file for Repr-Digest`() {
        let field = "sha-256=:\(EmptyFile.base64):"
        let answer = head("HTTP/1.1 206 Partial", "Repr-Digest: \(field)", "Content-Digest: \(field)")
        let demands = ExpectedChecksum.all(TransferSettings(), listed: nil, answer, offset: 5, end: 10)
        expectEqual(demands.map(\.range), [nil, 5..<10])
        expectEqual(
            ExpectedChecksum.all(TransferSettings(), listed: nil, answer, offset: 5, end: nil).map(\.range), [nil])
    }

    @Test func `is not taken from an error response`() {
        let field = "sha-256=:\(EmptyFile.base64):"
        let answer = head("HTTP/1.1 416 No", "Repr-Digest: \(field)", "Content-Digest: \(field)")
        expectEqual(ExpectedChecksum.all(TransferSettings(), listed: nil, answer, offset: 5, end: 5), [])
    }

    @Test func `may be split over two fields or follow the body`() {
        var answer = head("HTTP/1.1 200 OK", "repr-digest: md5=:AA==:", "REPR-DIGEST: sha-256=:\(EmptyFile.base64):")
        expectEqual(answer.reprChecksum?.checksum, EmptyFile.sha256)
        answer = head("HTTP/1.1 200 OK", "Content-Length: 5")
        for line in [
            "Content-Digest: sha-256=:\(EmptyFile.base64):\r\n", "Content-Length: 7\r\n", "HTTP/1.1 404 x\r\n", "\r\n",
        ] {
            line.utf8.withContiguousStorageIfAvailable { answer.read(trailer: UnsafeRawBufferPointer($0)) }
        }
        expectEqual(answer.contentChecksum, EmptyFile.sha256)
        expect(answer.contentLength == .bytes(5) && answer.status == 200)
    }
}
