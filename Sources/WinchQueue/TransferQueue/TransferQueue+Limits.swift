package import WinchModel
import WinchProgress

extension TransferQueue {
    /// What runs is told at once; what waits, or has ended and is retried, starts with it.
    mutating func setRateLimit(
        _ limit: ByteRate?, ofEach ids: [TransferID], at now: Moment
    ) -> [QueueAction] {
        let limit = Self.limit(limit)
        for id in ids where index(of: id).map({ rows[$0].settings.rateLimit != limit }) ?? false {
            changeOwnSettings(of: id) { $0.rateLimit = limit }
        }
        return shareLimit(at: now)
    }

    private mutating func changeOwnSettings(of id: TransferID, _ body: (inout TransferSettings) -> Void) {
        guard let index = index(of: id) else { return }
        var settings = rows[index].settings
        body(&settings)
        update(id) { $0.spec.settings = Shared(settings) }
        shareParts(ofRowAt: index)
        feed.noteChange(of: id)
        ledger?.noteNow(id)
        feed.noteTotals()
    }

    /// A file that is being fetched gets so many more or fewer at once, others when they start.
    mutating func changeConnections(of ids: [TransferID], by step: Int, at now: Moment) {
        for id in ids {
            guard let index = index(of: id), rows[index].spec.direction == .down, rows[index].settledClass != .ok else {
                continue
            }
            let ceiling = rows[index].settings.split.connections
            let isOpen = rows[index].splitting?.isOpen == true
            let present = isOpen ? rows[index].connections.lanes : ceiling
            let wanted = min(max(1, present + min(max(step, -SplitLimit.most), SplitLimit.most)), SplitLimit.most)
            if isOpen { _ = split(id) { $0.demand(wanted, at: now) } }
            let most = step < 0 ? min(ceiling, wanted) : max(ceiling, wanted)
            guard most != ceiling else { continue }
            changeOwnSettings(of: id) { $0.split = .atMost(most) }
        }
    }
}

/// Shares one limit among the transfers that run: no transfer gets more than the limit allows, and what a slow one leaves over
/// goes to the others.
package enum RateLimitShares {
    /// A transfer counts as slow, and keeps only its rate and this much more, while it does not use its share.
    private static let headroom = 1.25

    /// Shares in the order of `rates`; their sum is at most `limit`.
    ///
    /// - Parameter rates: what each moves now; `nil`: not known yet, gets an equal share.
    package static func shares(of limit: ByteRate, among rates: [ByteRate?]) -> [ByteRate] {
        guard !rates.isEmpty else { return [] }
        var shares = [Double](repeating: 0, count: rates.count)
        var left = limit.perSecond
        // Slowest first: what it does not need is shared among those that come after.
        let order = rates.indices.sorted { demand(rates[$0]) < demand(rates[$1]) }
        for (place, index) in order.enumerated() {
            let equal = left / Double(order.count - place)
            // The last takes all that is left: nothing of the limit is thrown away.
            shares[index] = place == order.count - 1 ? left : min(equal, max(demand(rates[index]), equal / 4))
            left -= shares[index]
        }
        return shares.map(ByteRate.init(perSecond:))
    }

    private static func demand(_ rate: ByteRate?) -> Double { rate.map { $0.perSecond * headroom } ?? .infinity }
}
