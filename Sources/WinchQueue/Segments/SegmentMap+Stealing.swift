/// What a connection that has nothing to bring takes from one that has much left.
extension SegmentMap {
    /// What a connection would bring in the end if no other helped it: the rest of its request, and the gap behind that.
    struct Zone {
        /// In `segments`.
        var index: Int
        var range: Range<Int64>
        /// Bytes a second; 0: it stalls.
        var rate: Double
        /// In seconds.
        var time: Double { rate > 0 ? Double(range.count) / rate : .infinity }
    }

    func zones(_ gaps: [Range<Int64>], _ paces: Paces) -> [Zone] {
        segments.indices.compactMap { index in
            let segment = segments[index]
            guard !segment.range.isEmpty else { return nil }
            let end = gaps.first { $0.lowerBound == segment.range.upperBound }?.upperBound
            return Zone(
                index: index, range: segment.range.lowerBound..<(end ?? segment.range.upperBound),
                rate: paces[segment.number] ?? paces.usual ?? 1)
        }
    }

    /// A part of the zone that would take longest.
    mutating func steal(
        from zones: [Zone], for asker: Asker
    ) -> (Range<Int64>, SegmentEnd?)? {
        let longestFirst = zones.sorted {
            ($1.time, Int64($1.range.count), $0.index) < ($0.time, Int64($0.range.count), $1.index)
        }
        for zone in longestFirst {
            if let taken = steal(from: zone, for: asker) { return taken }
        }
        return nil
    }

    private mutating func steal(from zone: Zone, for asker: Asker) -> (Range<Int64>, SegmentEnd?)? {
        let segment = segments[zone.index]
        let (asked, all) = (Int64(segment.range.count), Int64(zone.range.count))
        // Without any rate all are taken to be equal.
        let rate = asker.rate ?? 1
        let isMeasured = asker.rate != nil
        let isStalled = zone.rate == 0
        // Both end together after so many seconds.
        let together = (Double(all) + rate * asker.delay) / (zone.rate + rate)
        let time = min(together, isMeasured ? commonTime(asker) ?? together : together)
        guard isStalled || !isMeasured || zone.time - time > Self.leastGain else { return nil }
        let timeToCut = segment.isCut ? Self.leastTimeToCutAgain : Self.leastTimeToCut
        var keep = isStalled ? 0 : min(all, Self.whole(zone.rate * time))
        if keep < asked, !isStalled {
            let isYoung = !segment.isOpenEnded && asker.paces.young.contains(segment.number)
            let mayCut = !isMeasured || (!isYoung && Double(asked) > zone.rate * timeToCut)
            // Where nearly as much can be had without a cut, it is.
            if !mayCut || 2 * (all - asked) > all - keep { keep = asked }
            if segment.isOpenEnded, isMeasured {
                keep = max(keep, min(asked, Self.whole(zone.rate * timeToCut)))
            }
        }
        if !isStalled, keep != asked {
            keep = min(all, Self.aligned(zone.range.lowerBound + keep) - zone.range.lowerBound)
        }
        guard isStalled || all - keep >= least(for: asker, from: zone) else { return nil }
        var start = zone.range.lowerBound + keep
        if segment.isOpenEnded, !asker.isOpenEnded, !isStalled {
            // From the end of the file: the first connection then needs no other request for what is behind this piece.
            let part = piece(of: start..<zone.range.upperBound, for: asker)
            start = zone.range.upperBound - Int64(part.count)
        }
        var cut: SegmentEnd?
        if start < segment.range.upperBound {
            cut = SegmentEnd(number: segment.number, end: start)
            segments[zone.index].range = segment.range.lowerBound..<start
        }
        return (piece(of: start..<zone.range.upperBound, for: asker), cut)
    }

    /// Bytes that are worth a request: a connection that is slow beside the asker would have the others wait for its last ones.
    private func least(for asker: Asker, from zone: Zone) -> Int64 {
        guard let rate = asker.rate, zone.rate < Self.slow * rate else { return asker.least }
        return min(asker.least, Self.leastSteal)
    }

    /// Of the asker's rate.
    private static let slow = 0.5
    /// 256 KiB: a request for less costs more than it brings on most lines.
    static let leastSteal: Int64 = 256 << 10
    /// A running request is cut only when more than a second of it is left.
    private static let leastTimeToCut = 1.0
    /// One that will be closed early in any case is cut again while the transport has time to obey.
    private static let leastTimeToCutAgain = 0.25
    /// Seconds by which a connection must end sooner for the request of another to be worth it.
    private static let leastGain = 0.05
}
