import Foundation
import TestSupport
import Testing
import WinchModel

@testable import WinchTerminal

@Suite struct `The clipboard` {
    private func extras(_ term: String) -> TerminalFeatures {
        TerminalFeatures(traits: TerminalEnvironment(term: term))
    }

    @Test(arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar", "https://h/東京?a=b&c"])
    func `receives text in Base64`(text: String) throws {
        let sequence = try Clipboard.sequence(copying: text, extras: extras("xterm"))
        let written = "\u{1B}]52;c;" + Data(text.utf8).base64EncodedString() + "\u{1B}\\"
        expectEqual(String(decoding: sequence, as: UTF8.self), written)
    }

    @Test func `refuses text that a terminal would drop`() {
        #expect(throws: InvalidValue("Too long for the clipboard")) {
            try Clipboard.sequence(copying: String(repeating: "x", count: 100_000), extras: extras("xterm"))
        }
    }

    @Test(arguments: ["vt100", "linux", "dumb", ""])
    func `is not used on a terminal that would show the sequence`(term: String) {
        #expect(throws: InvalidValue("This terminal has no clipboard for programs")) {
            try Clipboard.sequence(copying: "a", extras: extras(term))
        }
    }
}
