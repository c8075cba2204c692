import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `Headers shown to the user` {
    private func read(_ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        for line in lines {
            var bytes = Array((line + "\r\n").utf8)
            bytes.withUnsafeMutableBytes { _ = head.read(UnsafeRawBufferPointer($0)) }
        }
        return head
    }

    @Test func `keep their order, without credentials and cookies`() {
        let head = read(
            "HTTP/1.1 200 OK", "Server:  nginx ", "Set-Cookie: secret=1", "ETag: \"a\"", "Authorization: Basic x",
            "X-Odd: 1", "Accept-Ranges: bytes")
        expectEqual(
            head.recorded,
            [
                HeaderField(name: "server", value: "nginx"), HeaderField(name: "etag", value: "\"a\""),
                HeaderField(name: "accept-ranges", value: "bytes"),
            ])
    }

    @Test func `are those of the last response only`() {
        let head = read("HTTP/1.1 302 Found", "Server: first", "", "HTTP/1.1 200 OK", "Server: second")
        expectEqual(head.recorded.map(\.value), ["second"])
    }

    @Test func `are limited in length and number`() {
        var lines = ["HTTP/1.1 200 OK"]
        lines += (0..<200).map { _ in "Via: " + String(repeating: "x", count: 5000) }
        var head = ResponseHead()
        for line in lines {
            Array(line.utf8).withUnsafeBytes { _ = head.read($0) }
        }
        expectAtMost(head.recorded.count, 2 * HeaderField.recorded.count)
        expect(head.recorded.allSatisfy { $0.value.utf8.count <= HeaderField.longest })
    }
}
