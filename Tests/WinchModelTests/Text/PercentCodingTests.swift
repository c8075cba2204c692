import TestSupport
import Testing

@testable import WinchModel

@Suite struct `Percent-decoding` {
    @Test(arguments: [
        ("plain", "plain"), ("a%20b", "a b"), ("%41%62", "Ab"), ("%e6%97%a5", "日"), ("%", "%"), ("%4", "%4"),
        ("%4g", "%4g"),
        ("%%41", "%A"), ("%2541", "%41"), ("%FF", "\u{FFFD}"), ("%C3%28", "\u{FFFD}("), ("%C3", "\u{FFFD}"), ("", ""),
    ])
    func `decodes valid escapes and keeps everything else`(given: String, expected: String) {
        expectEqual(PercentCoding.decoded(given), expected)
    }
}
