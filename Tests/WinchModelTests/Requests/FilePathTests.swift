import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The path of a file` {
    private static let downloads: [(String, Int, String)] = [
        ("/data/pub", 1, "pub/x"), ("/data/pub/a/b", 3, "pub/a/b/x"), ("host", 1, "host/x"), ("/pub/", 1, "pub/x"),
        ("/data", 0, "x"), (".", 0, "x"), ("/", 1, "x"), ("pub", 255, "pub/x"), ("pub", -1, "x"),
        // U+0301 joins the slash before it: together they are one character.
        ("/data/\u{301}pub", 1, "\u{301}pub/x"),
    ]

    @Test(arguments: downloads)
    func `begins with the folder that the user wants whole`(folder: String, named: Int, path: String) {
        let file = FilePath(direction: .down, folder: folder, namedParts: named, isListing: false)
        expectEqual(Array(file.path(to: "x").utf8), Array(path.utf8))
        guard named > 0, folder != "/" else { return }
        let listing = FilePath(direction: .down, folder: folder, namedParts: named, isListing: true)
        expectEqual(Array(listing.path(to: "y/").utf8), Array(path.utf8.dropLast()))
    }

    @Test(arguments: [("photos/2024", "photos/2024/x"), (".", "x"), ("", "x"), ("/", "/x")])
    func `of an upload is as the user gave it`(folder: String, path: String) {
        let file = FilePath(direction: .up, folder: folder, namedParts: 0, isListing: false)
        expectEqual(file.path(to: "x"), path)
    }

    @Test func `is the same for a transfer and for its row`() throws {
        var spec = TransferSpec(urls: [try TransferURL("http://h/pub/x")], folder: "d/pub")
        spec.namedParts = 1
        let row = TransferSnapshot(
            id: TransferID(1), name: "x", host: "h", folder: spec.folder, namedParts: spec.namedParts, phase: .paused)
        expectEqual(spec.path(to: "x"), "pub/x")
        expectEqual(row.path, "pub/x")
    }
}
