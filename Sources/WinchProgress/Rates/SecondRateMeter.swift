package import WinchModel

/// Cuts a growing count of bytes into the means of whole seconds, so that every byte counted is in one of them.
package struct SecondRateMeter: Sendable {
    /// `nil` while nothing is measured.
    private var since: (at: Moment, bytes: ByteCount)?
    /// What was measured before `since` in the second `number`: a stream may begin and end several times in one.
    private var number: Int64?
    private var bytes = ByteCount.zero
    private var time = Duration.zero
    /// The latest seconds told, ascending.
    package private(set) var recent: [RateHistory.Second] = []
    /// All that was measured before the first second that says what the rate is; `nil` from then on.
    private var early: (bytes: ByteCount, time: Duration)? = (ByteCount.zero, Duration.zero)

    package init(recent: [RateHistory.Second] = []) { self.recent = recent }

    /// Of a second of which less than this was measured the bytes are told as if they had taken the whole: a mean over a
    /// few milliseconds is none.
    private static let least = Duration.milliseconds(500)
    /// A gap beyond this is no second of the stream: the process slept.
    private static let most = Duration.seconds(2)
    /// Seconds that a rate shown may be a mean of.
    private static let memory = 4

    /// Counts from here on; nothing changes where it does already.
    ///
    /// - Parameter moved: bytes so far; never falls.
    /// - Returns: the second that has just ended, if one has.
    package mutating func begin(with moved: ByteCount, at now: Moment) -> RateHistory.Second? {
        guard since == nil else { return nil }
        defer { since = (now, moved) }
        return number == now.second ? nil : close()
    }

    /// - Returns: the second that has just ended, if one has.
    package mutating func record(_ moved: ByteCount, at now: Moment) -> RateHistory.Second? {
        guard let begun = since else { return begin(with: moved, at: now) }
        guard now.second != begun.at.second else { return nil }
        pause(with: moved, at: now)
        since = (now, moved)
        return close()
    }

    /// The time until `begin` does not count.
    package mutating func pause(with moved: ByteCount, at now: Moment) {
        guard let begun = since else { return }
        since = nil
        guard now - begun.at < Self.most else { return clear() }
        number = begun.at.second
        bytes += moved - begun.bytes
        time += max(.zero, now - begun.at)
        early?.bytes += moved - begun.bytes
        early?.time += max(.zero, now - begun.at)
    }

    /// Nothing more comes.
    ///
    /// - Returns: what was measured of the last second.
    package mutating func end(with moved: ByteCount, at now: Moment) -> RateHistory.Second? {
        pause(with: moved, at: now)
        return close()
    }

    /// Keeps a rate that is shown within what the last seconds and the running one were: a mean that still remembers a
    /// burst of some time ago would exceed every second that is drawn beside it. Before the first of them it is what came in
    /// the time so far.
    package func bounded(_ rate: ByteRate, moved: ByteCount, at now: Moment) -> ByteRate {
        guard rate > .zero else { return rate }
        if let early, let begun = since {
            return (early.bytes + (moved - begun.bytes)).rate(over: early.time + (now - begun.at)) ?? rate
        }
        var rates = recent.filter { now.second - $0.number <= Int64(Self.memory) }.map(\.rate)
        if let begun = since {
            let measured = time + (now - begun.at)
            if measured >= Self.least, measured < Self.most,
                let running = (bytes + (moved - begun.bytes)).rate(over: measured)
            {
                rates.append(running)
            }
        }
        guard let low = rates.min(), let high = rates.max() else { return rate }
        return max(low, min(high, rate))
    }

    private mutating func close() -> RateHistory.Second? {
        defer { clear() }
        guard let number, time >= Self.least || bytes > .zero,
            let rate = bytes.rate(over: time >= Self.least ? time : .seconds(1))
        else { return nil }
        let second = RateHistory.Second(number: number, rate: rate)
        // The rest of a second in which the stream began is drawn, but is no rate of the stream.
        guard time >= Self.least else { return second }
        recent = (recent + [second]).suffix(Self.memory)
        early = nil
        return second
    }

    private mutating func clear() { (number, bytes, time) = (nil, .zero, .zero) }
}

extension Moment {
    /// Whole seconds since the origin, floored.
    fileprivate var second: Int64 {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0 ? whole - 1 : whole
    }
}
