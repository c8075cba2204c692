/// The result of a session.
package struct MonkeyReport: Sendable {
    package let seed: UInt64
    /// What was wrong; empty for a good session.
    package var faults: [String] = []
    /// Exit code, or minus the signal; `nil`: it hung.
    package var ending: Int32?
    package var steps = 0
    package var bytesWritten = 0
    package var stops = 0
    package var picturesCompared = 0
    /// How the session was started, and its last steps; printed with a fault.
    var failureLog: [String] = []

    init(seed: UInt64) { self.seed = seed }

    package var words: String {
        "seed \(seed):\n  " + (faults.map { "✘ " + $0 } + failureLog).joined(separator: "\n  ")
    }
}
