import Foundation

/// The number of random streams and the first seed: `WINCH_STREAMS` and `WINCH_SEED`, as `make fuzz` sets them. Without
/// them the streams are few, since the code is not optimized, and differ from run to run.
package enum Streams {
    private static let isFuzzing = ProcessInfo.processInfo.environment["WINCH_STREAMS"] != nil
    private static let count = UInt64(ProcessInfo.processInfo.environment["WINCH_STREAMS"] ?? "") ?? 2000
    package static let firstSeed =
        UInt64(ProcessInfo.processInfo.environment["WINCH_SEED"] ?? "") ?? UInt64.random(in: 0...1 << 48)
    package static let blocks: UInt64 = 20

    /// The seeds of one of `blocks` equal parts, which run in parallel.
    ///
    /// - Parameter share: one in this many of all streams.
    package static func seeds(_ block: UInt64, share: UInt64 = 1) -> Range<UInt64> {
        let each = (count / share + blocks - 1) / blocks
        let first = firstSeed &+ block * each
        return first..<first + each
    }

    /// Prints what was run and how fast: a run of millions takes long.
    package static func report(_ seeds: Range<UInt64>, took: Duration) {
        guard isFuzzing else { return }
        let rate = Double(seeds.count) / (took / .seconds(1))
        print("seeds \(seeds): \(Int(rate)) streams a second")
    }
}
