import WinchCore

/// What the figures cost: time for a sample, memory for a transfer, and a core's share for very many rows.
struct Cost {
    private static let rows = 10_000
    private static let samplesPerSecond = 10
    private static let seconds = 30

    /// Three lines: a name, a figure, a unit.
    var report: String {
        let perSample = nanosecondsPerSample()
        let share = perSample * Double(Self.rows * Self.samplesPerSecond) / 1e9 * 100
        return """
            sample \(rounded(perSample)) ns
            state \(MemoryLayout<RateEstimator>.size) bytes
            \(Self.rows) rows at \(Self.samplesPerSecond) Hz \(rounded(share)) % of a core
            """
    }

    /// Each row is recorded to and read from in turn, as the dashboard does: its state is not in the nearest cache.
    private func nanosecondsPerSample() -> Double {
        var rows = [RateEstimator](repeating: RateEstimator(), count: Self.rows)
        let total = ByteCount(bytes: 1 << 40)
        var checksum = 0.0
        let clock = ContinuousClock()
        let spent = clock.measure {
            for tick in 1...Self.seconds * Self.samplesPerSecond {
                let now = Moment(nanoseconds: Int64(tick) * 1_000_000_000 / Int64(Self.samplesPerSecond))
                for index in rows.indices {
                    // Not quite even, as streams are.
                    let have = Int64(tick) * 100_000 + Int64((tick &* 31 &+ index &* 17) % 8_191)
                    rows[index].record(ByteCount(bytes: have), of: total, at: now)
                    checksum += rows[index].rate(at: now)?.perSecond ?? 0
                    checksum += rows[index].secondsLeft(at: now) ?? 0
                }
            }
        }
        let samples = Double(Self.rows * Self.samplesPerSecond * Self.seconds)
        // The sum is used, so that nothing of it is left out.
        return checksum.isFinite ? spent.seconds * 1e9 / samples : .nan
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
