import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `An escaped name` {
    @Test(arguments: [
        ("more.txt", "more.txt"), ("a\nb", "a\\x0Ab"), ("\u{1B}[31mred", "\\x1B[31mred"), ("ü–日", "ü–日"),
        ("\u{202E}txt.exe", "\\xE2\\x80\\xAEtxt.exe"), ("\u{7F}\u{85}", "\\x7F\\xC2\\x85"),
        (String(system: [0x6C, 0xE9]), "l\\xE9"),
    ])
    func `is displayed, edited and converted back`(name: String, shown: String) {
        expectEqual(EscapedName.escaping(name), shown)
        expectEqual(EscapedName.unescaping(shown), name)
    }

    @Test(arguments: ["\\x", "\\x0", "\\xZZ", "\\x+1", "C:\\temp", "\\"])
    func `is the text itself if it contains no escapes`(text: String) {
        expectEqual(EscapedName.unescaping(text), text)
    }
}
