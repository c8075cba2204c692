import WinchModel

/// How fast one connection brings its bytes, over its last requests: the window is half a second to one second long.
struct SegmentPace: Hashable, Sendable {
    private var current: ArrivalMeter
    /// Of the window before; `nil`: there was none.
    private var earlier: ArrivalMeter.Sums?
    private var earlierLongest = 0.0
    /// From the request to its first byte, in seconds; of the last request that brought one.
    private(set) var delay: Double?
    private var askedAt: Moment
    private var isAwaitingFirstByte = true

    /// Then the window moves on.
    private static let span = 0.5
    /// A rate from less is a guess: buffers on the way empty at once.
    private static let least = 0.05
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
            delay = max(0, (now - askedAt).seconds)
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

    /// No byte has come for longer than the rhythm of the connection explains.
    func isStalled(at now: Moment) -> Bool {
        let rhythm = max(current.longest, earlier == nil ? 0 : earlierLongest)
        let silence = current.silence(at: now)
        if isAwaitingFirstByte { return silence > Self.unknownRhythm + 4 * (delay ?? 0) }
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
