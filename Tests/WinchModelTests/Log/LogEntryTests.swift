import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The messages of the log` {
    private static let events: [(FeedEvent.Kind, LogLevel?, String)] = [
        (.started(attempt: 1), .info, "started"),
        (.started(attempt: 3), .info, "started, attempt 3, from 5 B"),
        (.redirected(url: "http://h/x?sig=a&b=1"), .info, "redirected to http://h/x?sig=***&b=1"),
        (.headers(status: 206), .debug, "status 206"),
        (.moved, nil, ""),
        (.rebase(.fileChanged), .warning, "bar moved back: file changed, starting over"),
        (.rebase(.added(2)), .debug, "bar moved back: +2 files"),
        (.sized, .debug, "size 10 B"),
        (.reopened(url: "http://h/x", name: "n", .failed(.httpStatus(404))), .debug, "from an earlier run, failed"),
        (.paused, .info, "paused at 5 B"),
        (.resumed, .info, "waiting to start"),
        (.removed, .info, "off the list"),
        (.restored, .info, "back on the list"),
        (.retrying(in: .seconds(3), failure: .httpStatus(503)), .warning, "failed, next attempt in 3 s: "),
        (
            .connections(2, reason: "second connection: +93 %, kept"), .info,
            "second connection: +93 %, kept; 2 connections"
        ),
        (.retrying(in: .zero, failure: .httpStatus(404)), .warning, "failed, next attempt at once: "),
        (.finished(.saved(path: "p")), .info, "finished, 5 B"),
        (.failed(.httpStatus(404)), .error, "failed: "),
        (.warned(.unknownPart("n.part", isContinued: false)), .info, "n.part is not known to this machine's winch"),
        (.warned(.page(expected: ".zip")), .warning, "received an HTML page instead of .zip"),
        (.cancelled, .info, "cancelled"),
    ]

    @Test(arguments: events.indices)
    func `have a level and a message for each event`(index: Int) {
        let (kind, level, words) = Self.events[index]
        let event = FeedEvent(
            id: TransferID(1), at: Moment(seconds: 1), kind: kind, have: ByteCount(5), size: ByteCount(10))
        let entry = LogEntry(event, name: "n")
        expectEqual(entry?.level, level)
        expect(entry?.message.hasPrefix(words) ?? (level == nil))
    }

    @Test func `have fields that programs can read`() throws {
        let event = FeedEvent(
            id: TransferID(1), at: Moment(seconds: 1), kind: .finished(.saved(path: "a b")), have: ByteCount(5),
            size: ByteCount(5))
        let fields = try require(LogEntry(event, name: "n")).fields
        expectEqual(fields.map(\.name), ["name", "path", "have", "size"])
        expectEqual(fields.map(\.value), ["n", "a b", "5", "5"])
    }

    @Test func `have no signature of a URL`() throws {
        let kind = FeedEvent.Kind.added(url: "http://h/x?sig=a", name: "x")
        let event = FeedEvent(id: TransferID(1), at: Moment(seconds: 1), kind: kind)
        expectEqual(try require(LogEntry(event, name: "x")).fields.map(\.value), ["x", "http://h/x?sig=***"])
    }
}

@Suite struct `The entries that updates make` {
    private static func reopened(_ number: Int, _ standing: LedgerState) -> FeedEvent {
        FeedEvent(
            id: TransferID(number), at: Moment(seconds: 1),
            kind: .reopened(url: "http://h/\(number)", name: "\(number)", standing))
    }

    @Test func `report only settings that have changed`() {
        var logBuilder = LogEntryBuilder()
        var totals = QueueTotals()
        expect(logBuilder.entries(for: Update(totals: totals, at: Moment(seconds: 1))).isEmpty)
        expect(logBuilder.entries(for: Update(totals: totals, at: Moment(seconds: 2))).isEmpty)
        totals.slots = 7
        totals.rateLimit = ByteRate(perSecond: 2_097_152)
        totals.uploadLimit = ByteRate(perSecond: 1_048_576)
        totals.mode = .simple
        totals.isHeld = true
        let entries = logBuilder.entries(for: Update(totals: totals, at: Moment(seconds: 3)))
        expectEqual(
            entries.map(\.message),
            [
                "simultaneous downloads: 7", "total rate limit: 2.0 MiB/s",
                "rate limit of uploads: 1.0 MiB/s", "bar counts: files", "all transfers: paused",
            ])
        expect(entries.allSatisfy { $0.level == .info })
    }

    @Test func `take the name from the row of the same update and are limited to the latest`() {
        let row = TransferSnapshot(id: TransferID(1), name: "one.iso", host: "h", phase: .moving)
        let events = (0..<50).map {
            FeedEvent(id: TransferID(1), at: Moment(seconds: Double($0)), kind: .paused, have: .zero)
        }
        var logBuilder = LogEntryBuilder()
        let entries = logBuilder.entries(
            for: Update(rows: [row.id: row], events: events, at: Moment(seconds: 50)), atMost: 10)
        expectEqual(entries.count, 10)
        expectEqual(entries.first?.at, Moment(seconds: 40))
        expect(entries.allSatisfy { $0.name == "one.iso" })
    }

    @Test func `name a file of a folder by its path`() {
        let rows = ["pub/", "x"].enumerated().map { index, name in
            TransferSnapshot(
                id: TransferID(index + 1), name: name, host: "h", folder: "d/pub", namedParts: 1, phase: .moving)
        }
        let events = rows.map { FeedEvent(id: $0.id, at: Moment(seconds: 1), kind: .paused) }
        var logBuilder = LogEntryBuilder()
        let entries = logBuilder.entries(
            for: Update(
                rows: Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }), events: events,
                at: Moment(seconds: 1)))
        expectEqual(entries.map(\.name), ["pub/", "pub/x"])
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
        expectEqual(logBuilder.entries(for: Update(events: events, at: Moment(seconds: 1))).map(\.message), words)
        // However many there are: the line counts all of them.
        expectEqual(
            logBuilder.entries(for: Update(events: events, at: Moment(seconds: 1)), atMost: 2).map(\.message), words)
    }

    @Test func `report a file that is already there and that no earlier run has recorded`() {
        let found = FeedEvent(id: TransferID(1), at: Moment(seconds: 1), kind: .finished(.alreadyComplete(path: "p")))
        let added = FeedEvent(id: TransferID(1), at: Moment(seconds: 1), kind: .added(url: "http://h/1", name: "1"))
        var logBuilder = LogEntryBuilder()
        let entries = logBuilder.entries(for: Update(events: [added, found], at: Moment(seconds: 1)))
        expectEqual(entries.map(\.message), ["added", "finished: already there"])
    }
}

@Suite struct `An event log` {
    @Test func `keeps the latest entries`() {
        var log = RecentLog()
        for first in stride(from: 0, to: 3_500, by: 7) {
            let events = (first..<first + 7).map {
                FeedEvent(id: TransferID($0 + 1), at: Moment(seconds: 1), kind: .paused)
            }
            log.take(Update(events: events, at: Moment(seconds: 1)))
        }
        expectEqual(log.latest.count, RecentLog.most)
        expect(log.latest.first?.id == TransferID(2_501) && log.latest.last?.id == TransferID(3_500))
    }
}
