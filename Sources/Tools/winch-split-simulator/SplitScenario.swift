/// A line, a host and a file. Times are milliseconds, rates bytes a millisecond.
struct SplitScenario: Sendable {
    /// How a server paces the body of a connection.
    enum Pacing: Sendable {
        case smooth
        /// A slice at a time, so many milliseconds apart.
        case slices(Double)
        /// At most so many bytes at once, and then a pause for as long as they should have taken: nginx's `limit_rate`.
        case bursts(Double)
    }

    /// What the host does when there are more connections than it likes.
    enum Policy: Sendable {
        case open
        /// Answers 429 above so many.
        case refuses(above: Int)
        /// Once it saw more than so many, it resets all and answers 403 for a while.
        case bans(above: Int, milliseconds: Double)
        /// Accepts connections above so many, and answers when others have ended.
        case ignores(above: Int)
        /// Answers 404 to the second request.
        case once
    }

    enum Fault: Sendable {
        case turnsSlow(Double)
        /// No byte comes any more.
        case stalls
        /// The connection is reset.
        case dies
    }

    var name: String
    var size: Int64 = 64_000_000
    /// Of one connection; `nil`: the host's.
    var connectionRate: Double? = 4000
    /// Other rates, by the link. A connection takes a free link at random.
    var links: [Int: Double] = [:]
    /// Of all connections together; `nil`: no limit.
    var hostRate: Double?
    /// Bytes that come at once before `hostRate` holds.
    var hostBurst = 0.0
    var roundTrip = 0.4
    /// The standard deviation of a connection's rate, as a fraction.
    var noise = 0.1
    var pacing = Pacing.smooth
    var policy = Policy.open
    var ceiling = 8
    var slots = 8
    var isSigned = false
    /// What happens to the connection on link 1 at a time.
    var fault: (at: Double, what: Fault)?
    /// Milliseconds between the reports of the transport.
    var reportGap = 5
    /// Connections that a perfect client would use.
    var bestCount = 8
    /// The simulation is given up after so long.
    var mostTime = 100_000.0

    /// Bytes a millisecond on a line without any limit: 2 GB/s.
    static let loopback = 2_000_000.0
}
