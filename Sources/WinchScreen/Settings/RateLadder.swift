import WinchModel

/// The rate limits that `z` and `Z` step through: round numbers, each about half of the one before.
enum RateLadder {
    /// Descending; above the first there is no limit.
    static let steps: [ByteRate] = {
        let (mebi, kibi) = (1024.0 * 1024, 1024.0)
        return [
            10 * mebi, 5 * mebi, 2 * mebi, mebi, 500 * kibi, 200 * kibi, 100 * kibi, 50 * kibi, 20 * kibi, 10 * kibi,
        ]
        .map(ByteRate.init(perSecond:))
    }()

    /// The next lower limit. `nil`, no limit, gives the highest; the lowest stays.
    static func below(_ rate: ByteRate?) -> ByteRate? {
        guard let rate else { return steps.first }
        return steps.first { $0 < rate } ?? steps.last
    }

    /// The next higher limit, `nil` above the highest.
    static func above(_ limit: ByteRate?) -> ByteRate? {
        limit.flatMap { limit in steps.last { $0 > limit } }
    }
}
