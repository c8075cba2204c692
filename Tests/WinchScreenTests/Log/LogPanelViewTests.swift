import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The log panel` {
    private static let levels: [FeedEvent.Kind] = [
        .started(attempt: 1), .headers(status: 200), .failed(.httpStatus(404)),
        .retrying(in: .seconds(1), failure: .httpStatus(503)),
    ]

    /// A dashboard with `count` events in the log, whose levels alternate.
    private func sitting(_ count: Int, lines: Int = 24) -> Sitting {
        var sitting = Sitting(Scenes.busy, lines: lines)
        sitting.update(events(0..<count))
        return sitting
    }

    private func events(_ numbers: Range<Int>) -> Update {
        var update = Update.all(Scenes.busy)
        update.events = numbers.map { number in
            FeedEvent(
                id: TransferID(number % 20 + 1), at: .at(Double(number)), kind: Self.levels[number % 4],
                have: ByteCount(bytes: Int64(number)))
        }
        return update
    }

    @Test func `shows the latest entries and follows new ones`() {
        var sitting = sitting(100)
        sitting.press("l")
        expect(sitting.canvas.text.contains("following"))
        expect(sitting.lines.contains { $0.contains("00:18:19 WARN") })
        sitting.update(events(100..<104))
        expect(sitting.lines.contains { $0.contains("00:18:23 WARN") })
    }

    @Test(
        arguments: [("e", ["ERROR"]), ("w", ["ERROR", "WARN "]), ("i", ["ERROR", "WARN ", "INFO "])]
            as [(Character, [String])])
    func `hides entries below the chosen level`(key: Character, marks: [String]) {
        var sitting = sitting(100)
        sitting.press("l", .character(key))
        let shown = Set(
            sitting.lines.dropFirst(5).dropLast(2).compactMap { line in
                ["ERROR", "WARN ", "INFO ", "DEBUG"].first { line.contains(" \($0) ") }
            })
        expectEqual(shown, Set(marks))
        sitting.press("d")
        expect(sitting.canvas.text.contains("DEBUG"))
    }

    @Test func `scrolls, stays in place while entries are added, and follows again at the end`() {
        var sitting = sitting(200)
        sitting.press("l", "d", .pageUp, .pageUp)
        let before = sitting.lines.dropFirst(5).dropLast(1)
        sitting.update(events(200..<250))
        expectEqual(sitting.lines.dropFirst(5).dropLast(1), before)
        sitting.press("g")
        expect(sitting.lines[5].contains("00:16:40"))
        sitting.press(.up, .pageUp)
        expect(sitting.lines[5].contains("00:16:40"), "no further than the first")
        for _ in 0..<40 { sitting.press(.pageDown) }
        expect(sitting.canvas.text.contains("following"))
        sitting.press("k", "j")
        sitting.press("G")
        expect(sitting.canvas.text.contains("following"))
    }

    @Test func `is filtered as text is typed, by name and words, and Esc clears the filter first`() {
        var sitting = sitting(100)
        sitting.press("l", "/")
        sitting.type("MISSING")
        expect(sitting.footer.contains("Filter: MISSING"))
        let rows = sitting.lines.dropFirst(5).dropLast(2).filter { $0.contains("#") }
        expect(!rows.isEmpty && rows.allSatisfy { $0.contains("missing.tar.gz") })
        sitting.press(.enter, .escape)
        expect(sitting.canvas.text.contains("debian-12"))
        sitting.press(.escape)
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test func `shows a message when there are no entries`() {
        var sitting = sitting(0)
        sitting.press("l")
        expect(sitting.canvas.text.contains("Nothing of this kind has happened."))
        sitting.press(.up, .down, "g", "G", .pageUp, .pageDown)
        sitting.press("l")
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test func `keeps the latest ten thousand entries and the footer's messages`() {
        var journal = LogPanelEntries()
        for number in 0..<30 {
            journal.append((0..<1000).map { words(Double(number * 1000 + $0), "\($0)") })
        }
        expectEqual(journal.end, 30_000)
        expectEqual(journal.first, 20_000)
        expectNil(journal[19_999])
        expectEqual(journal[20_000]?.at, .at(20_000))
        expectNil(journal[30_000])

        var sitting = sitting(0)
        sitting.handle(.notice("line 3: bad URL"))
        sitting.press("l")
        expect(sitting.canvas.text.contains("INFO  line 3: bad URL"))
    }

    private func words(_ at: Double, _ words: String) -> LogEntry {
        LogEntry(at: .at(at), subject: .userMessage(words, .info))
    }

    @Test func `has entries in the order of their times`() {
        var journal = LogPanelEntries()
        for entries in [[words(2, "b"), words(1, "a")], [words(4, "d")], [words(3, "c")]] { journal.merge(entries) }
        expectEqual((journal.first..<journal.end).compactMap { journal[$0]?.message }, ["a", "b", "c", "d"])
    }

    @Test func `of a queue that ran before begins with its earlier entries`() {
        var journal = LogPanelEntries()
        journal.append([words(2, "own"), words(3, "known")])
        for _ in 0..<2 { journal.join([words(1, "first"), words(3, "known"), words(4, "last")]) }
        expectEqual((0..<journal.end).compactMap { journal[$0]?.message }, ["first", "own", "known", "last"])
    }
}
