import Foundation
import TestSupport
import Testing

@testable import WinchModel

@Suite struct `What an upload sends` {
    /// The content, the URL, the one that it goes to.
    @Test(
        arguments: [
            (UploadOrder(.file("/d/a b?.iso")), "sftp://h/in/", "sftp://h/in/a%20b%3F.iso"),
            (UploadOrder(.file("/d/ü")), "http://h/", "http://h/%C3%BC"),
            (UploadOrder(.file("/d/x")), "http://h/y", "http://h/y"),
            (UploadOrder(.file("/d/x")), "http://h/c/?sv=1&sig=/z", "http://h/c/x?sv=1&sig=/z"),
            (UploadOrder(.file("/d/x")), "http://h?a=b", "http://h/x?a=b"),
            (UploadOrder(.file("/d/x")), "ftp://h", "ftp://h/x"),
            (UploadOrder(.folder("/d/x")), "http://h/x/", "http://h/x/"),
            (UploadOrder(.standardInput), "http://h/", nil), (UploadOrder(.standardInput), "http://h/y", "http://h/y"),
            // They are addresses of programs, not folders.
            (UploadOrder(.file("/x"), method: .post), "http://h/api/", "http://h/api/"),
            (
                UploadOrder(.form([FormField(name: "f", value: .file(path: "/x"))]), method: .post), "http://h/",
                "http://h/"
            ),
            // The method is none of SFTP.
            (UploadOrder(.file("/x"), method: .post), "sftp://h/in/", "sftp://h/in/x"),
        ] as [(UploadOrder, String, String?)])
    func `goes to a URL`(order: UploadOrder, given: String, target: String?) throws {
        expectEqual(order.target(try TransferURL(given))?.text, target)
    }

    @Test func `can be stored, except a program's stream`() throws {
        func stored(_ order: UploadOrder) throws -> UploadOrder {
            try JSONDecoder().decode(UploadOrder.self, from: JSONEncoder().encode(order))
        }
        for content in [
            .file("/x"), .folder("/x"), .standardInput,
            .form([FormField(name: "f", value: .file(path: "/x", name: "y", type: "a/b"))]),
        ] as [UploadOrder.Content] {
            var order = UploadOrder(content, method: .post)
            (order.httpProtocol, order.contentType, order.usesTemporaryName) = (.tus, "a/b", false)
            order.listedParts = 2
            try expectEqual(stored(order), order)
        }
        let order = UploadOrder(.open(OpenSource(descriptor: 5, name: "s") {}))
        guard case .open(let source) = try stored(order).content else {
            Issue.record("it is another source")
            return
        }
        // A later run has nothing to send.
        expect(source.descriptor == -1 && source.name == "s" && UploadOrder(.open(source)) != order)
    }

    @Test func `may be said not to be the whole`() {
        let source = OpenSource(descriptor: 0, name: "s") {}
        expectNil(source.failure)
        source.fail("broken")
        expectEqual(source.failure, "broken")
    }

    @Test(
        arguments: [
            ("sftp://h/a/b/c", "sftp://h/a/b/"), ("sftp://h/a/b/", "sftp://h/a/"), ("http://h/a?x=/y", "http://h/"),
            ("http://h/", nil), ("http://h", nil),
        ] as [(String, String?)])
    func `is in a folder`(url: String, folder: String?) throws {
        try expectEqual(TransferURL(url).folder?.text, folder)
    }
}
