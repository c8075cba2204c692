import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `A page instead of the requested file` {
    private func head(_ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { line.utf8.withContiguousStorageIfAvailable { _ = head.read(UnsafeRawBufferPointer($0)) } }
        return head
    }

    @Test(
        arguments: [
            ("a.zip", ".zip"), ("A.ISO", ".iso"), ("x.tar.gz", ".gz"), ("index.html", nil), ("noext", nil),
            ("x.php", nil), ("zip", nil), (".zip", ".zip"), ("a.zip.html", nil), ("", nil),
        ] as [(String, String?)])
    func `is suspected when the name's extension is that of a binary file`(name: String, ext: String?) {
        expectEqual(ExpectedType.binaryExtension(of: name), ext)
    }

    @Test(
        arguments: [
            ("<!DOCTYPE html>", true), ("\u{FEFF}\r\n <html>", true), ("", true), ("  ", true), ("PK\u{3}\u{4}", false),
            ("plain", false),
        ] as [(String, Bool)])
    func `starts like HTML`(text: String, isPage: Bool) {
        expectEqual(ExpectedType.mayBePage(Array(text.utf8)), isPage)
    }

    @Test func `has an HTML content type and is not an attachment`() {
        expect(head("HTTP/1.1 200 OK", "Content-Type: Text/HTML; charset=utf-8").isPage)
        expect(!head("HTTP/1.1 200 OK", "Content-Type: text/html", "Content-Disposition: attachment").isPage)
        expect(!head("HTTP/1.1 200 OK", "Content-Type: application/zip").isPage)
        expect(!head("HTTP/1.1 404 No", "Content-Type: text/html").isPage)
        expect(!head("HTTP/1.1 200 OK").isPage)
    }
}
