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

        package init(held: Int, need: Int) { (self.held, self.need) = (held, need) }
    }

    /// By the workers' IDs.
    package private(set) var holders: [String: Lease] = [:]

    package init() {}

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
