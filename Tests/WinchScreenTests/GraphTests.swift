import Testing
import WinchCore

@testable import WinchScreen

@Suite struct `The graph of the rate` {
    private func history(_ rates: [Double?], from start: Int64 = 1000) -> RateHistory {
        var history = RateHistory()
        for (offset, rate) in rates.enumerated() {
            guard let rate else { continue }
            history.append(.init(number: start + Int64(offset), rate: ByteRate(perSecond: rate)))
        }
        return history
    }

    private func draw(_ rates: [Double?], columns: Int = 42, rows: Int = 4, isASCII: Bool = false) -> [String] {
        var canvas = Canvas(columns: columns, rows: rows)
        RateGraph(history(rates), look: Look(isASCII: isASCII))?
            .draw(on: &canvas, column: 0, row: 0, columns: columns, rows: rows)
        return canvas.lines
    }

    @Test func `says how high its top is`() {
        let lines = draw([0, 1024, 2048])
        #expect(lines[0].contains("2.0 KiB/s"))
        #expect(lines[3].contains("0 "))
    }

    @Test func `is full at the top, a dot where next to nothing came, and blank where nothing ran`() {
        let lines = draw([nil, nil, 100_000, 1, nil, 100_000], rows: 2)
        let ground = Array(lines[1].dropFirst(RateGraph.scaleWidth))
        // Two seconds a cell, the last at the right end.
        #expect(lines[0].last == "⢸")
        #expect(lines[1].last == "⢸")
        #expect(ground.dropLast(3).allSatisfy { $0 == " " })
    }

    @Test func `moves on without changing`() {
        let rates = (0..<60).map { Double($0 * 37 % 50 + 1) }
        let before = draw(rates.map { $0 }, columns: 52)
        let after = draw(rates + [5, 5], columns: 52)
        // A cell is two seconds wide: all but the newest moved one to the left.
        for row in 0..<4 {
            let (old, new) = (before[row].padded(52), after[row].padded(52))
            #expect(old.dropFirst(RateGraph.scaleWidth + 1) == new.dropFirst(RateGraph.scaleWidth).dropLast())
        }
    }

    @Test func `has an ASCII twin`() {
        let lines = draw([10, 20, 30, 40], isASCII: true)
        #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 })
        #expect(lines[3].contains("#"))
    }

    @Test func `is not there before anything was measured, nor where it has no room`() {
        #expect(RateGraph(RateHistory(), look: Look()) == nil)
        #expect(draw([1, 2], columns: 20).allSatisfy { $0.isEmpty })
    }

    @Test func `stands on the dashboard from 30 rows on, and takes the place of the curve in the title`() {
        for (rows, isThere) in [(29, false), (30, true), (60, true)] {
            var sitting = Sitting(Scenes.busy, columns: 100, lines: rows)
            sitting.update(.lively)
            #expect(sitting.lines.contains { $0.contains("⣿") } == isThere)
            #expect(sitting.lines[0].contains("▆") == !isThere)
        }
        #expect(Sitting(Scenes.busy, columns: 100, lines: 40).canvas.text.contains("once bytes come"))
    }
}

extension String {
    fileprivate func padded(_ count: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, count - self.count))
    }
}
