import TestSupport
import Testing

@testable import WinchScreen
@testable import WinchTerminal

@Suite struct `On a Linux console` {
    /// The characters beyond ASCII that the console's fonts have: symbols of code page 437.
    private static let page = Set("►♦√║↔¶═─░▒▓┌┐└┘│▌▐▄▀█▲▼↑↓←→•·○")

    private static var drawn: [Character] {
        let signs = UnicodeAndASCIISymbols(isASCII: false)
        let single = [
            signs.replacement, signs.ellipsis, signs.selection, signs.ascending, signs.descending, signs.dot,
            signs.mask, signs.newline, signs.state(.done), signs.state(.failed), signs.state(.cancelled),
            signs.state(.downloading), signs.state(.uploading), signs.state(.paused),
            signs.state(.retrying), signs.state(.working), signs.state(.waiting), signs.full, signs.written,
            signs.track, signs.hatch,
            signs.line.full, signs.line.half, signs.line.gap, signs.line.hatch, signs.tagBar, signs.tabEnds.left,
            signs.tabEnds.right, signs.cut, signs.fullFailed, signs.fullCancelled, signs.box.topLeft,
            signs.box.topRight, signs.box.bottomLeft, signs.box.bottomRight, signs.horizontal, signs.axisCorner,
            signs.vertical,
        ]
        return single + signs.comet + signs.lineComet + (1...8).map(signs.level) + (1...7).map(signs.partial)
            + [.up, .down, .left, .right].flatMap { (key: Key) in Array(key.name(isASCII: false)) }
    }

    @Test func `every character of the screen is replaced by one in the console's fonts`() {
        for character in Self.drawn {
            let fallback = ConsoleFallback.of(character)
            expect(fallback.isASCII || Self.page.contains(fallback), "\(character)")
        }
    }

    @Test(arguments: [("linux", true), ("linux-16color", true), ("xterm", false), ("linuxy", false), ("", false)])
    func `replacements are made, but on no other terminal`(term: String, isNeeded: Bool) {
        expectEqual(ConsoleFallback.isNeeded(term: term), isNeeded)
    }

    @Test func `letters are not replaced`() {
        for character in "aé東日" { expectEqual(ConsoleFallback.of(character), character) }
    }
}
