package import WinchModel

/// Which piece a connection gets.
extension SegmentMap {
    /// Gives a new connection, or one that has brought its piece, the next: what follows its last piece; else a gap that no
    /// connection works towards; else a part of what would take longest, in proportion to the rates of both, so that both end
    /// together.
    ///
    /// - Parameters:
    ///   - number: of the connection; nothing is assigned while it still has bytes to bring, or is to be closed.
    ///   - isOpenEnded: the request has no end, so it gets all the bytes there are to take, not only a piece.
    /// - Returns: `nil` when nothing is worth a request: the connection is not needed.
    package mutating func assign(_ number: Int, isOpenEnded: Bool = false, at now: Moment) -> SegmentAssignment? {
        let known = self[number]
        guard known?.range.isEmpty ?? true, known?.isRetiring != true else { return nil }
        let asker = Asker(
            rate: known?.rate(at: now).flatMap { $0 > 0 ? $0 : nil } ?? meanRate(at: now), delay: meanDelay,
            least: known == nil ? minSplit : Self.leastSteal, isOpenEnded: isOpenEnded)
        let gaps = free.ranges
        let ends = Set(segments.filter { !$0.range.isEmpty }.map(\.range.upperBound))
        let own = gaps.first { $0.lowerBound == known?.range.upperBound }
        var cut: SegmentCut?
        var range: Range<Int64>?
        if let gap = own ?? gaps.first(where: { !ends.contains($0.lowerBound) }) {
            range = piece(of: gap, for: asker, at: now)
        } else if let taken = take(from: zones(gaps, at: now), for: asker, at: now) {
            (range, cut) = taken
        }
        guard let range else { return nil }
        var pace = known?.pace ?? SegmentPace(at: now)
        pace.ask(at: now)
        segments.removeAll { $0.number == number }
        let place = segments.firstIndex { $0.range.lowerBound > range.lowerBound } ?? segments.endIndex
        segments.insert(Segment(number: number, range: range, isOpenEnded: isOpenEnded, pace: pace), at: place)
        return SegmentAssignment(number: number, range: range, isOpenEnded: isOpenEnded, cut: cut)
    }

    /// The connection that asks for bytes.
    private struct Asker {
        /// Bytes a second; `nil`: no rate of any connection is known.
        var rate: Double?
        /// Seconds until its first byte.
        var delay: Double
        /// Bytes that are worth a request.
        var least: Int64
        var isOpenEnded: Bool
    }

    /// What a connection would bring in the end if no other helped it: the rest of its request, and the gap behind that.
    private struct Zone {
        /// In `segments`.
        var index: Int
        var range: Range<Int64>
        /// Bytes a second; 0: it stalls.
        var rate: Double
        /// In seconds.
        var time: Double { rate > 0 ? Double(range.count) / rate : .infinity }
    }

    /// Bytes a second of those that move; `nil`: of none it is known.
    private func meanRate(at now: Moment) -> Double? {
        let rates = segments.compactMap { $0.rate(at: now) }.filter { $0 > 0 }
        return rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count)
    }

    /// Seconds from a request to its first byte, of all whose first byte has come.
    private var meanDelay: Double {
        let delays = segments.compactMap(\.pace.delay)
        return delays.isEmpty ? 0 : delays.reduce(0, +) / Double(delays.count)
    }

    /// When all would be done if they ended together, in seconds; the asker counts.
    private func commonTime(_ asker: Asker, at now: Moment) -> Double? {
        guard let rate = asker.rate else { return nil }
        let others = segments.filter { !$0.range.isEmpty }.map { $0.rate(at: now) ?? rate }
        let bytes = Double(left.bytes) + rate * asker.delay
        return bytes / (others.reduce(0, +) + rate)
    }

    private func zones(_ gaps: RangeSet<Int64>.Ranges, at now: Moment) -> [Zone] {
        let mean = meanRate(at: now) ?? 1
        return segments.indices.compactMap { index in
            let segment = segments[index]
            guard !segment.range.isEmpty else { return nil }
            let end = gaps.first { $0.lowerBound == segment.range.upperBound }?.upperBound
            return Zone(
                index: index, range: segment.range.lowerBound..<(end ?? segment.range.upperBound),
                rate: segment.rate(at: now) ?? mean)
        }
    }

    /// The first part of a gap: bounded, so that what is taken by others later is asked of no connection yet; and no longer
    /// than the connection needs until all are done, so that each gets work.
    private func piece(of gap: Range<Int64>, for asker: Asker, at now: Moment) -> Range<Int64> {
        guard !asker.isOpenEnded else { return gap }
        var length = Self.shortestPiece
        if let rate = asker.rate {
            length = max(length, min(Self.longestPiece, Self.whole(rate * Self.pieceSeconds)))
            if let time = commonTime(asker, at: now) { length = min(length, Self.whole(rate * time)) }
        }
        length = Self.aligned(max(length, asker.least))
        // A rest that is not worth a request goes along.
        guard Int64(gap.count) - length >= Self.leastSteal else { return gap }
        return gap.lowerBound..<gap.lowerBound + length
    }

    /// A part of the zone that would take longest.
    private mutating func take(
        from zones: [Zone], for asker: Asker, at now: Moment
    ) -> (Range<Int64>, SegmentCut?)? {
        let longestFirst = zones.sorted {
            ($1.time, Int64($1.range.count), $0.index) < ($0.time, Int64($0.range.count), $1.index)
        }
        for zone in longestFirst {
            if let taken = take(from: zone, for: asker, at: now) { return taken }
        }
        return nil
    }

    private mutating func take(from zone: Zone, for asker: Asker, at now: Moment) -> (Range<Int64>, SegmentCut?)? {
        let segment = segments[zone.index]
        let (asked, all) = (Int64(segment.range.count), Int64(zone.range.count))
        // Without any rate all are taken to be equal.
        let rate = asker.rate ?? 1
        let isMeasured = asker.rate != nil
        let isStalled = zone.rate == 0
        let least = min(asker.least, isMeasured ? max(1, Self.whole(zone.rate)) : asker.least)
        // Both end together after so many seconds.
        let together = (Double(all) + rate * asker.delay) / (zone.rate + rate)
        let time = min(together, isMeasured ? commonTime(asker, at: now) ?? together : together)
        var keep = isStalled ? 0 : Self.whole(zone.rate * time)
        var cut: SegmentCut?
        if keep < asked {
            let isWorthIt = isStalled || !isMeasured || Double(asked) > zone.rate * Self.leastTimeToCut
            if !isWorthIt || (segment.isOpenEnded && !isStalled && isMeasured) {
                keep = max(keep, min(asked, Self.whole(zone.rate * Self.leastTimeToCut)))
            }
            if !isWorthIt { keep = asked }
        }
        keep = min(all, keep == asked ? keep : Self.aligned(zone.range.lowerBound + keep) - zone.range.lowerBound)
        guard all - keep >= least else { return nil }
        let start = zone.range.lowerBound + keep
        if keep < asked {
            cut = SegmentCut(number: segment.number, end: start)
            segments[zone.index].range = segment.range.lowerBound..<start
        }
        return (piece(of: start..<zone.range.upperBound, for: asker, at: now), cut)
    }

    /// A number of bytes from a calculation; never beyond what a file can have.
    private static func whole(_ bytes: Double) -> Int64 { Int64(max(0, min(bytes, 9e17))) }

    /// The next multiple of a page.
    private static func aligned(_ position: Int64) -> Int64 { (position + 4095) & ~4095 }

    /// 8 MiB: a request costs a round trip, which is little against the time that so many bytes take.
    private static let shortestPiece: Int64 = 8 << 20
    /// 16 MiB: what is asked for can only be taken back at a cost.
    private static let longestPiece: Int64 = 16 << 20
    /// A piece is long enough for so many seconds, between the two.
    private static let pieceSeconds = 4.0
    /// A running request is cut only when more than a second of it is left.
    private static let leastTimeToCut = 1.0
}
