import WinchModel

/// The rates of moving transfers over the last minute, for the small graphs in rows.
struct RowGraphRates: Sendable {
    /// The rates of one transfer in buckets of `span` seconds, up to the open bucket `last`.
    private struct Trail: Sendable {
        var last: Int64
        var sum = 0.0
        var count = 0.0
        /// Mean rates of the closed buckets in bytes per second, the oldest first.
        var means: [Double] = []

        mutating func add(_ rate: Double, in bucket: Int64) {
            if bucket > last { close(until: bucket) }
            sum += rate
            count += 1
        }

        /// Closes the buckets before `bucket`. A bucket without reports gets the mean of the previous one: the engine
        /// does not report a row again that has not changed.
        mutating func close(until bucket: Int64) {
            let mean = count > 0 ? sum / count : means.last ?? 0
            let missed = Int(min(bucket - last, Int64(RowGraphRates.most)))
            means.append(contentsOf: repeatElement(mean, count: missed))
            means.removeFirst(max(0, means.count - RowGraphRates.most))
            (last, sum, count) = (bucket, 0, 0)
        }
    }

    private var trails: [TransferID: Trail] = [:]

    /// Seconds per cell. 3 s: a row's graph changes rarely, which costs little on a slow line.
    static let span: Int64 = 3
    /// Cells of a minute.
    static let most = 20

    mutating func take(_ update: Update) {
        for id in update.removed { trails[id] = nil }
        if update.base == nil { trails = trails.filter { update.rows[$0.key] != nil } }
        let bucket = Self.bucket(of: update.at)
        for (id, row) in update.rows {
            guard row.phase == .moving, let rate = row.rate?.perSecond, rate.isFinite else {
                trails[id] = nil
                continue
            }
            trails[id, default: Trail(last: bucket)].add(max(0, rate), in: bucket)
        }
    }

    /// Mean rates in bytes per second, the latest last. The open bucket is left out, so that a drawn cell does not
    /// change.
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
