/// The counts of each key, from which the answer to the key's next request is chosen.
struct RequestHistory: Equatable, Sendable {
    private var gets: [String: Int] = [:]
    private var heads: [String: Int] = [:]
    private var running: [String: Int] = [:]

    /// Tickets that were issued and not used yet, by key, and how many were issued in all.
    private var open: [String: Set<Int>] = [:]
    private var handedOut: [String: Int] = [:]

    mutating func newTicket(_ key: String) -> Int {
        let number = (handedOut[key] ?? 0) + 1
        handedOut[key] = number
        open[key, default: []].insert(number)
        return number
    }

    /// - Returns: whether the ticket was issued and not used before.
    mutating func useTicket(_ number: Int, _ key: String) -> Bool { open[key]?.remove(number) != nil }

    /// Responses now running under that limit key.
    func busy(_ limitKey: String) -> Int { running[limitKey] ?? 0 }

    mutating func began(_ limitKey: String) { running[limitKey, default: 0] += 1 }

    mutating func ended(_ limitKey: String) { running[limitKey] = max(0, busy(limitKey) - 1) }

    /// Counts a request that no gate has refused. HEAD has its own count: a client that asks for the size first must not use
    /// up the faults meant for the download.
    mutating func visit(_ key: String, isHead: Bool) -> Visit {
        let earlierGets = gets[key] ?? 0
        if isHead {
            heads[key, default: 0] += 1
            return Visit(number: heads[key] ?? 1, earlierGets: earlierGets)
        }
        gets[key] = earlierGets + 1
        return Visit(number: earlierGets + 1, earlierGets: earlierGets)
    }

    /// Resets the counts, but not those of responses that are still running.
    mutating func clear() {
        gets = [:]
        heads = [:]
        open = [:]
        handedOut = [:]
    }
}

/// Which request of its key this is.
struct Visit: Equatable, Sendable {
    /// From 1, among those of the same method.
    let number: Int
    let earlierGets: Int
}
