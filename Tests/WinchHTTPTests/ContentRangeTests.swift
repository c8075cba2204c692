import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

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
    func `is parsed strictly`(text: String, range: ContentRange?) {
        expectEqual(ContentRange(text), range)
    }
}
