import Foundation
import Testing

@testable import WinchTerminal

@Suite struct `The clipboard` {
    @Test(arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar", "https://h/東京?a=b&c"])
    func `gets text in the letters that the terminal wants`(text: String) throws {
        let sequence = try #require(Clipboard.sequence(copying: text))
        let written = "\u{1B}]52;c;" + Data(text.utf8).base64EncodedString() + "\u{1B}\\"
        #expect(String(decoding: sequence, as: UTF8.self) == written)
    }

    @Test func `takes nothing that a terminal would drop`() {
        #expect(Clipboard.sequence(copying: String(repeating: "x", count: 100_000)) == nil)
    }
}
