import Foundation
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `A JSON report` {
    private var reporter = JSONReporter(unixOffset: 1_000_000)
    private let start = Moment(seconds: 50)
    private let one = TransferID(1)

    private func event(
        _ kind: FeedEvent.Kind, completed: Int64 = 0, total: Int64 = 0, have: Int64 = 0, size: Int64? = nil
    ) -> FeedEvent {
        FeedEvent(
            id: kind == .queueFinished ? nil : one, at: start, kind: kind, completed: completed, total: total,
            have: ByteCount(bytes: have), size: size.map { ByteCount(bytes: $0) })
    }

    private func update(_ events: [FeedEvent], after milliseconds: Int = 0, totals: QueueTotals = QueueTotals())
        -> Update
    {
        let urls = MirrorList(["http://bob:secret@h/one"].compactMap { try? TransferURL($0) })
        let row = TransferSnapshot(id: one, name: "one", host: "h", urls: urls, phase: .moving)
        return Update(rows: [one: row], totals: totals, events: events, at: start + .milliseconds(milliseconds))
    }

    @Test(
        arguments: [
            .finished(.saved(path: "one")), .reopened(url: "http://h/one", name: "one", .finished(.saved(path: "one"))),
        ] as [FeedEvent.Kind])
    mutating func `contains the warning or the note about a file`(kind: FeedEvent.Kind) {
        var odd = update([event(kind)])
        odd.rows[one]?.warning = .page(expected: ".zip")
        expect(reporter.lines(for: odd)[0].contains(#""warning":"received an HTML page instead of .zip"#))
        expect(!reporter.lines(for: update([event(kind)]))[0].contains("warning"))
        odd.rows[one]?.warning = .streamKept
        let line = reporter.lines(for: odd)[0]
        expect(line.contains(#""note":"its size was needed, or it may be needed twice"#) && !line.contains("warning"))
    }

    @Test mutating func `tells the folder of a transfer, and what a listing has found`() {
        var found = Found(files: 3)
        (found.folders, found.unchanged) = (2, 1)
        let counts = #""files":3,"folders":2,"unchanged":1,"refused":0"#
        var end = update([event(.finished(.listed(path: "pub/", found)))])
        end.rows[one]?.folder = "d/pub"
        end.totals.listings = QueueTotals.Listings(open: 2, done: 1, failed: 0)
        let lines = reporter.lines(for: end)
        expect(lines[0].contains(#""id":1,"folder":"d/pub","#), "\(lines)")
        expect(lines[0].contains(#""outcome":"listed","# + counts), "\(lines)")
        expect(lines[1].contains(#""listings":{"open":2,"done":1,"failed":0}"#), "\(lines)")
        end.rows[one]?.found = found
        var row = JSONLine()
        if let listing = end.rows[one] { row.set(listing, at: start) }
        expect(row.text.contains(#""state":"moving","listing":true,"# + counts), "\(row.text)")
    }

    @Test mutating func `contains all fields of the totals`() throws {
        var totals = QueueTotals()
        (totals.count, totals.finished, totals.failed, totals.cancelled) = (9, 1, 2, 3)
        (totals.waiting, totals.active, totals.paused, totals.completed, totals.total) = (1, 1, 1, 5, 10)
        (totals.fraction, totals.rate, totals.finish) = (0.5, ByteRate(perSecond: 1000.4), start + .seconds(12.34))
        totals.isEstimated = true
        let line = try require(reporter.lines(for: update([], totals: totals)).first)
        expectEqual(
            line,
            """
            {"event":"queue","time":1000050,"mode":"accurate","completed":5,"total":10,"fraction":0.500000,"percent":50,\
            "estimated":true,"count":9,"finished":1,"failed":2,"cancelled":3,"waiting":1,"active":1,"finishing":0,\
            "paused":1,"retrying":0,"rate":1000,"eta":12.3}
            """)
    }

    @Test mutating func `contains the totals at most ten times a second, including the last`() {
        var said: [Int] = []
        var totals = QueueTotals()
        totals.count = 1
        for milliseconds in stride(from: 0, to: 1_000, by: 10) {
            totals.completed += 1
            let lines = reporter.lines(for: update([], after: milliseconds, totals: totals))
            said += lines.map { _ in milliseconds }
        }
        expectEqual(said, Array(stride(from: 0, to: 1_000, by: 100)))
        expectEqual(reporter.nextLineTime, start + .milliseconds(1_000))
        expectEqual(reporter.lines(at: start + .milliseconds(999)), [])
        expectEqual(reporter.lines(at: start + .milliseconds(1_000)).first?.contains(#""completed":100"#), true)
        expectNil(reporter.nextLineTime)
        expectEqual(reporter.lines(for: update([], after: 2_000, totals: totals)), [])
    }

    @Test mutating func `ends with the last totals, written once`() {
        var totals = QueueTotals()
        (totals.count, totals.finished, totals.fraction) = (1, 1, 1)
        let end = reporter.lines(for: update([event(.queueFinished)], totals: totals))
        expectEqual(end.count, 2)
        expectEqual(reporter.lastLines(), [])
        totals.cancelled = 1
        expectEqual(reporter.lines(for: update([], after: 10, totals: totals)), [])
        expectEqual(reporter.lastLines().map { $0.contains(#""cancelled":1"#) }, [true])
    }

    @Test(arguments: [
        "plain", "\"\\\u{8}\u{C}\n\r\t", "\u{1B}[31m", "\u{9B}\u{7F}\u{0}", "中文 😀 e\u{301}", "\u{202E}\u{E0001}",
        "a/b\u{2028}",
    ])
    mutating func `is valid and unambiguous for any name`(name: String) throws {
        let line = try require(reporter.lines(for: update([event(.added(url: name, name: name))])).first)
        let object = try require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        expectEqual(object["name"] as? String, name)
        expect(line.unicodeScalars.allSatisfy(PlainText.isShowable))
    }

    @Test(arguments: [
        (FeedEvent.Kind.added(url: "http://h/a", name: "a"), #""event":"added""#, #""url":"http://h/a","name":"a""#),
        (.started(attempt: 2), #""event":"started""#, #""attempt":2"#),
        (.redirected(url: "http://h/b"), #""event":"redirected""#, #""url":"http://h/b""#),
        (.headers(status: 206), #""event":"headers""#, #""status":206"#),
        (.moved, #""event":"moved""#, #""percent":50"#),
        (.rebase(.rangeIgnored), #""event":"rebase""#, #""cause":"rangeIgnored""#),
        (.rebase(.removed(2)), #""event":"rebase""#, #""cause":"removed""#),
        (.sized, #""event":"sized""#, #""size":100"#), (.paused, #""event":"paused""#, #""id":1"#),
        (.resumed, #""event":"resumed""#, #""id":1"#), (.verifying, #""event":"verifying""#, #""id":1"#),
        (
            .retrying(in: .milliseconds(2500), failure: .httpStatus(503)), #""event":"retrying""#,
            #""wait":2.500,"reason":"503 service unavailable","code":29,"status":503"#
        ),
        (
            .connections(2, reason: "second connection: +93 %, kept"), #""event":"connections""#,
            #""connections":2,"reason":"second connection: +93 %, kept","open":[]"#
        ),
        (
            .finished(.saved(path: "d/one")), #""event":"finished""#,
            #""percent":100,"name":"one","outcome":"saved","path":"d/one""#
        ),
        (.failed(.diskFull(folder: "d")), #""event":"failed""#, #""name":"one","url":"http://h/one","reason""#),
        (.cancelled, #""event":"cancelled""#, #""name":"one""#), (.removed, #""event":"removed""#, #""id":1"#),
        (.queueFinished, #""event":"queueFinished""#, #""delta":3"#),
    ])
    mutating func `has an object for every event`(kind: FeedEvent.Kind, name: String, detail: String) throws {
        let lines = reporter.lines(for: update([event(kind, completed: 3, total: -4, have: 50, size: 100)]))
        let line = try require(lines.first)
        expect(line.contains(name))
        expect(line.contains(detail), "\(line)")
        let object = try require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        expectEqual(object["time"] as? Double, 1_000_050)
        expectEqual(object["delta"] as? Int, 3)
        expectEqual(object["deltaTotal"] as? Int, -4)
    }

    @Test mutating func `lists the open connections`() {
        let open = [
            OpenConnection(
                number: 1, range: 100..<200, rate: ByteRate(perSecond: 2e6), host: "a.org",
                began: start + .milliseconds(-1500), phase: .moving),
            OpenConnection(number: 3, host: "b.org", began: start, phase: .connecting),
        ]
        let line = reporter.lines(for: update([event(.connections(2, reason: "kept", open: open))]))[0]
        let first = #"{"number":1,"first":100,"last":199,"rate":2000000,"host":"a.org","age":1.500,"phase":"moving"}"#
        let second = #"{"number":3,"first":null,"last":null,"rate":null,"host":"b.org","age":0,"phase":"connecting"}"#
        expect(line.contains("\"open\":[\(first),\(second)]"), "\(line)")
    }

    @Test(
        arguments: [
            (.unfinished, #""percent":99,"url":"http://h/a","name":"a","standing":"unfinished"}"#),
            (.failed(.httpStatus(404)), #""standing":"failed","reason":"404 not found","code":3,"status":404}"#),
            (
                .finished(.saved(path: "d/a")),
                #""percent":100,"url":"http://h/a","name":"a","standing":"finished","outcome":"saved","path":"d/a"}"#
            ),
        ] as [(LedgerState, String)])
    mutating func `contains the state that an earlier run left, not a new event`(
        standing: LedgerState, detail: String
    ) throws {
        let reopened = FeedEvent.Kind.reopened(url: "http://h/a", name: "a", standing)
        let lines = reporter.lines(for: update([event(reopened, have: 100, size: 100)]))
        let line = try require(lines.first)
        expect(line.hasPrefix(#"{"event":"added","#))
        expect(line.hasSuffix(detail), "\(line)")
    }

    @Test mutating func `contains null for an unknown size`() throws {
        let line = try require(reporter.lines(for: update([event(.moved, have: 7)])).first)
        expect(line.contains(#""have":7,"size":null"#))
        expect(!line.contains("percent"))
    }
}
