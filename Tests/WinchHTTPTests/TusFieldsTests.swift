import TestSupport
import Testing

@testable import WinchHTTP

@Suite struct `The fields of tus` {
    @Test func `are read from the head of a response`() {
        let head = ResponseHead(
            "HTTP/1.1 204 No Content", "Tus-Resumable: 1.0.0", "Upload-Offset: 1048576",
            "Tus-Extension: Creation, creation-with-upload ,checksum", "Tus-Checksum-Algorithm: SHA1,md5", "")
        expectEqual(head.tus.offset, 1_048_576)
        expectEqual(head.tus.extensions, ["creation", "creation-with-upload", "checksum"])
        expectEqual(head.tus.checksums, ["sha1", "md5"])
    }

    @Test(arguments: ["-1", "+5", "5x", "0x10", "99999999999999999999", "1 2"])
    func `have no offset that is not a number of bytes`(text: String) {
        expectNil(ResponseHead("HTTP/1.1 204 No Content", "Upload-Offset: \(text)", "").tus.offset)
    }
}
