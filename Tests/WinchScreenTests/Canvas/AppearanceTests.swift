import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The appearance` {
    @Test func `uses no colour where there is none`() {
        var sitting = Sitting(Scenes.busy, columns: 120, lines: 30, look: Appearance(theme: .rainbow, colors: .mono))
        sitting.press("?")
        let canvas = sitting.canvas
        for row in 0..<canvas.rows {
            for cell in canvas.line(row) {
                expect(cell.style.foreground == .standard && cell.style.background == .standard)
            }
        }
    }

    @Test func `does not show the bar of a complete file with a wrong checksum as full`() {
        let failure = TransferFailure.checksum(type: "md5", expected: "a", got: "b")
        let canvas = Sitting([.sample(1, "a", .failed(failure), have: 100, of: 100)], columns: 150, lines: 20).canvas
        expectEqual(canvas[(ColumnLayout.fitting(150)[.bar]?.end ?? 0) - 1, 5].text, "╸")
    }
}

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
}
