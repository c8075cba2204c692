/// The total rate of the last `RateGraphSpan.seconds`, a mean a second.
package struct RateHistory: Hashable, Sendable {
    /// One second of the clock that has ended.
    package struct Second: Hashable, Sendable, Codable {
        /// Whole seconds since the clock's origin.
        package var number: Int64
        package var rate: ByteRate

        package init(number: Int64, rate: ByteRate) {
            self.number = number
            self.rate = rate
        }
    }

    /// By `number` modulo the span; `nil` where nothing was measured.
    private var ring = [Second?](repeating: nil, count: RateGraphSpan.seconds)
    /// The latest second's number; `nil` before the first.
    package private(set) var last: Int64?

    package init() {}

    /// Takes a second; one before the latest has come too late, and is left out.
    package mutating func append(_ second: Second) {
        if let last, second.number <= last { return }
        last = second.number
        ring[Self.place(of: second.number)] = second
    }

    /// The mean of a second; `nil` when nothing was measured in it or it is longer ago than the span.
    package subscript(number: Int64) -> ByteRate? {
        guard let second = ring[Self.place(of: number)], second.number == number, let last,
            last &- number < Int64(RateGraphSpan.seconds)
        else { return nil }
        return second.rate
    }

    /// The seconds that are kept, ascending.
    package var seconds: [Second] {
        guard let last else { return [] }
        return ring.compactMap(\.self).filter { last &- $0.number < Int64(RateGraphSpan.seconds) }.sorted {
            $0.number < $1.number
        }
    }

    private static func place(of number: Int64) -> Int {
        let rest = Int(number % Int64(RateGraphSpan.seconds))
        return rest < 0 ? rest + RateGraphSpan.seconds : rest
    }
}
