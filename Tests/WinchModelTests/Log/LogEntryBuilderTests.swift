import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The entries that updates make` {
    private static func reopened(_ number: Int, _ standing: LedgerState) -> FeedEvent {
        FeedEvent(
            id: TransferID(number), at: Moment(seconds: 1),
            kind: .reopened(url: "http://h/\(number)", name: "\(number)", standing))
    }

    @Test func `report only settings that have changed`() {
        var logBuilder = LogEntryBuilder()
        var totals = QueueTotals()
        #expect(logBuilder.entries(for: Update(totals: totals, at: Moment(seconds: 1))).isEmpty)
        #expect(logBuilder.entries(for: Update(totals: totals, at: Moment(seconds: 2))).isEmpty)
        totals.slots = 7
        totals.rateLimit = ByteRate(perSecond: 2_097_152)
        totals.uploadLimit = ByteRate(perSecond: 1_048_576)
        totals.mode = .simple
        totals.isHeld = true
        let entries = logBuilder.entries(for: Update(totals: totals, at: Moment(seconds: 3)))
        #expect(
            entries.map(\.message) == [
                "simultaneous downloads: 7", "total rate limit: 2.0 MiB/s",
                "rate limit of uploads: 1.0 MiB/s", "bar counts: files", "all downloads: paused",
            ])
        #expect(entries.allSatisfy { $0.level == .info })
    }

    @Test func `take the name from the row of the same update and are limited to the latest`() {
        let row = TransferSnapshot(id: TransferID(1), name: "one.iso", host: "h", phase: .moving)
        let events = (0..<50).map {
            FeedEvent(id: TransferID(1), at: Moment(seconds: Double($0)), kind: .paused, have: .zero)
        }
        var logBuilder = LogEntryBuilder()
        let entries = logBuilder.entries(
            for: Update(rows: [row.id: row], events: events, at: Moment(seconds: 50)), atMost: 10)
        #expect(entries.count == 10)
        #expect(entries.first?.at == Moment(seconds: 40))
        #expect(entries.allSatisfy { $0.name == "one.iso" })
    }

    @Test func `summarize in one line what earlier runs have left`() {
        let there = LedgerState.finished(.alreadyComplete(path: "p"))
        let found = FeedEvent(id: TransferID(4), at: Moment(seconds: 1), kind: .finished(.alreadyComplete(path: "p")))
        let started = FeedEvent(id: TransferID(1), at: Moment(seconds: 1), kind: .started(attempt: 2))
        let events = [
            Self.reopened(1, .unfinished), Self.reopened(2, .failed(.httpStatus(404))), Self.reopened(3, .unfinished),
            Self.reopened(4, there), found, started,
        ]
        var logBuilder = LogEntryBuilder()
        let words = ["4 transfers from an earlier run (1 failed, 1 finished, 2 unfinished)", "started, attempt 2"]
        #expect(logBuilder.entries(for: Update(events: events, at: Moment(seconds: 1))).map(\.message) == words)
        // However many there are: the line counts all of them.
        #expect(
            logBuilder.entries(for: Update(events: events, at: Moment(seconds: 1)), atMost: 2).map(\.message) == words)
    }

    @Test func `report a file that is already there and that no earlier run has recorded`() {
        let found = FeedEvent(id: TransferID(1), at: Moment(seconds: 1), kind: .finished(.alreadyComplete(path: "p")))
        let added = FeedEvent(id: TransferID(1), at: Moment(seconds: 1), kind: .added(url: "http://h/1", name: "1"))
        var logBuilder = LogEntryBuilder()
        let entries = logBuilder.entries(for: Update(events: [added, found], at: Moment(seconds: 1)))
        #expect(entries.map(\.message) == ["added", "finished: already there"])
    }
}
