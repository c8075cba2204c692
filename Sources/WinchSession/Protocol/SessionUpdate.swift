package import WinchModel

/// The whole state or a difference, as in `Update`.
package struct SessionUpdate: Codable, Sendable {
    /// The number of the state that it changes; absent: every earlier state is void.
    package var base: Int?
    package var number: Int
    package var at: Moment
    package var rows: [RowMessage]?
    /// Changes of further rows.
    package var motions: [MotionMessage]?
    package var removed: [TransferID]?
    /// The queue's order as runs of consecutive numbers, each its first and its last. Absent: as before.
    package var order: [[Int]]?
    /// Runs of transfers that follow at the end of the order, without `order`. Only for clients that asked for it.
    package var appended: [[Int]]?
    /// The next update has more of the order.
    package var hasMoreOrder: Bool?
    /// Absent: as before, but for `totalsMotion`.
    package var totals: QueueTotals?
    package var totalsMotion: TotalsMotion?
    package var seconds: [RateHistory.Second]?
    package var events: [FeedEvent]?
    package var details: TransferDetails?
    package var addedAgain: [Update.AddedAgain]?
    package var log: [LogEntry]?
}

/// The queue's order as runs of consecutive numbers: a list that was never sorted is one run.
enum OrderRuns {
    static func runs(_ order: [TransferID]) -> [[Int]] {
        var runs: [[Int]] = []
        var first = 0
        for index in order.indices where index + 1 == order.count || order[index + 1].number != order[index].number + 1
        {
            runs.append([order[first].number, order[index].number])
            first = index + 1
        }
        return runs
    }

    /// - Parameter most: so many transfers at most, whatever the runs say.
    /// - Returns: `nil` for what no server sends.
    static func order(_ runs: [[Int]], most: Int) -> [TransferID]? {
        var order: [TransferID] = []
        for run in runs {
            guard run.count == 2, run[0] <= run[1], run[0] >= 0, run[1] - run[0] < most - order.count else {
                return nil
            }
            order += (run[0]...run[1]).map { TransferID($0) }
        }
        return order
    }
}

/// Turns the lines of a server into updates with the clock of this process.
package struct UpdateAssembler {
    private var order: [TransferID] = []
    /// The length of the last whole order with what was appended.
    private var length = 0
    private var moving = MovingRows()
    private var totals = QueueTotals()
    /// Whole seconds between the clocks of server and client.
    let secondShift: Int64

    private static let most = 1 << 24

    package init(secondShift: Int64) { self.secondShift = secondShift }

    package mutating func update(_ message: SessionUpdate) throws(SessionFailure) -> Update {
        // The parts of a long order that came before belong to a state that is void.
        if message.base == nil { (order, length) = ([], 0) }
        if let runs = message.order { order += try Self.order(runs, atMost: Self.most - order.count) }
        let rows = try rows(of: message)
        totals = message.totals ?? message.totalsMotion?.applied(to: totals) ?? totals
        guard totals.counts.allSatisfy({ (0...Self.most).contains($0) }) else {
            throw .unknownProtocol("the session sends totals that are none")
        }
        var update = Update(
            base: message.base, number: message.number,
            rows: Dictionary(rows.map { ($0.id, $0) }) { _, new in new }, removed: message.removed ?? [],
            totals: totals,
            seconds: (message.seconds ?? []).map {
                RateHistory.Second(number: $0.number &+ secondShift, rate: $0.rate)
            },
            events: message.events ?? [], details: message.details.map { [$0] } ?? [], at: message.at)
        update.addedAgain = message.addedAgain ?? []
        update.log = message.log ?? []
        if message.order != nil, message.hasMoreOrder != true {
            update.order = .whole(order)
            (length, order) = (order.count, [])
        } else if let runs = message.appended {
            let added = try Self.order(runs, atMost: Self.most - length)
            update.order = .appended(added)
            length += added.count
        }
        return update
    }

    private static func order(_ runs: [[Int]], atMost most: Int) throws(SessionFailure) -> [TransferID] {
        guard let order = OrderRuns.order(runs, most: most) else {
            throw .unknownProtocol("the session sends an order that is none")
        }
        return order
    }

    private mutating func rows(of message: SessionUpdate) throws(SessionFailure) -> [TransferSnapshot] {
        var rows = (message.rows ?? []).map(\.snapshot)
        for motion in message.motions ?? [] {
            guard let row = moving[motion.id] else {
                throw .unknownProtocol("the session moves a row that it has not sent")
            }
            rows.append(motion.applied(to: row))
        }
        if message.base == nil { moving = MovingRows() }
        for row in rows { moving.note(row) }
        moving.remove(message.removed ?? [])
        return rows
    }
}

extension QueueTotals {
    /// The numbers of transfers, which are added up in many places: larger ones would overflow there.
    fileprivate var counts: [Int] {
        let whole = [count, finished, failed, cancelled, restorable]
        let unsettled = [waiting, active, stalled, finishing, paused, backoff]
        return whole + unsettled + (uploads.map { [$0.count, $0.finished, $0.failed] } ?? [])
    }
}
