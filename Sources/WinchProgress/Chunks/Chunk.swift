package import WinchModel

/// The request of one connection for bytes of a file: what it still has to bring.
package struct Chunk: Hashable, Sendable {
    /// The number of the connection, as in `ConnectionID`.
    package let number: Int
    /// What is still to come; empty when the connection has brought all it was asked for.
    package internal(set) var range: Range<Int64>
    /// The server sends to the end of the file whatever is needed: a GET without an end, or FTP's REST. Such a request can only
    /// be cut by closing the connection, at the cost of the bytes on the way.
    package internal(set) var isOpenEnded: Bool
    /// It is to be closed when it has brought its range, and gets no more.
    package internal(set) var isRetiring = false
    /// Where the request ends at the server.
    var askedEnd: Int64
    var pace: ChunkRate

    /// It is to be closed before its request ends, so that another cut costs nothing more.
    var isCut: Bool { range.upperBound < askedEnd }

    /// Bytes a second; 0 in a stall; `nil` before anything is known.
    package func rate(at now: Moment) -> Double? { pace.rate(at: now) }
}

/// A piece of the file for one connection to ask for.
package struct ChunkAssignment: Hashable, Sendable {
    package var range: Range<Int64>
    /// A running connection lost its tail to this one; `nil`: the bytes were asked of no connection.
    package var cut: ChunkEnd?
}

/// A running connection is to end elsewhere than it was told.
package struct ChunkEnd: Hashable, Sendable {
    /// The number of the connection.
    package var number: Int
    /// The position in the file where it ends now. At or below what it has brought when it stalls: it is to be closed at once.
    package var end: Int64
}

/// How fast one connection brings its bytes, over its last requests: the window is half a second to one second long.
struct ChunkRate: Hashable, Sendable {
    private var current: ArrivalMeter
    /// Of the window before; `nil`: there was none.
    private var earlier: ArrivalMeter.Sums?
    private var earlierLongest = 0.0
    /// From the opening to the first byte, in seconds; `nil`: none has come.
    private(set) var openingDelay: Double?
    /// From a later request to its first byte.
    private var laterDelay: Double?
    /// When its first byte came.
    private var firstAt: Moment?
    private var askedAt: Moment
    private var isAwaitingFirstByte = true

    /// Then the window moves on.
    private static let span = 0.5
    /// A rate from less is a guess: buffers on the way empty at once.
    private static let least = 0.05
    /// Seconds; on a near host the buffers on the way have emptied then.
    private static let shortestYouth = 0.3
    /// The opening takes two round trips or more; the slow start takes some six.
    private static let youthDelays = 4.0
    /// A silence is a stall when it exceeds twice the rhythm by this.
    private static let grace = 0.25
    /// The same while no rhythm is known.
    private static let unknownRhythm = 1.0

    init(at now: Moment) {
        current = ArrivalMeter(at: now)
        askedAt = now
    }

    /// Another request goes out: the time until its first byte belongs to no rate.
    mutating func ask(at now: Moment) {
        if current.closed.count > 0 { (earlier, earlierLongest) = (current.closed, current.longest) }
        current.restart(at: now)
        askedAt = now
        isAwaitingFirstByte = true
    }

    mutating func take(_ bytes: Int64, at now: Moment) {
        if isAwaitingFirstByte {
            let delay = max(0, (now - askedAt).seconds)
            if firstAt == nil { (firstAt, openingDelay) = (now, delay) } else { laterDelay = delay }
            isAwaitingFirstByte = false
        }
        current.take(bytes, at: now)
        if current.closed.seconds >= Self.span {
            (earlier, earlierLongest) = (current.closed, current.longest)
            current.restart(at: now)
            // The interval that begins now has these bytes.
            current.take(bytes, at: now)
        }
    }

    /// Its slow start may not be over: it will be quicker than it is.
    func isYoung(at now: Moment) -> Bool {
        guard let firstAt else { return true }
        return (now - firstAt).seconds < max(Self.shortestYouth, Self.youthDelays * (openingDelay ?? 0))
    }

    /// Seconds from another request to its first byte. Opening takes two round trips.
    var delay: Double? { laterDelay ?? openingDelay.map { $0 / 2 } }

    /// No byte has come for longer than the rhythm of the connection explains.
    func isStalled(at now: Moment) -> Bool {
        let rhythm = max(current.longest, earlier == nil ? 0 : earlierLongest)
        let silence = current.silence(at: now)
        if isAwaitingFirstByte { return silence > Self.unknownRhythm + 4 * (openingDelay ?? 0) }
        return silence > (rhythm > 0 ? 2 * rhythm + Self.grace : Self.unknownRhythm)
    }

    /// Bytes a second; 0 in a stall; `nil` before anything is known.
    func rate(at now: Moment) -> Double? {
        if isStalled(at: now) { return 0 }
        let past = earlier?.rate
        guard current.hasArrivals, current.closed.seconds >= Self.least || past == nil else { return past }
        guard let present = current.rate(at: now) else { return past }
        guard let earlier, let past else { return present }
        // Both windows count by their lengths, unless the present one shows a silence.
        guard current.closed.count > 0, present >= current.closed.rate ?? 0 else { return min(past, present) }
        return (earlier.bytes + current.closed.bytes) / (earlier.seconds + current.closed.seconds)
    }
}

/// The rate of one stream of bytes, cut at arrivals: a server that paces its body sends lumps, and counting from the start of
/// one lump to the start of another is exact where a fixed grid would be off by a lump.
package struct ArrivalMeter: Hashable, Sendable {
    /// Intervals that are complete, with what is needed for the variance of their ratio.
    package struct Sums: Hashable, Sendable {
        package internal(set) var count = 0
        var seconds = 0.0
        var bytes = 0.0
        var secondsSquared = 0.0
        var bytesSquared = 0.0
        var product = 0.0

        mutating func add(seconds span: Double, bytes count: Double) {
            self.count += 1
            seconds += span
            bytes += count
            secondsSquared += span * span
            bytesSquared += count * count
            product += span * count
        }

        /// Bytes a second; `nil` without an interval.
        var rate: Double? { seconds > 0 ? bytes / seconds : nil }

        /// The square of the standard error of `rate`; `nil` below two intervals.
        var variance: Double? {
            guard count > 1, let rate else { return nil }
            let squares = bytesSquared - 2 * rate * product + rate * rate * secondsSquared
            return max(0, squares) * Double(count) / Double(count - 1) / (seconds * seconds)
        }
    }

    /// Complete intervals since the last `restart`.
    package private(set) var closed = Sums()
    /// The longest of them, in seconds.
    package private(set) var longest = 0.0
    private var openedAt: Moment?
    private var openBytes = 0.0
    private var startedAt: Moment
    private var lastAt: Moment?

    /// Arrivals closer together are one: the rhythm of reads is no rhythm of the line.
    private static let shortest = 0.01

    package init(at now: Moment) { startedAt = now }

    /// Bytes have arrived since the last `restart`.
    var hasArrivals: Bool { lastAt != nil }

    /// Time since the last arrival, or since the start.
    func silence(at now: Moment) -> Double { max(0, (now - (lastAt ?? startedAt)).seconds) }

    package mutating func take(_ bytes: Int64, at now: Moment) {
        guard bytes > 0 else { return }
        lastAt = now
        guard let start = openedAt else {
            (openedAt, openBytes) = (now, Double(bytes))
            return
        }
        let span = (now - start).seconds
        guard span >= Self.shortest else {
            openBytes += Double(bytes)
            return
        }
        closed.add(seconds: span, bytes: openBytes)
        longest = max(longest, span)
        (openedAt, openBytes) = (now, Double(bytes))
    }

    /// Forgets what came before: from now on another state of the line is measured.
    package mutating func restart(at now: Moment) { self = ArrivalMeter(at: now) }

    /// Bytes a second. While it has no complete interval this is an upper bound: all bytes over the time since the first.
    /// A silence that is longer than the rhythm explains lowers it. `nil` before the first byte.
    package func rate(at now: Moment) -> Double? {
        guard let openedAt else { return nil }
        let open = max(0, (now - openedAt).seconds)
        guard closed.count > 0 else { return openBytes / max(open, Self.shortest) }
        guard open > 1.5 * longest else { return closed.rate }
        return (closed.bytes + openBytes) / (closed.seconds + open)
    }

    /// The square of the standard error of `rate(at:)`; without two complete intervals as large as the rate itself.
    package func variance(at now: Moment) -> Double {
        guard let rate = rate(at: now) else { return 0 }
        return closed.variance ?? rate * rate
    }
}
