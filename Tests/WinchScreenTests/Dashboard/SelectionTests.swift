import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The cursor in the list` {
    @Test func `starts at the first row and is moved by keys`() {
        var sitting = Sitting(Scenes.many(100))
        expectEqual(sitting.selected, 1)
        let table: [(Key, Int)] = [
            ("j", 2), (.down, 3), ("k", 2), (.up, 1), ("k", 1), ("G", 100), ("j", 100), ("g", 1), (.end, 100),
            (.home, 1),
            (.pageDown, 17), (.pageDown, 33), (.pageUp, 17), (.pageUp, 1), (.pageUp, 1),
        ]
        for (key, expected) in table {
            sitting.press(key)
            expectEqual(sitting.selected, expected, "after \(key)")
        }
    }

    @Test func `is always visible, with some rows around it`() {
        var sitting = Sitting(Scenes.many(200))
        for step in 0..<199 {
            sitting.press("j")
            let line = sitting.lines.firstIndex { $0.contains("▸") } ?? 0
            expect(sitting.lines[line].contains("file-\(step + 2).bin"))
            if step < 180 { expectAtMost(line, 23 - 1 - 2) }
        }
    }

    @Test func `stays on its transfer while rows move, appear and disappear`() {
        var rows = Scenes.many(50)
        var sitting = Sitting(rows)
        for _ in 0..<20 { sitting.press("j") }
        expectEqual(sitting.selected, 21)
        rows.reverse()
        sitting.update(rows)
        expectEqual(sitting.selected, 21)
        expect(sitting.lines.contains { $0.contains("▸") && $0.contains("file-21.bin") })
        rows.insert(contentsOf: (51...80).map { .sample($0, "new-\($0)") }, at: 0)
        sitting.update(rows)
        expectEqual(sitting.selected, 21)
        rows.removeAll { $0.id.number % 2 == 0 }
        var update = Update.all(rows)
        update.removed = (1...40).map { TransferID($0 * 2) }
        sitting.update(update)
        expectEqual(sitting.selected, 21)
    }

    @Test func `moves to the row that replaces a removed one`() {
        var rows = Scenes.many(10)
        var sitting = Sitting(rows)
        sitting.press("j", "j")
        rows.remove(at: 2)
        sitting.update(rows)
        expectEqual(sitting.selected, 4)
        sitting.press("G")
        rows.removeLast()
        sitting.update(rows)
        expectEqual(sitting.selected, 9)
        sitting.update([])
        expectNil(sitting.selected)
        sitting.update(rows)
        expectEqual(sitting.selected, 9)
    }

    @Test func `follows the running transfers until a key is pressed, and again after Esc`() {
        func rows(done: Int) -> [TransferSnapshot] {
            (1...60).map { .sample($0, "f\($0)", $0 <= done ? .finished(.saved(path: "x")) : .waiting(.slot), of: 10) }
        }
        var sitting = Sitting(rows(done: 0))
        sitting.update(rows(done: 10))
        expectEqual(sitting.selected, 1)
        sitting.update(rows(done: 30))
        expectEqual(sitting.selected, 31)
        expect(sitting.lines.contains { $0.contains("f28 ") })
        sitting.press("k")
        sitting.update(rows(done: 55))
        expectEqual(sitting.selected, 30)
        sitting.press(.escape)
        expectEqual(sitting.selected, 56)
        sitting.update(rows(done: 60))
        expectEqual(sitting.selected, 56)
        sitting.update(rows(done: 2))
        expectEqual(sitting.selected, 56)
    }

    @Test func `leaves no empty lines below while there are rows above`() {
        var sitting = Sitting(Scenes.many(100))
        sitting.press("G")
        sitting.handle(.resized(columns: 80, rows: 60))
        expectEqual(sitting.lines.filter { $0.contains("file-") }.count, sitting.dashboard.layout.table.count)
        expect(sitting.lines.contains { $0.contains("▸") && $0.contains("file-100.bin") })
    }
}
