import Testing
import WinchCore

@Suite struct `A Content-Range` {
    @Test(
        arguments: [
            ("bytes 0-0/1", .span(first: 0, last: 0, total: 1)), ("BYTES 5-9/*", .span(first: 5, last: 9, total: nil)),
            ("bytes  0-9/10", .span(first: 0, last: 9, total: 10)), ("bytes */10", .unsatisfied(total: 10)),
            ("bytes */*", nil), ("bytes 0-10/10", nil), ("bytes 9-0/10", nil), ("bytes -5/10", nil),
            ("bytes 5-/10", nil),
            ("bytes 0-9", nil), ("bytes=0-9/10", nil), ("0-9/10", nil), ("bytes 0-99999999999999999999/*", nil),
            ("bytes 0-9223372036854775807/*", nil), ("", nil), ("bytes", nil), ("bytes /", nil), ("bytes +0-9/10", nil),
        ] as [(String, ContentRange?)])
    func `is read exactly or not at all`(text: String, range: ContentRange?) {
        #expect(ContentRange(text) == range)
    }
}

@Suite struct `An HTTP date` {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `is read in all three forms`(text: String) {
        #expect(HTTPDate.seconds(text) == 784_111_777)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Int64)])
    func `counts from 1970`(text: String, seconds: Int64) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 40 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", ", , , , ,",
    ])
    func `is nothing else`(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}

@Suite struct `A Retry-After` {
    @Test(
        arguments: [
            ("0", .zero), ("120", .seconds(120)), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(77)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", .zero), ("99999999999999999999999", .seconds(365 * 86_400)),
            ("-5", nil), ("1.5", nil), ("", nil), ("soon", nil),
        ] as [(String, Duration?)])
    func `is seconds or a date`(text: String, wait: Duration?) {
        #expect(RetryAfter.wait(text, now: 784_111_700) == wait)
    }
}

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
    func `names the file in both forms`(text: String, name: String?) {
        #expect(ContentDisposition.filename(Array(text.utf8)) == name)
    }

    @Test func `is Latin-1 when it is no UTF-8`() {
        #expect(ContentDisposition.filename(Array("filename=\"na".utf8) + [0xEF, 0x76, 0x65, 0x22]) == "naïve")
        #expect(ContentDisposition.filename(Array("filename=\"na\u{EF}ve\"".utf8)) == "naïve")
    }

    @Test(arguments: ["../../etc/passwd", "/etc/passwd", "C:\\Windows\\passwd", "..\\..\\passwd"])
    func `leads nowhere once it is a target name`(hostile: String) {
        let text = ContentDisposition.filename(Array("attachment; filename=\"\(hostile)\"".utf8))
        #expect(text.flatMap { TargetName(sanitizing: $0)?.text } == "passwd")
    }
}
