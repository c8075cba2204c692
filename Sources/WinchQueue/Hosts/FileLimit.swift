import WinchModel

/// How many connections for one file a host was found to allow.
///
/// One refusal may have any cause: it takes several, in different minutes. What was found holds for an hour at most, since
/// servers and their limits change.
struct FileLimit: Hashable, Sendable {
    private(set) var connections: Int
    /// `nil`: more refusals are needed until it holds.
    private(set) var endsAt: Moment?
    private var refusals = 0
    private var countedAt: Moment?

    /// In different minutes.
    static let neededRefusals = 3
    private static let minute = Duration.seconds(60)
    static let lifetime = Duration.milliseconds(LearnedHostLimit.lifetime)

    init(_ connections: Int, at now: Moment) { self.connections = max(1, connections) }

    /// Found by an earlier run.
    init(_ connections: Int, until end: Moment) { (self.connections, endsAt) = (max(1, connections), end) }

    /// A connection was refused beside so many of the file.
    ///
    /// - Returns: whether it holds from now on, and did not hold for that number before.
    mutating func refused(beside accepted: Int, at now: Moment) -> Bool {
        let (before, didHold) = (connections, endsAt != nil)
        connections = max(1, accepted)
        if countedAt.map({ now - $0 >= Self.minute }) ?? true { (refusals, countedAt) = (refusals + 1, now) }
        guard didHold || refusals >= Self.neededRefusals else { return false }
        endsAt = now + Self.lifetime
        return !didHold || connections != before
    }

    mutating func raise() { connections += 1 }
}
