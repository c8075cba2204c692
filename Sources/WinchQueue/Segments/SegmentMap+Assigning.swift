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
        let paces = Paces(segments, at: now)
        let asker = Asker(
            rate: known.flatMap { paces[$0.number].flatMap { $0 > 0 ? $0 : nil } } ?? paces.usual,
            delay: known?.pace.delay ?? openingCost,
            least: minSplit, isOpenEnded: isOpenEnded, paces: paces)
        if known == nil, isNearEnd(asker) { return nil }
        let gaps = free.ranges
        let ends = Set(segments.filter { !$0.range.isEmpty }.map(\.range.upperBound))
        let own = gaps.first { $0.lowerBound == known?.range.upperBound }
        var cut: SegmentEnd?
        var range: Range<Int64>?
        if let gap = own ?? gaps.first(where: { !ends.contains($0.lowerBound) }) {
            range = piece(of: gap, for: asker)
        } else if let taken = steal(from: zones(gaps, paces), for: asker) {
            (range, cut) = taken
        }
        guard let range else { return nil }
        var pace = known?.pace ?? SegmentRate(at: now)
        pace.ask(at: now)
        segments.removeAll { $0.number == number }
        let place = segments.firstIndex { $0.range.lowerBound > range.lowerBound } ?? segments.endIndex
        segments.insert(
            Segment(
                number: number, range: range, isOpenEnded: isOpenEnded,
                askedEnd: isOpenEnded ? total : range.upperBound, pace: pace), at: place)
        return SegmentAssignment(number: number, range: range, isOpenEnded: isOpenEnded, cut: cut)
    }

    /// The connection that asks for bytes.
    struct Asker {
        /// Bytes a second; `nil`: no rate of any connection is known.
        var rate: Double?
        /// Seconds that it brings nothing at first.
        var delay: Double
        /// Bytes that are worth a request.
        var least: Int64
        var isOpenEnded: Bool
        var paces: Paces
    }

    /// The rates to reckon with, in bytes a second.
    struct Paces {
        /// Of a connection of which nothing is known yet: the mean of those that have shown theirs; `nil`: none has.
        let usual: Double?
        private let rates: [Int: Double]
        /// Connections whose rates are not what they will be.
        let young: Set<Int>

        init(_ segments: [Segment], at now: Moment) {
            let grown = segments.filter { !$0.pace.isYoung(at: now) }.compactMap { $0.rate(at: now) }.filter { $0 > 0 }
            // Where all are in their slow start, all will be at least as quick as the quickest is.
            let best = segments.compactMap { $0.rate(at: now) }.max().flatMap { $0 > 0 ? $0 : nil }
            let usual = grown.isEmpty ? best : grown.reduce(0, +) / Double(grown.count)
            var (rates, young): ([Int: Double], Set<Int>) = ([:], [])
            for segment in segments {
                let rate = segment.rate(at: now)
                if segment.pace.isStalled(at: now) {
                    rates[segment.number] = 0
                } else if segment.pace.isYoung(at: now) {
                    young.insert(segment.number)
                    rates[segment.number] = [rate, usual].compactMap(\.self).max()
                } else {
                    rates[segment.number] = rate ?? usual
                }
            }
            (self.usual, self.rates, self.young) = (usual, rates, young)
        }

        /// 0: it stalls; `nil`: nothing is known.
        subscript(number: Int) -> Double? { usual == nil && rates[number] != 0 ? nil : rates[number] }
    }

    /// Seconds from a request on an open connection to its first byte.
    private var requestDelay: Double {
        let delays = segments.compactMap(\.pace.delay)
        return delays.isEmpty ? 0 : delays.reduce(0, +) / Double(delays.count)
    }

    /// Seconds that a new connection brings nothing: its opening and, counted together, what it lacks in its slow start.
    private var openingCost: Double {
        let delays = segments.compactMap(\.pace.openingDelay)
        return delays.isEmpty ? 0 : Self.slowStart * delays.reduce(0, +) / Double(delays.count)
    }

    /// When all would be done if they ended together, in seconds; the asker counts.
    func commonTime(_ asker: Asker) -> Double? {
        guard let rate = asker.rate else { return nil }
        let others = segments.filter { !$0.range.isEmpty }.map { asker.paces[$0.number] ?? rate }
        return (Double(left.bytes) + rate * asker.delay) / (others.reduce(0, +) + rate)
    }

    /// A new connection may turn out to be slow, and the others need no help any more.
    private func isNearEnd(_ asker: Asker) -> Bool {
        let busy = segments.filter { !$0.range.isEmpty && asker.paces[$0.number] != 0 }
        guard !busy.isEmpty, busy.allSatisfy({ !asker.paces.young.contains($0.number) }) else { return false }
        return commonTime(asker).map { $0 < Self.leastTimeForNew } ?? false
    }

    /// The first part of a gap: bounded, so that what is taken by others later is asked of no connection yet; and no longer
    /// than the connection needs until all are done, so that each gets work.
    func piece(of gap: Range<Int64>, for asker: Asker) -> Range<Int64> {
        guard !asker.isOpenEnded else { return gap }
        var length = min(Self.longestPiece, max(minSplit, left.bytes / Self.pieces))
        if let rate = asker.rate {
            length = min(Self.longestPiece, max(length, Self.whole(rate * requestDelay * Self.pieceDelays)))
            if let time = commonTime(asker) {
                // Those that are about to come get their part as well: what is asked for is cut only if it takes long.
                length = min(length, Self.whole(rate * time), left.bytes / Int64(max(1, expected)))
            }
        }
        length = Self.aligned(max(length, asker.least))
        // A rest that is not worth a request goes along.
        guard Int64(gap.count) - length >= asker.least else { return gap }
        return gap.lowerBound..<gap.lowerBound + length
    }

    /// A number of bytes from a calculation; never beyond what a file can have.
    static func whole(_ bytes: Double) -> Int64 { Int64(max(0, min(bytes, 9e17))) }

    /// The next multiple of a page.
    static func aligned(_ position: Int64) -> Int64 { (position + 4095) & ~4095 }

    /// 16 MiB: what is asked for can only be taken back at a cost.
    private static let longestPiece: Int64 = 16 << 20
    /// Of a smaller file so many pieces are made, so that each connection gets work and little has to be taken back.
    private static let pieces: Int64 = 16
    /// A piece takes at least so many times as long as its first byte is waited for.
    private static let pieceDelays = 64.0
    /// Two round trips for the opening; the slow start loses some four.
    private static let slowStart = 3.0
    /// Seconds to the end in which no new connection is opened beside others.
    private static let leastTimeForNew = 1.0
}
