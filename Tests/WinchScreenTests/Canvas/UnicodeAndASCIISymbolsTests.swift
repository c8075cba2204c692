import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The symbols of the screen` {
    private func all(_ symbols: UnicodeAndASCIISymbols) -> [Character] {
        let box = symbols.box
        let lines = [box.topLeft, box.topRight, box.bottomLeft, box.bottomRight, symbols.horizontal, symbols.vertical]
        let bar = [
            symbols.full, symbols.written, symbols.track, symbols.hatch, symbols.fullFailed, symbols.fullCancelled,
        ]
        let row = [symbols.line.full, symbols.line.half, symbols.line.gap, symbols.line.hatch, symbols.rightHalf]
        let marks = [
            symbols.ellipsis, symbols.selection, symbols.tagBar, symbols.ascending, symbols.descending,
            symbols.dot, symbols.mask, symbols.newline, symbols.cut, symbols.axisCorner, symbols.tabEnds.left,
            symbols.tabEnds.right,
        ]
        return lines + bar + row + marks + symbols.comet + symbols.lineComet + (1...7).map(symbols.partial)
            + (1...8).map(symbols.level) + StateSymbol.allCases.map(symbols.state)
    }

    @Test(arguments: [false, true])
    func `take one column each and are ASCII on a terminal that has no others`(isASCII: Bool) {
        let symbols = UnicodeAndASCIISymbols(isASCII: isASCII)
        for character in all(symbols) {
            expect(SafeText(String(character)).columns == 1 && (character.isASCII || !isASCII), "\(character)")
        }
        expectEqual((symbols.replacement == "?"), isASCII)
    }

    @Test func `have a lowest and a highest level for values outside the range`() {
        let symbols = UnicodeAndASCIISymbols(isASCII: false)
        expectEqual([symbols.level(0), symbols.level(99)], ["▁", "█"])
        expectEqual([symbols.partial(0), symbols.partial(99)], ["▏", "▉"])
    }
}
