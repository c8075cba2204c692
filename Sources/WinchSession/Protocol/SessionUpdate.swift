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

/// What changes in a row while its bytes move. It replaces these fields of a row that the client has; one that is left out no
/// longer applies.
package struct MotionMessage: Codable, Sendable {
    package var id: TransferID
    var have: ByteCount
    var percent: Int?
    var rate: ByteRate?
    var finish: Moment?
    var split: SplitProgress?

    /// - Returns: `nil` when other fields have changed as well.
    init?(from old: TransferSnapshot, to new: TransferSnapshot) {
        (id, have, percent, rate, finish) = (new.id, new.have, new.percent, new.rate, new.finish)
        split = new.split
        guard applied(to: old) == new else { return nil }
    }

    func applied(to row: TransferSnapshot) -> TransferSnapshot {
        var row = row
        (row.have, row.rate, row.finish, row.split) = (have, rate, finish, split)
        return row
    }
}

/// What changes in the totals while bytes move. It replaces these fields of the totals that the client has; one that is left out
/// no longer applies.
package struct TotalsMotion: Codable, Sendable {
    private var completed: Int64
    private var fraction: Double
    private var unsettled: Int64
    private var bytesDone: Int64
    private var fetched: Int64
    private var meanRate: ByteRate?
    private var rate: ByteRate?
    private var finish: Moment?
    private var uploads: QueueTotals.Uploads?

    /// - Returns: `nil` when other fields have changed as well.
    init?(from old: QueueTotals, to new: QueueTotals) {
        (completed, fraction, unsettled) = (new.completed, new.fraction, new.shares.unsettled)
        (bytesDone, fetched, meanRate) = (new.bytesDone, new.fetched, new.meanRate)
        (rate, finish, uploads) = (new.rate, new.finish, new.uploads)
        guard applied(to: old) == new else { return nil }
    }

    func applied(to totals: QueueTotals) -> QueueTotals {
        var totals = totals
        (totals.completed, totals.fraction, totals.shares.unsettled) = (completed, fraction, unsettled)
        (totals.bytesDone, totals.fetched, totals.meanRate) = (bytesDone, fetched, meanRate)
        (totals.rate, totals.finish, totals.uploads) = (rate, finish, uploads)
        return totals
    }
}

/// Rows whose bytes move, as both sides know them: a `MotionMessage` changes one of these.
struct MovingRows {
    private var rows: [TransferID: TransferSnapshot] = [:]

    /// Transfers with a connection are far fewer.
    private static let most = 4096

    subscript(id: TransferID) -> TransferSnapshot? { rows[id] }

    mutating func note(_ row: TransferSnapshot) {
        if row.phase == .moving, rows.count < Self.most || rows[row.id] != nil {
            rows[row.id] = row
        } else {
            rows[row.id] = nil
        }
    }

    mutating func remove(_ ids: [TransferID]) {
        for id in ids { rows[id] = nil }
    }
}
