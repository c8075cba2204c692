import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The rate graph` {
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
        RateGraph(history(rates), look: Appearance(isASCII: isASCII))?
            .draw(on: &canvas, column: 0, row: 0, columns: columns, rows: rows)
        return canvas.lines
    }

    private func picture(_ lines: [String]) -> [String] {
        lines.map { String($0.padded(80).dropFirst(RateGraph.scaleWidth)) }
    }

    @Test func `is filled, with the latest second at the right and blanks where nothing ran`() {
        let lines = picture(draw([nil, nil, 100_000, 1, nil, 50_000], columns: 80, rows: 3))
        // Few seconds are known, so each takes six columns.
        expectEqual(lines[0].suffix(24), "██████▅▃                ")
        expectEqual(lines[1].suffix(24), "█████████▅▃▁      ██████", "from one second to the next without steps")
    }

    @Test func `shows the current and the mean rate`() {
        let still = draw([1024, 3072], columns: 80)[0]
        expect(still.contains("│ mean 2.0 KiB/s") && !still.contains("now"), "nothing moves")
        var canvas = Canvas(columns: 80, rows: 4)
        RateGraph(
            history([1024, 3072]), look: Appearance(), current: ByteRate(perSecond: 2048),
            mean: ByteRate(perSecond: 512)
        )?.draw(on: &canvas, column: 0, row: 0, columns: 80, rows: 4)
        expect(canvas.lines[0].contains("now 2.0 KiB/s · mean 512 B/s"), "the queue's own are better")
    }

    @Test func `advances by two seconds while bytes arrive, and to the last second when none do`() {
        func drawn(_ count: Int, isRunning: Bool) -> [String] {
            var canvas = Canvas(columns: 80, rows: 3)
            let rates = (0..<count).map { Double($0 % 7 * 100) }
            RateGraph(
                history(rates), look: Appearance(), current: isRunning ? ByteRate(perSecond: 5) : nil,
                mean: ByteRate(perSecond: 5)
            )?.draw(on: &canvas, column: 0, row: 0, columns: 80, rows: 3)
            return canvas.lines
        }
        // The history begins with an even second.
        expectEqual(drawn(71, isRunning: true), drawn(72, isRunning: true))
        expect(drawn(72, isRunning: true) != drawn(73, isRunning: true))
        expect(drawn(71, isRunning: false) != drawn(72, isRunning: false))
    }

    private static let scales: [(rates: [Double], top: Double)] = [
        ([Double](repeating: 100, count: 100), 100), ((1...100).map { Double($0) }, 100),
        ([Double](repeating: 100, count: 99) + [10_000], 110), ([5, 5000], 5000), ([], 0),
        ([Double](repeating: 0, count: 99) + [7], 7),
    ]

    @Test(arguments: scales)
    func `has a scale that fits 95 of 100 seconds`(rates: [Double], top: Double) {
        expectLess(abs(RateGraph.top(of: rates) - top), than: 1e-6)
    }

    @Test func `cuts off a spike and marks it`() {
        let lines = draw([Double](repeating: 100, count: 99) + [10_000], columns: 112)
        expectEqual(lines[0].last, "▲")
        expectEqual(lines[0].count { $0 == "▲" }, 1)
        expectEqual(draw([Double](repeating: 100, count: 99) + [10_000], columns: 112, isASCII: true)[0].last, "^")
    }

    @Test(arguments: [24, 40, 68, 105, 120, 186, 300])
    func `has no empty half once there is enough to show`(width: Int) {
        for known in 1...120 {
            let (wide, shown) = RateGraph.extent(known: known, width: width)
            expectAtMost(wide * shown, width)
            expectAtLeast(shown, min(known, 60, width))
            if known >= 20 { expectAtLeast(min(known, shown) * wide * 2, min(width, 240), "\(known) s") }
        }
    }

    @Test func `moves without changing older columns`() {
        let rates: [Double?] = (0..<60).map { (second: Int) in Double(second * 37 % 50 + 51) }
        let before = draw(rates, columns: 52)
        let after = draw(rates + [60, 60], columns: 52)
        // A second takes one column: all but the two newest moved left by two. The first line contains words and is
        // not compared.
        for row in 1..<3 {
            let (old, new) = (before[row].padded(52), after[row].padded(52))
            expectEqual(old.dropFirst(RateGraph.scaleWidth + 2), new.dropFirst(RateGraph.scaleWidth).dropLast(2))
        }
    }

    @Test func `has a colour gradient in true colour`() throws {
        let theme = try require(Theme.named("ember"))
        func colors(_ range: ColorRange) -> Int {
            var canvas = Canvas(columns: 60, rows: 5)
            RateGraph(history([9, 9, 9]), look: Appearance(theme: theme, colors: range))?
                .draw(on: &canvas, column: 0, row: 0, columns: 60, rows: 5)
            return Set((0..<4).map { canvas[59, $0].style.foreground }).count
        }
        expectEqual(colors(.full), 4)
        expectEqual(colors(.many), 1)
    }

    @Test func `is hidden before the first measurement and where it has no space`() {
        expectNil(RateGraph(RateHistory(), look: Appearance()))
        expect(draw([1, 2], columns: 20).allSatisfy { $0.isEmpty })
    }

    @Test func `appears from 30 rows on and replaces the curve in the title`() {
        for (rows, isThere) in [(29, false), (30, true), (60, true)] {
            var sitting = Sitting(Scenes.busy, columns: 100, lines: rows)
            sitting.update(.lively)
            expectEqual(sitting.lines.contains { $0.contains(" mean ") }, isThere)
            expectEqual(sitting.lines[0].contains("▆"), !isThere)
            expectEqual(sitting.canvas.text.ranges(of: "18.4 MiB/s").count, 1, "the rate stands in the title only")
        }
        expect(Sitting(Scenes.busy, columns: 100, lines: 40).canvas.text.contains("as soon as bytes arrive"))
    }
}

extension String {
    fileprivate func padded(_ count: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, count - self.count))
    }
}

@Suite struct `The rate curve` {
    /// One rate a second from `start` on.
    private func history(_ rates: [Double], from start: Int64 = 1200) -> RateHistory {
        var history = RateHistory()
        for (offset, rate) in rates.enumerated() {
            history.append(.init(number: start + Int64(offset), rate: ByteRate(perSecond: rate)))
        }
        return history
    }

    private func curve(_ history: RateHistory, _ width: Int, isASCII: Bool = false) -> String? {
        Sparkline(history: history, symbols: UnicodeAndASCIISymbols(isASCII: isASCII)).cells(atMost: width).map {
            String($0)
        }
    }

    @Test func `rises from zero to its maximum in eight steps, with the latest value at the right`() throws {
        let rates = history([0, 1, 100, 200, 300, 400, 500, 599, 600])
        let text = try require(curve(rates, 120))
        expectEqual(text.count, 120)
        expectEqual(text.suffix(10), " ▁▂▃▄▅▆▇▇█")
        try expectEqual(require(curve(rates, 200, isASCII: true)).suffix(10), " _.:-=+**#")
    }

    @Test(arguments: [(120, 120), (119, 60), (59, 40), (39, 30), (29, 24), (23, 20), (20, 20)])
    func `covers two minutes in the available width`(room: Int, width: Int) {
        expectEqual(curve(history(Array(repeating: 5, count: 120)), room), String(repeating: "█", count: width))
    }

    @Test func `needs twenty columns and a value above zero, and is blank where nothing ran`() throws {
        var rates = history([8, 8])
        rates.append(.init(number: 1206, rate: ByteRate(perSecond: 8)))
        try expectEqual(require(curve(rates, 120)).suffix(7), "██    █")
        expectNil(curve(history([1]), 19))
        expectNil(curve(RateHistory(), 200))
        expectEqual(curve(history([0, 0]), 120)?.suffix(3), " ▁▁")
    }

    @Test func `moves by whole cells without changing them`() throws {
        var rates = history([])
        var before: String?
        for second in 1200..<1320 as Range<Int64> {
            let rate = Double((second * 7919) % 97) + 3
            rates.append(.init(number: second, rate: ByteRate(perSecond: second == 1200 ? 1000 : rate)))
            let now = try require(curve(rates, 24))
            if let before {
                let isNewCell = second % 5 == 0
                expect(now.dropLast() == (isNewCell ? before.dropFirst() : before.dropLast()))
            }
            before = now
        }
    }

    @Test func `is dim at the right end of the title line and hidden where space is short`() throws {
        var sitting = Sitting([.sample(1, "a", .moving, have: 5, of: 10, rate: 7, finish: 90)])
        var update = Update.all([.sample(1, "a", .moving, have: 5, of: 10, rate: 7, finish: 90)])
        update.seconds = (0..<120).map { .init(number: 1200 + $0, rate: ByteRate(perSecond: Double($0))) }
        sitting.update(update)
        expect(sitting.lines[0].hasSuffix("7 B/s · 1 m 30 s left · ends 00:18  ▂▂▂▂▃▃▃▃▄▄▄▄▅▅▅▅▆▆▆▆▇▇▇█"))
        let line = Array(sitting.canvas.line(0))
        expectEqual(line[77].style, Theme.standard.graph)
        expectEqual(line[78].text, "█")
        for (columns, lines) in [(79, 15), (60, 12), (40, 10)] {
            sitting.handle(.resized(columns: columns, rows: lines))
            expect(!sitting.lines[0].contains("▇"))
        }
        var long = Sitting(title: String(repeating: "long", count: 20))
        long.update(update)
        expect(!long.lines[0].contains("▇"))
        expect(long.lines[0].contains("longlonglong"))
    }
}
