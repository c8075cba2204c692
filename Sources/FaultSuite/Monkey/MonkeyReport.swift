/// The result of a session.
public struct MonkeyReport: Sendable {
    public let seed: UInt64
    /// What was wrong; empty for a good session.
    public var faults: [String] = []
    /// Exit code, or minus the signal; `nil`: it hung.
    public var ending: Int32?
    public var steps = 0
    public var bytesWritten = 0
    public var stops = 0
    public var picturesCompared = 0
    /// How the session was started, and its last steps; printed with a fault.
    var story: [String] = []

    init(seed: UInt64) { self.seed = seed }

    public var words: String {
        "seed \(seed):\n  " + (faults.map { "✘ " + $0 } + story).joined(separator: "\n  ")
    }
}
