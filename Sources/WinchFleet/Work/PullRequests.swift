import WinchModel

/// The requests for entries that wait at the server: each is answered by as many deliveries as it asks for, or ends with its
/// time.
struct PullRequests: Sendable {
    private struct Request {
        var number: Int
        var missing: Int
        var end: Moment
        /// When the server last showed that it has the request.
        var heardAt: Moment
    }

    private var open: [Request] = []
    private var last = 0

    /// At the server. A worker that dies leaves no request for longer.
    static let span = Duration.seconds(10)
    /// The answer that a request has ended may be lost.
    private static let grace = Duration.seconds(3)

    /// While it has no entries, the server says so often that it still has the request.
    static let heartbeat = Duration.seconds(1)
    /// A request of which nothing was heard for so long is lost: another server of the cluster may have taken over.
    private static let longestSilence = Duration.seconds(3)

    var requested: Int { open.reduce(0) { $0 + $1.missing } }
    var isEmpty: Bool { open.isEmpty }

    /// - Returns: the number of the new request.
    mutating func begin(_ count: Int, at now: Moment) -> Int {
        last += 1
        open.append(Request(number: last, missing: count, end: now + Self.span + Self.grace, heardAt: now))
        return last
    }

    /// A delivery does not say which request it answers: the server answers the oldest first.
    mutating func noteDelivery(at now: Moment) {
        guard !open.isEmpty else { return }
        // The server works on all of them.
        for index in open.indices { open[index].heardAt = now }
        open[0].missing -= 1
        if open[0].missing == 0 { open.removeFirst() }
    }

    mutating func noteHeartbeat(_ number: Int, at now: Moment) {
        for index in open.indices where open[index].number >= number { open[index].heardAt = now }
    }

    mutating func end(_ number: Int) { open.removeAll { $0.number <= number } }
    mutating func endAll() { open = [] }
    mutating func pass(to now: Moment) { open.removeAll { $0.end <= now || now - $0.heardAt >= Self.longestSilence } }
}
