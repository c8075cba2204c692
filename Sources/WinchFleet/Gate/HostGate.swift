import WinchModel

/// How many connections all workers together have to a host, and which of them are whose: the value of the host's key in the
/// bucket `winch-gates`, changed by compare and set.
///
/// The window doubles while the host answers all of its connections. A refusal halves it; then it grows by one every few seconds,
/// up to one less than was refused, and beyond that once in a long while. So a host that takes K connections refuses at most
/// K + 1 before the window stands at K. Nothing in it is a time: each worker measures on its own clock for how long it has not
/// changed.
package struct HostGate: Hashable, Sendable, Codable {
    package let host: String
    /// Connections that are tried now, at least 1.
    package private(set) var window = 1
    /// The most that were all answered.
    private var proven = 0
    /// More than this were refused; `nil`: none was.
    package private(set) var known: Int?
    /// Times that the window was halved.
    package private(set) var refusals = 0
    /// Refusals in a row of no more than was proven.
    private var doubtful = 0
    /// One more than is known is tried, and those trials that failed in a row.
    private var isTrying = false
    private var failedTrials = 0
    /// Times that the host has asked one of the workers for a pause, and the seconds of the last one. `nil`: never, or not since
    /// a worker of an older version has changed the gate.
    package private(set) var pauses: Int?
    package private(set) var pauseSeconds: Double?
    package var leases = Leases()
    /// The worker that has stored this.
    package var writer = ""

    package init(host: String) { self.host = host }

    /// From one step to the next after a refusal; as in a queue that has a host for itself.
    static let recovery = Duration.seconds(5)
    static let firstTrialInterval = Duration.seconds(120)
    static let longestTrialInterval = Duration.seconds(3600)

    /// - Parameter most: connections that the user allows.
    package func places(atMost most: Int) -> Int { max(1, min(window, most)) }

    /// The host has refused one of the connections that are held now.
    package mutating func refuse() {
        let together = max(1, min(window, leases.held))
        if isTrying { (isTrying, failedTrials) = (false, min(failedTrials + 1, 8)) }
        if together > proven {
            known = max(1, min(known ?? .max, together - 1))
        } else {
            // One may be a connection that the host had not yet seen end.
            doubtful += 1
            if doubtful > 1 { (proven, known, doubtful) = (max(1, together - 1), max(1, together - 1), 0) }
            known = known ?? proven
        }
        window = max(1, together / 2)
        refusals += 1
        leases.forgetAnswers()
    }

    /// The host has asked for a pause.
    package mutating func pause(for span: Duration) {
        pauses = (pauses ?? 0) + 1
        pauseSeconds = span.seconds
    }

    /// Widens the window where that is due.
    ///
    /// - Parameters:
    ///   - most: connections that the user allows.
    ///   - age: for how long the window and the refusals have not changed.
    /// - Returns: whether it has.
    package mutating func grow(atMost most: Int, age: Duration) -> Bool {
        guard window < most, leases.held >= window else { return false }
        let areAnswered = leases.holders.values.allSatisfy { $0.isAnswered || $0.held == 0 }
        guard let known else {
            // However long it takes: a worker may not even have opened its part.
            guard areAnswered else { return false }
            proven = max(proven, window)
            window = min(most, 2 * window)
            leases.forgetAnswers()
            return true
        }
        let isTrial = window >= known
        guard age >= (isTrial ? trialInterval : Self.recovery) else { return false }
        (proven, doubtful) = (max(proven, window), 0)
        if isTrial {
            // The last trial went well.
            if isTrying { failedTrials = 0 }
            (self.known, isTrying) = (window + 1, true)
        }
        window += 1
        leases.forgetAnswers()
        return true
    }

    private var trialInterval: Duration {
        min(Self.longestTrialInterval, Self.firstTrialInterval * (1 << (2 * max(0, min(failedTrials, 8)))))
    }

    /// What a hostile value may not be.
    var isPlausible: Bool {
        (0...1 << 30).contains(pauses ?? 0) && (0...3600).contains(pauseSeconds ?? 0) && window >= 1
            && window <= 1 << 20 && refusals >= 0 && known ?? 1 >= 1 && proven >= 0 && failedTrials >= 0
            && leases.holders.values.allSatisfy { (0...1 << 20).contains($0.held) && (0...1 << 20).contains($0.need) }
    }
}
