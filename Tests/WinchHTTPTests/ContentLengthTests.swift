import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `A Content-Length` {
    @Test(
        arguments: [
            ("1000", .bytes(1000)), ("0123", .bytes(123)), ("0", .bytes(0)), ("5, 5", .bytes(5)), ("5,6", .conflicting),
            ("0x10", .malformed("0x10")), ("-1", .malformed("-1")), ("+1", .malformed("+1")),
            ("1 2", .malformed("1 2")), ("5 , 5", .bytes(5)),
            ("", .malformed("")), ("99999999999999999999", .malformed("99999999999999999999")),
        ] as [(String, ContentLength)])
    func `accepts a length of plain digits only`(text: String, length: ContentLength) {
        expectEqual(ResponseHead("HTTP/1.1 200 OK", "Content-Length: \(text)").contentLength, length)
    }

    @Test func `detects contradicting lengths and accepts equal ones`() {
        let same = ResponseHead("HTTP/1.1 200 OK", "Content-Length: 7", "Content-Length: 7")
        expectEqual(same.bodyLength, 7)
        let other = ResponseHead("HTTP/1.1 200 OK", "Content-Length: 7", "Content-Length: 8")
        expectEqual(other.contentLength, .conflicting)
    }

    @Test(arguments: [
        ["HTTP/1.1 204 No Content"], ["HTTP/1.1 304 Not Modified"], ["HTTP/1.1 101 Switching Protocols"],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"],
        ["HTTP/1.1 206 Partial", "Content-Type: Multipart/ByteRanges; boundary=x"],
    ])
    func `ignores a length that does not apply`(lines: [String]) {
        var head = ResponseHead()
        for line in lines + ["Content-Length: 10"] { head.read(line) }
        expectNil(head.bodyLength)
    }
}
