import Testing

@testable import WinchModel
@testable import WinchTerminal

@Suite struct `The totals in JSON` {
    private var reporter = JSONReporter(unixOffset: 1_000_000)
    private let start = Moment(seconds: 50)
    private let one = TransferID(1)

    private func update(_ events: [FeedEvent], after milliseconds: Int = 0, totals: QueueTotals = QueueTotals())
        -> Update
    {
        let row = TransferSnapshot(id: one, name: "one", host: "h", phase: .moving)
        return Update(rows: [one: row], totals: totals, events: events, at: start + .milliseconds(milliseconds))
    }

    @Test mutating func `contains all fields of the totals`() throws {
        var totals = QueueTotals()
        (totals.count, totals.finished, totals.failed, totals.cancelled) = (9, 1, 2, 3)
        (totals.waiting, totals.active, totals.paused, totals.completed, totals.total) = (1, 1, 1, 5, 10)
        (totals.fraction, totals.rate, totals.finish) = (0.5, ByteRate(perSecond: 1000.4), start + .seconds(12.34))
        totals.isEstimated = true
        let line = try #require(reporter.lines(for: update([], totals: totals)).first)
        #expect(
            line == """
                {"event":"queue","time":1000050,"mode":"accurate","completed":5,"total":10,"fraction":0.500000,"percent":50,\
                "estimated":true,"count":9,"finished":1,"failed":2,"cancelled":3,"waiting":1,"active":1,"finishing":0,\
                "paused":1,"retrying":0,"rate":1000,"eta":12.3}
                """)
    }
}
