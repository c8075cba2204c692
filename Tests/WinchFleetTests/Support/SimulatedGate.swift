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
}
