package import WinchModel

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

    private static func demand(_ rate: ByteRate?) -> Double {
        rate.map { $0.perSecond * headroom } ?? .infinity
    }
}
