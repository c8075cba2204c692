import TestSupport
import Testing

@testable import WinchHTTP

@Suite struct `The media type of a file` {
    @Test(arguments: [
        ("a.pdf", "application/pdf"), ("/x.d/A.JPG", "image/jpeg"), ("a.tar.gz", "application/gzip"),
        ("README", "application/octet-stream"), (".gz", "application/octet-stream"), ("a.", "application/octet-stream"),
        ("a.unknown", "application/octet-stream"), ("", "application/octet-stream"),
    ])
    func `follows from its extension`(name: String, type: String) { expectEqual(MediaType.of(fileName: name), type) }
}
