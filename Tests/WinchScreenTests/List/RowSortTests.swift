import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A sorted list` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "beta", .moving, have: 50, of: 100, rate: 10, finish: 50, host: "b"),
        .sample(2, "Alpha", .waiting(.slot), host: "a"),
        .sample(3, "alpha", .failed(.httpStatus(404)), have: 10, of: 1000, host: "c"),
        .sample(4, "gamma", .moving, have: 1, of: 300, rate: 900, finish: 5, host: "b"),
        .sample(5, "alpha-2", .finished(.saved(path: "x")), have: 7, of: 7, host: "a"),
        .sample(6, "delta", .moving, rate: 20, stalled: -9, host: "b"),
    ]

    @Test(
        arguments: [
            (.queue, [1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]), (.name, [2, 3, 5, 1, 6, 4], [4, 6, 1, 5, 2, 3]),
            (.done, [5, 1, 3, 4, 2, 6], [4, 3, 1, 5, 2, 6]), (.size, [3, 4, 1, 5, 2, 6], [5, 1, 4, 3, 2, 6]),
            (.rate, [4, 1, 2, 3, 5, 6], [1, 4, 2, 3, 5, 6]), (.left, [4, 1, 2, 3, 5, 6], [1, 4, 2, 3, 5, 6]),
            (.state, [1, 4, 6, 3, 2, 5], [5, 2, 3, 1, 4, 6]), (.host, [2, 5, 1, 4, 6, 3], [3, 1, 4, 6, 2, 5]),
        ] as [(RowSort.Column, [Int], [Int])])
    func `has its column's order, equal rows in queue order and unknown values last`(
        column: RowSort.Column, order: [Int], inverted: [Int]
    ) {
        let board = QueueCopy.of(Self.rows)
        func sorted(_ sort: RowSort) -> [Int] { sort.arranged(board) { _ in true }.map(\.number) }
        expectEqual(sorted(RowSort(column: column)), order)
        expectEqual(sorted(RowSort(column: column, isInverted: true)), inverted)
    }

    @Test(
        arguments: [
            (.added, [1, 2, 3, 4, 5, 6], [3, 2, 1, 4, 5, 6]), (.elapsed, [1, 2, 3, 4, 5, 6], [2, 1, 3, 4, 5, 6]),
            (.mean, [2, 1, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]),
        ] as [(RowSort.Column, [Int], [Int])])
    func `is in the order of its times, rows without one last`(column: RowSort.Column, order: [Int], inverted: [Int]) {
        let rows = (1...6).map {
            TransferSnapshot.sample($0, "file-\($0)", .moving, have: $0 == 2 ? 9000 : 1000, of: 10_000)
        }
        var update = Update.all(rows, at: 0)
        update.events = (1...3).map {
            FeedEvent(id: TransferID($0), at: .at(Double($0)), kind: .added(url: "", name: ""))
        }
        update.events += (1...2).map { FeedEvent(id: TransferID($0), at: .at(Double($0)), kind: .started(attempt: 1)) }
        var sitting = Sitting(columns: 200)
        sitting.update(update)
        sitting.wait(10)
        for (isInverted, expected) in [(false, order), (true, inverted)] {
            let sort = RowSort(column: column, isInverted: isInverted)
            sitting.dashboard.list.sort(sort, sitting.board, at: sitting.now)
            expectEqual(sitting.dashboard.list.order.map(\.number), expected)
            expectEqual(RowSort(text: sort.text), sort)
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `orders names like a direct comparison`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = ["a", "B", "file-", "0", "1", "2", ".bin", "é", "東京", "", "aaaaaaaa", "\u{1}", " "]
        let names = (0..<400).map { _ in
            (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        var texts = SortedTexts(count: names.count)
        for (index, name) in names.enumerated() { texts.append(name, index) }
        func expected(_ isAscending: Bool) -> [Int] {
            names.indices.sorted { left, right in
                let (one, other) = (Array(names[left].lowercased().utf8), Array(names[right].lowercased().utf8))
                if one == other { return left < right }
                return one.lexicographicallyPrecedes(other) == isAscending
            }
        }
        expectEqual(texts.sorted(isAscending: true), expected(true))
        expectEqual(texts.sorted(isAscending: false), expected(false))
    }

    @Test func `terminates for names of NUL characters`() {
        var texts = SortedTexts(count: 3)
        for (index, length) in [9, 0, 1, 40].enumerated() {
            texts.append(String(repeating: "\u{0}", count: length), index)
        }
        expectEqual(texts.sorted(isAscending: true), [0, 1, 2, 3])
    }

    @Test func `changes its column with the angle brackets and marks the heading`() {
        var sitting = Sitting(Self.rows, columns: 160)
        let marks = ["Name ▲", "Progress ▼", "Size ▼", "Rate ▼", "Left ▲", "State ▲", "Host ▲"]
        for mark in marks {
            sitting.press(">")
            expect(sitting.lines[4].contains(mark))
            expectEqual(sitting.lines[4].count { "▲▼".contains($0) }, 1)
        }
        sitting.press(">")
        expect(sitting.dashboard.list.isInQueueOrder)
        expect(!sitting.lines[4].contains { "▲▼".contains($0) })
        sitting.press("<")
        expect(sitting.lines[4].contains("Host ▲"))
        sitting.press("I")
        expect(sitting.lines[4].contains("Host ▼"))
        expect(sitting.message.contains("Sorted by host, Z to A"))
    }

    @Test func `skips columns that are hidden by default unless they are shown`() throws {
        var sitting = Sitting(Self.rows, columns: 160)
        sitting.dashboard.columnChoice = ColumnChoice.parsing("name,elapsed,added").choice
        sitting.press("<")
        expect(sitting.lines[4].contains("Added ▲"))
        sitting.press("<", "<")
        expect(sitting.lines[4].contains("Elapsed ▼"))
        expect(sitting.message.contains("Sorted by time elapsed, longest first"))
    }

    @Test func `has an ASCII mark and names a column that is not visible`() {
        var sitting = Sitting(Self.rows, columns: 80, lines: 24, look: Appearance(isASCII: true))
        sitting.press(">")
        expect(sitting.lines[4].contains("Name ^"))
        sitting.press("I")
        expect(sitting.lines[4].contains("Name v"))
        sitting.press("<", "<")
        expectEqual(sitting.dashboard.list.sort.column, .host)
        expect(sitting.lines[3].contains("by host ^"))
    }

    @Test func `keeps the cursor on its transfer once the user has moved it`() {
        var sitting = Sitting(Self.rows)
        sitting.press(">")
        expectEqual(sitting.selected, 2, "it is in the first row until then")
        sitting = Sitting(Self.rows)
        sitting.press("j", "j")
        for key in [">", ">", "I", "<", ">", ">", ">", ">", "I"] as [Key] {
            sitting.press(key)
            expectEqual(sitting.selected, 3)
        }
    }

    @Test func `is rearranged by changing figures at most once a second`() {
        var rows = Self.rows
        var sitting = Sitting(rows)
        for _ in 0..<4 { sitting.press(">") }
        expectEqual(sitting.dashboard.list.sort.column, .rate)
        func numbers() -> [Int] { sitting.dashboard.list.order.prefix(2).map(\.number) }
        expectEqual(numbers(), [4, 1])
        sitting.wait(0.3)
        rows[0].rate = ByteRate(perSecond: 5000)
        sitting.update(Update(rows: [rows[0].id: rows[0]], totals: .counted(rows), at: sitting.now))
        expectEqual(numbers(), [4, 1])
        sitting.wait(0.6)
        sitting.handle(.tick)
        expectEqual(numbers(), [4, 1])
        let next = sitting.nextFrame
        expect(next.map { $0 <= 0.11 } ?? false, "a frame is due when the rows are, not after \(next ?? -1)")
        sitting.wait(0.2)
        sitting.handle(.tick)
        expectEqual(numbers(), [1, 4])
    }

    @Test func `with F keeps the selected row in its line on the screen`() {
        func rows(first: Int) -> [TransferSnapshot] {
            let rows = Scenes.many(100)
            return rows.filter { $0.id.number >= first } + rows.filter { $0.id.number < first }
        }
        var sitting = Sitting(rows(first: 1))
        for _ in 0..<40 { sitting.press("j") }
        func line() -> Int? { sitting.lines.firstIndex { $0.contains("▸") } }
        let place = line()
        sitting.press("F")
        expect(sitting.lines[3].contains("line fixed"))
        sitting.update(rows(first: 11))
        expectEqual(line(), place)
        expectEqual(sitting.selected, 41)
        sitting.press("F")
        sitting.update(rows(first: 16))
        expect(line() != place)
        expectEqual(sitting.selected, 41)
    }
}
