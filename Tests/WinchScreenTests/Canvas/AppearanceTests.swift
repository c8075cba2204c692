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

    @Test func `keeps a failed bar red and a cancelled one grey, at their last positions`() {
        // The first row is selected and therefore has another style.
        let rows: [TransferSnapshot] = [
            .sample(4, "d"), .sample(1, "a", .failed(.httpStatus(500)), have: 50, of: 100),
            .sample(2, "b", .cancelled, have: 50, of: 100),
            .sample(3, "c", .failed(.checksum(type: "md5", expected: "a", got: "b")), have: 100, of: 100),
        ]
        let canvas = Sitting(rows, columns: 150, lines: 20).canvas
        let bar = ColumnLayout.fitting(150)[.bar]
        let start = bar?.start ?? 0
        expectEqual(canvas[start, 6], Cell("━", Theme.standard.failure))
        expectEqual(canvas[start, 7], Cell("━", Theme.standard.cancelled))
        // The bar of a complete file with a wrong checksum is not shown as full.
        expectEqual(canvas[(bar?.end ?? 0) - 1, 8].text, "╸")
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

    @Test func `have a lowest and a highest level for values outside the range`() {
        let symbols = UnicodeAndASCIISymbols(isASCII: false)
        expectEqual([symbols.level(0), symbols.level(99)], ["▁", "█"])
        expectEqual([symbols.partial(0), symbols.partial(99)], ["▏", "▉"])
    }
}
