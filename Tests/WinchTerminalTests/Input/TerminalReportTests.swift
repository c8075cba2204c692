import Testing
import WinchScreen

@testable import WinchTerminal

@Suite struct `A terminal's report` {
    @Test func `of its focus is not a key`() {
        var decoder = KeyDecoder()
        #expect(decoder.feed("a\u{1B}[Ob\u{1B}[Ic".utf8) == [.character("a"), .character("b"), .character("c")])
        #expect(decoder.takeAnswers() == [.focus(false), .focus(true)])
        #expect(decoder.takeAnswers() == [])
    }
}
