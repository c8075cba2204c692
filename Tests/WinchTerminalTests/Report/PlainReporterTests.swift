import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `A plain report` {
    private var reporter = PlainReporter()
    private let start = Moment(seconds: 100)
    private let one = TransferID(1)

    private func update(
        _ kinds: [FeedEvent.Kind], after seconds: Double = 0, name: String = "one.iso", have: Int64 = 0,
        totals: QueueTotals = QueueTotals()
    ) -> Update {
        let at = start + .seconds(seconds)
        let row = TransferSnapshot(id: one, name: name, host: "example.org", phase: .moving)
        let events = kinds.map {
            FeedEvent(id: one, at: at, kind: $0, completed: have, total: 0, have: ByteCount(bytes: have))
        }
        return Update(rows: [one: row], totals: totals, events: events, at: at)
    }

    private static func totals(count: Int = 3, finished: Int = 0, failed: Int = 0, active: Int = 0) -> QueueTotals {
        var totals = QueueTotals()
        (totals.count, totals.finished, totals.failed, totals.active) = (count, finished, failed, active)
        return totals
    }

    @Test(arguments: [
        (FeedEvent.Kind.finished(.saved(path: "d/one.iso")), "finished  d/one.iso  4.0 MiB  2.0 s  2.0 MiB/s"),
        (.finished(.skipped(path: "one.iso")), "skipped  one.iso  already there"),
        (.finished(.alreadyComplete(path: "one.iso")), "finished  one.iso  4.0 MiB  already there"),
        (.failed(.httpStatus(404)), "failed  one.iso: 404 not found"), (.cancelled, "cancelled  one.iso"),
        (
            .warned(.leftAtServer("ftp://h/.x")),
            "warning  one.iso: an unfinished upload could not be removed and may still be at the server: ftp://h/.x"
        ),
        (
            .failed(.remoteFolder(path: "/a/pub/", files: 1, folders: 0, isMore: false)),
            "failed  pub/: /a/pub/ is a folder of 1 file; -r downloads what is in it"
        ),
    ])
    mutating func `shows how a transfer ended`(kind: FeedEvent.Kind, line: String) {
        expectEqual(reporter.lines(for: update([.added(url: "u", name: "one.iso"), .started(attempt: 1)])), [])
        expectEqual(reporter.lines(for: update([.moved, kind], after: 2, have: 4 << 20)), [line])
    }

    @Test mutating func `says what was found in a folder, and of one below it only what is odd`() {
        var found = Found(files: 1234)
        (found.folders, found.unchanged) = (1, 56)
        let loop = TransferWarning.loop.message
        let ended = FeedEvent.Kind.finished(.listed(path: "pub/", found))
        for (folder, level, warning, line) in [
            ("d/pub", 1, nil, "finished  pub/  1,234 files, 1 folder, 56 unchanged"), ("d/pub/a", 2, nil, nil),
            ("d/pub/a/b", 3, .loop, "finished  pub/a/b/  1,234 files, 1 folder, 56 unchanged  warning: \(loop)"),
        ] as [(String, UInt8, TransferWarning?, String?)] {
            var update = update([.added(url: "u", name: "pub/"), ended], name: "pub/")
            update.rows[one]?.folder = folder
            update.rows[one]?.namedParts = level
            update.rows[one]?.warning = warning
            expectEqual(reporter.lines(for: update), line.map { [$0] } ?? [])
        }
    }

    @Test mutating func `names a file of a folder by its path, though no row lists the folder`() {
        for (kind, line) in [
            (.finished(.saved(path: "one (1).iso")), "finished  pub/one (1).iso  4 B"),
            (.failed(.httpStatus(404)), "failed  pub/one.iso: 404 not found"),
        ] as [(FeedEvent.Kind, String)] {
            var end = update([kind], have: 4)
            end.rows[one]?.folder = "d/pub"
            end.rows[one]?.namedParts = 1
            expectEqual(reporter.lines(for: end), [line])
        }
    }

    @Test(arguments: [TransferFailure.checksum(type: "md5", expected: "0", got: "1"), .changed])
    mutating func `names no partial file where none is kept`(failure: TransferFailure) {
        let end = update([.failed(failure)])
        expectEqual(reporter.lines(for: end), ["failed  one.iso: \(failure.message)"])
        reporter = PlainReporter(keepsParts: false)
        let words = failure.message.prefix { $0 != ";" }
        expectEqual(reporter.lines(for: end), ["failed  one.iso: \(words)"])
    }

    @Test mutating func `says of an upload that is at the server that nothing was sent`() {
        var end = update([.finished(.alreadyComplete(path: "one.iso"))], have: 4)
        end.events[0].direction = .up
        expectEqual(reporter.lines(for: end), ["finished  one.iso  4 B  already sent"])
    }

    @Test(
        arguments: [
            (.page(expected: ".iso"), "warning: received an HTML page instead of .iso; a login may be needed"),
            (
                .streamKept,
                "note: its size was needed, or it may be needed twice: the stream was read to its end before it was sent"
            ),
        ] as [(TransferWarning, String)])
    mutating func `shows the warning or the note about a file`(warning: TransferWarning, words: String) {
        var end = update([.finished(.saved(path: "one.iso"))], have: 4)
        end.rows[one]?.warning = warning
        expectEqual(reporter.lines(for: end), ["finished  one.iso  4 B  " + words])
    }

    @Test mutating func `excludes bytes already on disk from the rate`() {
        _ = reporter.lines(for: update([.started(attempt: 1)]))
        _ = reporter.lines(for: update([.headers(status: 206)], have: 3 << 20))
        _ = reporter.lines(for: update([.moved], after: 1, have: 1 << 20))
        let end = update([.finished(.saved(path: "one.iso"))], after: 2, have: 4 << 20)
        expectEqual(reporter.lines(for: end), ["finished  one.iso  4.0 MiB  2.0 s  512 KiB/s"])
    }

    @Test mutating func `leaves out what a server has not taken`() {
        var refused = update([.started(attempt: 1)], totals: Self.totals(count: 1, failed: 1))
        let kinds =
            [
                (.moved, 37), (.rebase(.lostOnRetry), -37), (.failed(.httpStatus(403)), 0),
            ] as [(FeedEvent.Kind, Int64)]
        refused.events += kinds.map {
            FeedEvent(id: one, direction: .up, at: start, kind: $0.0, completed: $0.1, total: 0)
        }
        _ = reporter.lines(for: refused)
        expectEqual(reporter.lastLines(), ["total  0 of 1 finished, 1 failed"])
    }

    @Test mutating func `includes unfinished transfers in the last line`() {
        _ = reporter.lines(for: update([], totals: Self.totals(finished: 1)))
        expectEqual(reporter.lastLines(), ["total  1 of 3 finished, 2 unfinished"])
        var empty = PlainReporter()
        expectEqual(empty.lastLines(), [])
    }

    @Test mutating func `shows the queue at most every five seconds`() {
        var totals = Self.totals(finished: 1, failed: 1, active: 1)
        (totals.completed, totals.total, totals.fraction) = (512 << 20, 1 << 30, 0.5)
        (totals.rate, totals.finish) = (ByteRate(perSecond: 3.5 * 1_048_576), start + .seconds(130 + 5))
        var said: [(Int, String)] = []
        for tenth in 0..<120 {
            let lines = reporter.lines(for: update([.moved], after: Double(tenth) / 10, totals: totals))
            said += lines.map { (tenth, $0) }
        }
        expectEqual(said.map(\.0), [50, 100])
        expectEqual(
            said.first?.1, "queue  1 of 3 finished, 1 failed, 1 active  50% of 1.0 GiB  3.5 MiB/s  2 m 10 s left")
    }

    @Test mutating func `shows 100 percent only when everything is settled`() {
        var totals = Self.totals(finished: 2)
        (totals.completed, totals.total, totals.fraction, totals.isEstimated) = (10, 10, 1, true)
        _ = reporter.lines(for: update([], totals: totals))
        expectEqual(
            reporter.lines(for: update([], after: 5, totals: totals)),
            [
                "queue  2 of 3 finished, 0 active  ~99% of ~10 B"
            ]
        )
    }

    @Test mutating func `ends with a total`() {
        _ = reporter.lines(for: update([.started(attempt: 1)]))
        _ = reporter.lines(for: update([.moved], after: 4, have: 10 << 20, totals: Self.totals(finished: 2, failed: 1)))
        expectEqual(reporter.lastLines(), ["total  2 of 3 finished, 1 failed  10.0 MiB in 4.0 s  2.5 MiB/s"])
    }

    @Test(arguments: ["a\u{1B}[31mb", "a\nfailed b", "a\u{9B}2Jb", "a\u{202E}b", "a\u{7F}b", "a\u{0}b"])
    mutating func `contains no control characters of a name`(name: String) {
        let lines =
            reporter.lines(for: update([.cancelled], name: name))
            + reporter.lines(for: update([.failed(.other(name))], name: name))
            + reporter.lines(for: update([.finished(.saved(path: name))], name: name))
        expectEqual(lines.count, 3)
        expect(lines.joined().unicodeScalars.allSatisfy(PlainText.isShowable))
        expect(lines.allSatisfy { $0.contains("a?") })
    }
}
