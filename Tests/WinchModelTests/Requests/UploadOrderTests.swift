import Testing

@testable import WinchModel

@Suite struct `What an upload sends` {
    /// The content, the URL, the one that it goes to.
    @Test(
        arguments: [
            (UploadOrder(.file("/d/a b?.iso")), "sftp://h/in/", "sftp://h/in/a%20b%3F.iso"),
            (UploadOrder(.file("/d/ü")), "http://h/", "http://h/%C3%BC"),
            (UploadOrder(.file("/d/x")), "http://h/y", "http://h/y"),
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
        #expect(order.target(try TransferURL(given))?.text == target)
    }

    @Test func `survives the ledger, except a program's stream`() throws {
        let source = OpenSource(descriptor: 0, name: "s") {}
        #expect(UploadOrder(.open(source)).name == "s" && UploadOrder(.open(source)) == UploadOrder(.open(source)))
        #expect(UploadOrder(.open(source)) != UploadOrder(.open(OpenSource(descriptor: 0, name: "s") {})))
        source.fail("broken")
        #expect(source.failure == "broken")
    }

    @Test(
        arguments: [
            ("sftp://h/a/b/c", "sftp://h/a/b/"), ("sftp://h/a/b/", "sftp://h/a/"), ("http://h/a?x=/y", "http://h/"),
            ("http://h/", nil), ("http://h", nil),
        ] as [(String, String?)])
    func `is in a folder`(url: String, folder: String?) throws {
        #expect(try TransferURL(url).folder?.text == folder)
    }
}
