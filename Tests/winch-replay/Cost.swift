import WinchModel
import WinchProgress

@main
enum Main {
    static func main() { print(Cost().report) }
}

/// Measures the cost of rates and times left: time for one sample, memory for one transfer, and the share of a core for very
/// many rows.
struct Cost {
    private static let rows = 10_000
    private static let samplesPerSecond = 10
    private static let seconds = 30

    /// Three lines of a name, a number and a unit.
    var report: String {
        let perSample = nanosecondsPerSample()
        let share = perSample * Double(Self.rows * Self.samplesPerSecond) / 1e9 * 100
        return """
            sample \(rounded(perSample)) ns
            state \(MemoryLayout<RateEstimator>.size) bytes
            \(Self.rows) rows at \(Self.samplesPerSecond) Hz \(rounded(share)) % of a core
            """
    }

    /// Updates and reads each row in turn, like the dashboard, so that the state of a row is not in the CPU's first-level cache.
    private func nanosecondsPerSample() -> Double {
        var rows = [RateEstimator](repeating: RateEstimator(), count: Self.rows)
        let total = ByteCount(bytes: 1 << 40)
        var checksum = 0.0
        let clock = ContinuousClock()
        let spent = clock.measure {
            for tick in 1...Self.seconds * Self.samplesPerSecond {
                let now = Moment(nanoseconds: Int64(tick) * 1_000_000_000 / Int64(Self.samplesPerSecond))
                for index in rows.indices {
                    // Slightly uneven, like real streams.
                    let have = Int64(tick) * 100_000 + Int64((tick &* 31 &+ index &* 17) % 8_191)
                    rows[index].record(ByteCount(bytes: have), of: total, at: now)
                    checksum += rows[index].rate(at: now)?.perSecond ?? 0
                    checksum += rows[index].secondsLeft(at: now) ?? 0
                }
            }
        }
        let samples = Double(Self.rows * Self.samplesPerSecond * Self.seconds)
        // Using the sum prevents the compiler from removing the loop.
        return checksum.isFinite ? spent.seconds * 1e9 / samples : .nan
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
