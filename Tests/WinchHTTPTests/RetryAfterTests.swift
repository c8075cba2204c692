import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `A Retry-After` {
    @Test(
        arguments: [
            ("0", .zero), ("120", .seconds(120)), ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(77)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", .zero), ("99999999999999999999999", .seconds(365 * 86_400)),
            ("-5", nil), ("1.5", nil), ("", nil), ("soon", nil),
        ] as [(String, Duration?)])
    func `may be in seconds or a date`(text: String, wait: Duration?) {
        expectEqual(RetryAfter.wait(text, now: 784_111_700), wait)
    }
}
