import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

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
        Sparkline(history, look: Appearance(isASCII: isASCII)).cells(atMost: width).map { String($0) }
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
