import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `A redirect` {
    @Test(
        arguments: [
            ("https://h/", "http://h/", true), ("https://h/", "HTTP://h/", true), ("https://h/", " http:x", true),
            ("https://h/", "ftp://h/", true), ("https://h/", "https://o/", false), ("https://h/", "//o/x", false),
            ("https://h/", "/x?u=http://o/", false), ("https://h/", "x", false), ("https://h/", "", false),
            ("https://h/", "x/y:z", false), ("http://h/", "http://o/", false), ("http://h/", "https://o/", false),
            ("HTTPS://h/", "http://o/", true), ("https://h/", ":x", false),
        ] as [(String, String, Bool)])
    func `is a downgrade when it leads from https to an unencrypted protocol`(
        url: String, location: String, isDown: Bool
    ) {
        expectEqual(RedirectDowngrade.isDowngrade(from: url, to: location), isDown)
    }
}
