package import WinchModel

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
