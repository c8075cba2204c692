import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `A Content-Disposition` {
    @Test(
        arguments: [
            ("attachment; filename=plain.bin", "plain.bin"),
            ("attachment; filename=\"two words.bin\"", "two words.bin"),
            ("attachment; FileName = \"a.b\" ; x=y", "a.b"), ("inline;filename=a;b", "a"),
            ("filename=bare.bin", "bare.bin"),
            ("attachment; filename=\"a\\\"b\\\\c\"", "a\"b\\c"),
            ("attachment; filename=\"C:\\dir\\f.bin\"", "C:\\dir\\f.bin"),
            ("attachment; filename=\"f\\oo.html\"", "foo.html"),
            ("attachment; filename=\"a\\\"; size=1", "a\"; size=1"),
            ("attachment; filename=\"open", "open"), ("attachment; filename*=UTF-8''na%C3%AFve%20f.txt", "naïve f.txt"),
            ("attachment; filename*=utf-8'en'%e2%82%ac; filename=euro", "€"),
            ("attachment; filename=euro; filename*=UTF-8''%e2%82%ac", "€"),
            ("attachment; filename*=ISO-8859-1''%A3%20rates", "£ rates"),
            ("attachment; filename*=UTF-8''%ff; filename=fallback", "fallback"),
            ("attachment; filename*=KOI8-R''%c1; filename=fallback", "fallback"),
            ("attachment; filename*=broken; filename=fallback", "fallback"),
            ("attachment; filename=\"a;b.txt\"", "a;b.txt"),
            ("attachment", nil), ("", nil), ("attachment; filename=", nil), ("attachment; filename=\"\"", nil),
            (";;;=;=", nil), ("attachment; filename", nil), ("attachment; name=field.bin", nil),
        ] as [(String, String?)])
    func `gives the file name in both forms of the field`(text: String, name: String?) {
        expectEqual(ContentDisposition.filename(Array(text.utf8)), name)
    }

    @Test func `is Latin-1 when it is not UTF-8`() {
        expectEqual(ContentDisposition.filename(Array("filename=\"na".utf8) + [0xEF, 0x76, 0x65, 0x22]), "naïve")
        expectEqual(ContentDisposition.filename(Array("filename=\"na\u{EF}ve\"".utf8)), "naïve")
    }

    @Test(arguments: ["../../etc/passwd", "/etc/passwd", "C:\\Windows\\passwd", "..\\..\\passwd"])
    func `cannot lead out of the folder once it is a target name`(hostile: String) {
        let text = ContentDisposition.filename(Array("attachment; filename=\"\(hostile)\"".utf8))
        expectEqual(text.flatMap { TargetName(sanitizing: $0)?.text }, "passwd")
    }
}
