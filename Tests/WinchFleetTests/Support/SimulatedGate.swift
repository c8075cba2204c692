import WinchFleet
import WinchModel

/// One host, its gate in a bucket, and the workers that share it: the real `GateMachine` of each, with a simulated queue. In
/// steps of a millisecond.
struct SimulatedGate {
    struct Result: Hashable {
        var refusals = 0
        /// The most connections at once that the host saw, refused ones included.
        var most = 0
        /// The connections that were in use at the end.
        var used = 0
        /// Files that were complete.
        var files = 0
        /// Requests to the bucket, and those that came too late.
        var messages = 0
        var conflicts = 0
        /// Milliseconds from a death until the dead worker's places were used again; `nil`: they were not.
        var recovery: Int?
    }

    var workers = 1000
    /// Connections that the host admits.
    var limit = 64
    /// `--gate` of all workers.
    var most = 256
    /// Transfers of a worker at a time.
    var jobs = 8
    /// Milliseconds that a connection to the host takes, about so.
    var fileTime = 200
    /// Milliseconds to the bucket, one way, and to the host.
    var delay = 2
    /// This many of the workers are killed after this time.
    var deaths: (count: Int, at: Int) = (0, 0)
    /// This worker has no connection to the bucket in this time, and does not know it.
    var cut: (worker: Int, times: Range<Int>)?

    /// - Parameter span: milliseconds.
    func run(span: Int, seed: UInt64) -> Result {
        var run = SimulatedGateRun(self, seed: seed)
        run.run(span: span)
        return run.result
    }

    /// Workers without a common gate: each doubles on its own, and halves after a refusal of its own. In steps of an answer.
    func alone(steps: Int, seed: UInt64) -> Result {
        var random = SplitMix64(seed: seed)
        var result = Result()
        var gates = [Int](repeating: 1, count: workers)
        var quiet = [Int](repeating: 0, count: workers)
        for _ in 0..<steps {
            let wanted = gates.reduce(0, +)
            result.most = max(result.most, wanted)
            let share = min(1, Double(limit) / Double(max(1, wanted)))
            var used = 0
            for index in gates.indices {
                let refused = (0..<gates[index]).reduce(0) { count, _ in
                    count + (Double.random(in: 0..<1, using: &random) < share ? 0 : 1)
                }
                used += gates[index] - refused
                result.refusals += refused
                if refused > 0 {
                    gates[index] = max(1, gates[index] / 2)
                    quiet[index] = 100
                } else if quiet[index] > 0 {
                    quiet[index] -= 1
                } else {
                    gates[index] = min(jobs, gates[index] * 2)
                }
            }
            result.used = used
        }
        return result
    }
}
