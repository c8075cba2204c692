import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `A transfer in segments` {
    /// Two ranges of 1 MB, at 100 and 20 kB/s, for `seconds`; each sample brings both up to date.
    private static func estimator(after seconds: Double, lengths: [Int64] = [1_000_000, 1_000_000])
        -> SegmentedRateEstimator
    {
        var estimator = SegmentedRateEstimator(lengths: lengths.map { ByteCount(bytes: $0) })
        let total = ByteCount(bytes: 2_000_000)
        var have: Int64 = 0
        for step in 1...Int(seconds * 20) {
            for (segment, rate) in [(0, Int64(5_000)), (1, 1_000)] {
                have += rate
                estimator.record(
                    ByteCount(bytes: have), of: total, fresh: ByteCount(bytes: rate), in: segment,
                    at: Moment(seconds: Double(step) / 20 + Double(segment) / 1_000))
            }
        }
        return estimator
    }

    @Test func `ends with the last of its ranges`() throws {
        let left = try #require(Self.estimator(after: 5).stream.secondsLeft(at: Moment(seconds: 5)))
        #expect(abs(left - 45) < 1.5)
    }

    @Test func `is estimated by the common rate once its ranges are split anew`() throws {
        let estimator = Self.estimator(after: 8, lengths: [500_000, 1_500_000])
        let left = try #require(estimator.stream.secondsLeft(at: Moment(seconds: 8)))
        #expect(abs(left - (2_000_000 - 960_000) / 120_000) < 1)
    }
}
