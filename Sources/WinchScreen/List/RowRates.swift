import WinchCore

/// The rates of the transfers that move, over the last minute: what the small graphs in rows are drawn from.
struct RowRates: Sendable {
    /// Means of `span` seconds each, of the buckets up to and including `last`.
    private struct Trail: Sendable {
        var last: Int64
        var sum = 0.0
        var count = 0.0
        /// Closed buckets, the oldest first.
        var means: [Double] = []

        mutating func add(_ rate: Double, in bucket: Int64) {
            if bucket > last { close(until: bucket) }
            sum += rate
            count += 1
        }

        /// Buckets in which nothing was told are as the one before: a row that does not change is not told of again.
        mutating func close(until bucket: Int64) {
            let mean = count > 0 ? sum / count : means.last ?? 0
            let missed = Int(min(bucket - last, Int64(RowRates.most)))
            means.append(contentsOf: repeatElement(mean, count: missed))
            means.removeFirst(max(0, means.count - RowRates.most))
            (last, sum, count) = (bucket, 0, 0)
        }
    }

    private var trails: [TransferID: Trail] = [:]

    /// Seconds of a cell: three, so that a row's graph moves on seldom, which costs a slow line little.
    static let span: Int64 = 3
    /// Cells of a minute.
    static let most = 20

    mutating func take(_ update: Update) {
        for id in update.removed { trails[id] = nil }
        let bucket = Self.bucket(of: update.at)
        for (id, row) in update.rows {
            guard row.phase == .moving, let rate = row.rate?.perSecond, rate.isFinite else {
                trails[id] = nil
                continue
            }
            trails[id, default: Trail(last: bucket)].add(max(0, rate), in: bucket)
        }
    }

    /// The latest at the end; the bucket that is still open is left out, so that no cell changes once it is drawn.
    func means(_ id: TransferID, at now: Moment) -> [Double] {
        guard var trail = trails[id] else { return [] }
        let bucket = Self.bucket(of: now)
        if bucket > trail.last { trail.close(until: bucket) }
        return trail.means
    }

    private static func bucket(of moment: Moment) -> Int64 {
        let (quotient, rest) = moment.nanoseconds.quotientAndRemainder(dividingBy: span * 1_000_000_000)
        return rest < 0 ? quotient - 1 : quotient
    }
}
