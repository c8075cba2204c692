import Testing
import WinchScreen

@testable import WinchTerminal

@Suite struct `The report of a mouse` {
    @Test(arguments: [
        ("[<0;1;1M", Mouse.click(column: 0, row: 0)), ("[<0;300;90M", .click(column: 299, row: 89)),
        ("[<16;5;6M", .click(column: 4, row: 5)), ("[<64;5;6M", .wheelUp), ("[<65;5;6M", .wheelDown),
        ("[<69;5;6M", .wheelDown),
    ])
    func `decodes mouse events`(sequence: String, mouse: Mouse) {
        var decoder = KeyDecoder()
        #expect(decoder.feed("\u{1B}\(sequence)q".utf8) == [.mouse(mouse), .character("q")])
    }
}
