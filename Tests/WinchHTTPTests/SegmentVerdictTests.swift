import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `A segment verdict` {
    private static let version = Validator.strongETag("\"a\"")

    private func refusal(_ fields: [String], version: Validator? = version, weakTag: String? = nil) -> String? {
        var head = ResponseHead()
        for line in ["HTTP/1.1 206 Partial Content"] + fields { head.read(line) }
        return SegmentVerdict.refusal(head, range: 400..<600, total: 1000, version: version, weakTag: weakTag)
    }

    @Test(
        arguments: [
            ["Content-Range: bytes 400-599/1000", "ETag: \"a\""],
            ["Content-Range: bytes 400-599/*", "ETag: \"a\""],
            ["Content-Range: bytes 400-599/1000", "ETag: \"a\"", "Content-Length: 200"],
            ["Content-Range: bytes 400-599/1000", "ETag: \"a\"", "Content-Encoding: identity"],
        ])
    func `accepts the requested part of the same version`(fields: [String]) {
        expectNil(refusal(fields))
    }

    @Test(
        arguments: [
            (["ETag: \"a\""], "a part without its position"),
            (["Content-Range: bytes 399-599/1000", "ETag: \"a\""], "another part than the requested one"),
            (["Content-Range: bytes 400-598/1000", "ETag: \"a\""], "another part than the requested one"),
            (["Content-Range: bytes 400-600/1000", "ETag: \"a\""], "another part than the requested one"),
            (["Content-Range: bytes 400-599/1001", "ETag: \"a\""], "a part of a file of another size"),
            (["Content-Range: bytes 400-599/1000", "ETag: \"b\""], "a part of another version of the file"),
            (["Content-Range: bytes 400-599/1000", "ETag: W/\"a\""], "a part of another version of the file"),
            (["Content-Range: bytes 400-599/1000"], "a part of another version of the file"),
            (
                ["Content-Range: bytes 400-599/1000", "ETag: \"a\"", "Content-Length: 199"],
                "a part of another length"
            ),
            (["Content-Range: bytes 400-599/1000", "ETag: \"a\"", "Content-Encoding: gzip"], "an encoded part"),
            (["Content-Type: multipart/byteranges; boundary=x", "ETag: \"a\""], "several parts instead of one"),
        ] as [([String], String)])
    func `refuses everything else`(fields: [String], reason: String) {
        expectEqual(refusal(fields), reason)
    }

    @Test func `refuses a part with another weak ETag, and needs none`() {
        let part = "Content-Range: bytes 400-599/1000"
        for fields in [[part], [part, "ETag: W/\"a\""]] {
            expectNil(refusal(fields, version: nil, weakTag: "W/\"a\""))
        }
        expectEqual(
            refusal([part, "ETag: W/\"b\""], version: nil, weakTag: "W/\"a\""), "a part of another version of the file")
    }

    @Test func `asks for no version where none is known, because a checksum will tell`() {
        expectNil(refusal(["Content-Range: bytes 400-599/1000"], version: nil))
    }
}
