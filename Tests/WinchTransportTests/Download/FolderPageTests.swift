import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `A page under a folder's URL` {
    private static let list = """
        <html><head><title>Index of /pub/</title></head><body><a href="a">a</a>
        <a href="b/">b/</a>

        """
    private static let end = "</body></html>"
    private static let many = (0..<10_000).map { "<a href=\"f\($0)\">f</a>\n" }.joined()
    private static let json = #"[{"name":"a","type":"file","mtime":"Fri, 05 Jan 2024 12:34:56 GMT","size":1}]"#

    private static func count(_ files: Int, _ folders: Int, isMore: Bool = false) -> TransferFailure {
        .remoteFolder(path: "/pub/", files: files, folders: folders, isMore: isMore)
    }

    private static let lists: [(String, Bool, TransferFailure?)] = [
        ("\(list)\(end)", false, count(1, 1)),
        (list, false, count(1, 0, isMore: true)),
        ("\(list)\(many)\(end)", false, count(9_999, 1, isMore: true)),
        (json, true, count(1, 0)),
    ]
    private static let others: [(String, Bool, TransferFailure?)] = [
        ("<html><title>Hello</title><a href=\"a\">a</a></html>", false, nil),
        ("", false, nil),
        ("\(many)\(list)\(end)", false, nil),
        (#"[{"name":"a","type":"file"}]"#, true, nil),
        (#"{"name":"a"}"#, true, nil),
        ("[]", true, nil),
    ]

    @Test(arguments: lists + others)
    func `is counted if it is a list, and kept if it is not`(
        body: String, isJSON: Bool, count: TransferFailure?
    ) throws {
        var page = FolderPage(
            at: try TransferURL("http://h/pub/"), isJSON: isJSON, now: 1_704_458_096, end: nil, total: nil, cause: nil)
        var rest = Array(body.utf8)[...]
        var taken: [UInt8] = []
        while !rest.isEmpty, page.kind != .other, !page.isCounted {
            let piece = Array(rest.prefix(1000))
            rest = rest.dropFirst(1000)
            taken += piece
            piece.withUnsafeBytes { page.take($0) }
        }
        if !page.isCounted { page.takeEnd() }
        expectEqual(page.kind == .list ? page.count(path: "/pub/") : nil, count)
        expectEqual(page.bytes, count == nil ? taken : [])
    }
}
