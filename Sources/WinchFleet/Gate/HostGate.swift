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

    /// What a hostile value may not be: the counts in it can grow without overflow.
    var isPlausible: Bool {
        let counts = [pauses ?? 0, proven, refusals, doubtful, failedTrials]
        return counts.allSatisfy { (0...1 << 30).contains($0) } && (0...3600).contains(pauseSeconds ?? 0)
            && (1...1 << 20).contains(window) && known ?? 1 >= 1
            && leases.holders.values.allSatisfy { (0...1 << 20).contains($0.held) && (0...1 << 20).contains($0.need) }
    }
}

/// The parts of one thing that workers hold: connections to a host, or bytes a second.
///
/// A worker changes its own part alone, and takes no more than is free, so that all parts together never exceed the whole.
package struct Leases: Hashable, Sendable, Codable {
    package struct Lease: Hashable, Sendable, Codable {
        package var held: Int
        /// What it could use now.
        package var need: Int
        /// As many answers have come as connections are held, since `held` or the host's window changed.
        package var isAnswered = false
    }

    /// By the workers' IDs.
    package private(set) var holders: [String: Lease] = [:]

    package var held: Int { holders.values.reduce(0) { $0 + max(0, $1.held) } }
    package subscript(worker: String) -> Lease? { holders[worker] }

    /// What the others hold.
    package func elsewhere(than worker: String) -> Int { held - max(0, holders[worker]?.held ?? 0) }

    /// Another worker could use more than it holds.
    package func isWanted(besides worker: String) -> Bool {
        holders.contains { $0.key != worker && $0.value.need > $0.value.held }
    }

    /// The part of the whole that a worker should have: what it needs, where that is no more than an equal part; what the
    /// others leave over is divided as well.
    ///
    /// - Parameter need: of this worker, whatever its lease says.
    package func fairPart(of worker: String, need: Int, of whole: Int) -> Int {
        guard need > 0 else { return 0 }
        var claims = holders.filter { $0.value.need > 0 || $0.value.held > 0 }.map {
            (worker: $0.key, need: max(0, $0.value.need), held: max(0, $0.value.held))
        }
        claims.removeAll { $0.worker == worker }
        claims.append((worker, need, max(0, holders[worker]?.held ?? 0)))
        guard whole >= claims.count else {
            // Less than one for each: those that hold something already keep it.
            claims.sort { ($1.held, $0.worker) < ($0.held, $1.worker) }
            return claims.filter { $0.need > 0 }.prefix(max(0, whole)).contains { $0.worker == worker } ? 1 : 0
        }
        // The last get what a division leaves over: those that hold something already keep it.
        claims.sort { ($0.need, $0.held, $0.worker) < ($1.need, $1.held, $1.worker) }
        var parts: [Int] = []
        var left = max(0, whole)
        for (index, claim) in claims.enumerated() {
            parts.append(min(claim.need, left / (claims.count - index)))
            left -= parts[index]
        }
        guard let index = claims.firstIndex(where: { $0.worker == worker }) else { return 0 }
        let takers = claims.count { $0.need > 0 }
        let place = index - (claims.count - takers)
        return parts[index] + left / takers + (place >= takers - left % takers ? 1 : 0)
    }

    /// What a hostile value may not be.
    var isPlausible: Bool {
        let range = 0...1 << 50
        return holders.values.allSatisfy { range.contains($0.held) && range.contains($0.need) }
    }

    package mutating func set(_ worker: String, _ lease: Lease?) { holders[worker] = lease }

    package mutating func remove(_ workers: Set<String>) { holders = holders.filter { !workers.contains($0.key) } }

    /// The answers so far say nothing of what comes now.
    package mutating func forgetAnswers() { for worker in holders.keys { holders[worker]?.isAnswered = false } }

    package mutating func noteAnswered(_ worker: String) { holders[worker]?.isAnswered = true }
}
