import Testing
import WinchScreen

@testable import WinchTerminal

@Suite struct `The sequences of keys` {
    @Test(arguments: [
        ("[A", Key.up), ("[B", .down), ("[C", .right), ("[D", .left), ("OA", .up), ("OD", .left), ("[H", .home),
        ("[F", .end), ("OH", .home), ("[1~", .home), ("[7~", .home), ("[4~", .end), ("[8~", .end), ("[3~", .delete),
        ("[5~", .pageUp), ("[6~", .pageDown), ("OP", .function(1)), ("[11~", .function(1)), ("[[A", .function(1)),
        ("[[E", .function(5)), ("OS", .function(4)), ("[15~", .function(5)), ("[17~", .function(6)),
        ("[21~", .function(10)), ("[23~", .function(11)), ("[24~", .function(12)), ("[1;5A", .up),
        ("[1;2P", .function(1)),
        ("[5;3~", .pageUp), ("OM", .enter), ("[Z", .backTab),
    ])
    func `decodes the sequences of terminals`(sequence: String, key: Key) {
        var decoder = KeyDecoder()
        #expect(decoder.feed("\u{1B}\(sequence)".utf8) == [key])
        #expect(decoder.timeout == nil)
    }

    @Test func `decodes the sequences of the terminfo entry`() {
        var decoder = KeyDecoder(sequences: KeySequences(own: [Array("\u{1B}[224z".utf8): .function(1)]))
        #expect(decoder.feed("\u{1B}[224z".utf8) == [.function(1)])
    }
}
