package import WinchModel

extension JSONLine {
    /// The fields of the queue, as in the `queue` lines of `--output json`.
    ///
    /// - Parameter now: on the clock of the totals; `eta` counts from it.
    package mutating func set(_ totals: QueueTotals, at now: Moment) {
        set("mode", totals.mode.rawValue)
        set("completed", totals.completed)
        set("total", totals.total)
        set("fraction", Self.floored(totals.fraction), digits: 6)
        set("percent", totals.percent.map(Int64.init))
        set("estimated", totals.isEstimated)
        if let uploads = totals.uploads {
            var up = JSONLine()
            up.set("completed", uploads.completed)
            up.set("total", uploads.total)
            up.set("fraction", Self.floored(uploads.fraction), digits: 6)
            set("up", up)
        }
        set("count", totals.count)
        set("finished", totals.finished)
        set("failed", totals.failed)
        set("cancelled", totals.cancelled)
        set("waiting", totals.waiting)
        set("active", totals.active)
        set("finishing", totals.finishing)
        set("paused", totals.paused)
        set("retrying", totals.backoff)
        set("rate", totals.rate?.perSecond, digits: 0)
        set("eta", totals.finish.map { max(0, ($0 - now).seconds) }, digits: 1)
    }

    /// Rounded down to millionths: 1 is reported only when all transfers are settled.
    private static func floored(_ fraction: Double) -> Double {
        fraction < 1 ? min((fraction * 1e6).rounded(.down) / 1e6, 0.999_999) : fraction
    }
}
