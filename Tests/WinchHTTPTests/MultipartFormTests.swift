import TestSupport
import Testing
import WinchModel

@testable import WinchHTTP

@Suite struct `A part of a form` {
    private func text(_ field: FormField) -> String {
        String(decoding: MultipartForm.head(of: field, boundary: "B"), as: UTF8.self)
    }

    @Test func `has its name and value`() {
        expectEqual(
            text(FormField(name: "a", value: .text("x\ny"))),
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\ny")
    }

    /// As browsers do: nothing else in a name is encoded.
    @Test(arguments: [
        ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("a\0b", "a%00b"), ("ü ;=\\", "ü ;=\\"), ("%22", "%22"),
    ])
    func `has a name without quotes and line ends`(name: String, written: String) {
        expect(text(FormField(name: name, value: .text(""))).contains("; name=\"\(written)\"\r\n"))
        let file = FormField(name: "f", value: .file(path: "/x", name: name))
        expect(text(file).contains("; filename=\"\(written)\"\r\n"))
    }

    @Test func `names a file by its last part, and its type by the extension or as given`() {
        expectEqual(
            text(FormField(name: "f", value: .file(path: "/a/b.pdf"))),
            "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"b.pdf\"\r\n"
                + "Content-Type: application/pdf\r\n\r\n")
        let given = FormField(name: "f", value: .file(path: "/a/b", type: "x/y\r\nEvil: 1"))
        expect(text(given).hasSuffix("Content-Type: x/yEvil: 1\r\n\r\n"))
    }
}
