import Foundation

/// How many random streams are played, and from which seed on: `WINCH_STREAMS` and `WINCH_SEED`, as `make fuzz` sets them.
enum Streams {
    static let isFuzzing = ProcessInfo.processInfo.environment["WINCH_STREAMS"] != nil
    static let count = UInt64(ProcessInfo.processInfo.environment["WINCH_STREAMS"] ?? "") ?? 100_000
    static let firstSeed = UInt64(ProcessInfo.processInfo.environment["WINCH_SEED"] ?? "") ?? 0
    static let blocks: UInt64 = 20

    /// The seeds of one of `blocks` equal parts, which run beside each other.
    ///
    /// - Parameter share: of all streams, as one in so many.
    static func seeds(_ block: UInt64, share: UInt64 = 1) -> Range<UInt64> {
        let each = (count / share + blocks - 1) / blocks
        let first = firstSeed &+ block * each
        return first..<first + each
    }

    /// Prints what was played and how fast: a run of millions takes long.
    static func report(_ seeds: Range<UInt64>, took: Duration) {
        guard isFuzzing else { return }
        let rate = Double(seeds.count) / (took / .seconds(1))
        print("seeds \(seeds): \(Int(rate)) streams a second")
    }
}
