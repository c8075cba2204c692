import TestSupport
import Testing

@testable import WinchTerminal

@Suite struct `A text in plain output` {
    @Test(arguments: [
        ("plain", "plain"), ("\u{1B}[2J", "?[2J"), ("a\r\nb", "a??b"), ("\u{9B}x", "?x"),
        ("\u{202E}gpj.exe", "?gpj.exe"),
        ("中文 é", "中文 é"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("\u{2028}\u{2029}\u{7F}", "???"),
    ])
    func `shows control characters as visible ones`(text: String, shown: String) {
        expectEqual(PlainText(text).description, shown)
    }
}
