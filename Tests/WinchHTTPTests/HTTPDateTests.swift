import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `An HTTP date` {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `is parsed in all three forms`(text: String) {
        expectEqual(HTTPDate.seconds(text), 784_111_777)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Int64)])
    func `is converted to seconds since 1970`(text: String, seconds: Int64) {
        expectEqual(HTTPDate.seconds(text), seconds)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 40 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", ", , , , ,",
    ])
    func `is refused in any other form`(text: String) {
        expectNil(HTTPDate.seconds(text))
    }
}
