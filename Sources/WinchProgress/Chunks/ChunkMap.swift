package import WinchModel

/// Which bytes of one file are on disk, which are asked of which connection, and which are free.
///
/// Invariant: the three are disjoint and make up the whole file. A byte is asked for once, except after `release` and
/// `forget`.
package struct ChunkMap: Hashable, Sendable {
    /// Bytes of the whole file.
    package let total: Int64
    package private(set) var onDisk: ByteRanges
    /// One for each connection, in the order of their positions in the file.
    package internal(set) var chunks: [Chunk] = []
    /// A connection gets no fewer bytes to begin with (`--min-split-size`), unless the gap is smaller.
    let minSplit: Int64
    /// Connections that the file may have before long: pieces are made so that as many would end together.
    package var expected = 1

    /// - Parameters:
    ///   - total: below 0: an empty file.
    ///   - onDisk: ranges outside of the file are dropped.
    package init(total: Int64, onDisk: ByteRanges = ByteRanges(), minSplit: Int64 = 1 << 20) {
        self.total = max(0, total)
        self.onDisk = onDisk.intersection(ByteRanges(0..<max(0, total)))
        self.minSplit = max(1, minSplit)
    }

    /// Bytes that are not on disk.
    package var left: ByteCount { ByteCount(bytes: total - onDisk.byteCount.bytes) }

    /// Bytes that are neither on disk nor asked for.
    package var free: ByteRanges {
        var free = ByteRanges(0..<total)
        free.subtract(onDisk)
        for chunk in chunks { free.remove(contentsOf: chunk.range) }
        return free
    }

    package subscript(number: Int) -> Chunk? { chunks.first { $0.number == number } }

    /// Bytes have come over a connection.
    ///
    /// - Parameter position: all of its request below it is there. Beyond the end of what it was to bring, nothing is counted:
    ///   another connection brings those bytes.
    /// - Returns: bytes that were not there before.
    @discardableResult
    package mutating func moved(_ number: Int, through position: Int64, at now: Moment) -> Int64 {
        guard let index = chunks.firstIndex(where: { $0.number == number }) else { return 0 }
        let range = chunks[index].range
        let end = min(position, range.upperBound)
        guard end > range.lowerBound else { return 0 }
        onDisk.insert(contentsOf: range.lowerBound..<end)
        chunks[index].range = end..<range.upperBound
        chunks[index].pace.take(end - range.lowerBound, at: now)
        return end - range.lowerBound
    }

    /// A connection is gone; what it did not bring is free.
    ///
    /// - Returns: the connection that goes on into those bytes: it was cut for the one that is gone, but its request reaches
    ///   further, and it needs no other.
    @discardableResult
    package mutating func release(_ number: Int) -> ChunkEnd? {
        guard let released = self[number] else { return nil }
        chunks.removeAll { $0.number == number }
        let start = released.range.lowerBound
        guard let gap = free.ranges.first(where: { $0.contains(start) }),
            let index = chunks.firstIndex(where: {
                $0.range.upperBound == gap.lowerBound && $0.isCut && !$0.isRetiring && !$0.range.isEmpty
            })
        else { return nil }
        let end = min(gap.upperBound, chunks[index].askedEnd)
        chunks[index].range = chunks[index].range.lowerBound..<end
        return ChunkEnd(number: chunks[index].number, end: end)
    }

    /// No further request is made: each connection goes on into the free bytes behind it, as far as its request reaches, and over
    /// what is on disk if need be.
    ///
    /// - Returns: the connections that go on.
    package mutating func widen() -> [ChunkEnd] {
        var widened: [ChunkEnd] = []
        for index in chunks.indices.reversed() where !chunks[index].range.isEmpty {
            let range = chunks[index].range
            guard chunks[index].askedEnd > range.upperBound,
                let end = free.intersection(ByteRanges(range.upperBound..<chunks[index].askedEnd)).ranges.last?
                    .upperBound
            else { continue }
            chunks[index].range = range.lowerBound..<end
            chunks[index].isRetiring = false
            widened.append(ChunkEnd(number: chunks[index].number, end: end))
        }
        return widened
    }

    /// A connection that is about to reach the end it was cut to goes on into what those behind it hardly bring: its request
    /// reaches those bytes, and the server may treat a further request of it as badly as theirs.
    ///
    /// - Returns: the connection that goes on, and then those that end where they are; empty: none.
    package mutating func takeBack(at now: Moment) -> [ChunkEnd] {
        for index in chunks.indices {
            let (chunk, rate) = (chunks[index], chunks[index].rate(at: now) ?? 0)
            guard chunk.isCut, !chunk.isRetiring, !chunk.range.isEmpty,
                Double(chunk.range.count) < Self.timeToTakeBack * rate
            else { continue }
            let edge = chunk.range.upperBound
            let behind = chunks.filter { !$0.range.isEmpty && $0.range.lowerBound >= edge }
            let quick = behind.first { !isIdle($0, beside: rate, at: now) }
            let idle = behind.prefix { $0.number != quick?.number && $0.range.lowerBound < chunk.askedEnd }
            guard let end = idle.last.map({ min($0.range.upperBound, chunk.askedEnd) }),
                Double(end - edge) / rate <= Self.mostDetour * timeWithout(chunk, rate, for: idle, at: now)
            else { continue }
            chunks[index].range = chunk.range.lowerBound..<end
            return [ChunkEnd(number: chunk.number, end: end)] + idle.compactMap { drop($0.number) }
        }
        return []
    }

    /// Seconds until the bytes of the idle ones are there if a connection does not go on into them, over what is on disk: they
    /// bring them, or it asks for them anew.
    private func timeWithout(_ chunk: Chunk, _ rate: Double, for idle: ArraySlice<Chunk>, at now: Moment) -> Double {
        let times = idle.map { other -> Double in
            let missing = Double(other.range.count)
            let own = other.rate(at: now).map { $0 > 0 ? missing / $0 : .infinity } ?? .infinity
            guard other.range.count >= Self.leastSteal else { return own }
            return min(own, (chunk.pace.delay ?? 0) + missing / rate)
        }
        return times.max() ?? 0
    }

    /// It brings nothing, or next to nothing beside another connection.
    private func isIdle(_ chunk: Chunk, beside rate: Double, at now: Moment) -> Bool {
        guard !chunk.pace.isStalled(at: now) else { return true }
        return !chunk.pace.isYoung(at: now) && chunk.rate(at: now) ?? 0 < Self.idle * rate
    }

    /// Bytes on disk are to be fetched again: their piece hash is wrong, or they were lost.
    package mutating func forget(_ ranges: ByteRanges) { onDisk.subtract(ranges) }

    /// A connection is given back: it gets no more, and is cut when its request takes longer than two seconds. A cut costs the
    /// bytes on the way, so it may bring what takes less.
    ///
    /// - Returns: where it ends now; `nil` when it ends soon enough.
    package mutating func retire(_ number: Int, at now: Moment) -> ChunkEnd? {
        guard let index = chunks.firstIndex(where: { $0.number == number }) else { return nil }
        chunks[index].isRetiring = true
        let range = chunks[index].range
        let others = chunks.compactMap { $0.rate(at: now) }
        let mean = others.isEmpty ? 0 : others.reduce(0, +) / Double(others.count)
        let rate = chunks[index].rate(at: now) ?? mean
        let soon = max(Self.leastSteal, Int64(min(Self.longestRetiring * rate, 9e17)))
        guard Int64(range.count) > soon else { return nil }
        let end = range.lowerBound + min(soon, Self.leastSteal)
        chunks[index].range = range.lowerBound..<end
        return ChunkEnd(number: number, end: end)
    }

    /// A connection ends where it is, and gets no more.
    package mutating func drop(_ number: Int) -> ChunkEnd? {
        guard let index = chunks.firstIndex(where: { $0.number == number }) else { return nil }
        let position = chunks[index].range.lowerBound
        chunks[index].range = position..<position
        chunks[index].isRetiring = true
        return ChunkEnd(number: number, end: position)
    }

    /// Seconds.
    static let longestRetiring = 2.0
    /// Seconds: the transport hears of it before the connection has ended.
    private static let timeToTakeBack = 0.3
    /// Going over what is on disk may take so many times as long: a further request may be treated badly.
    private static let mostDetour = 2.0
    /// Of the rate of the connection that would take its bytes.
    private static let idle = 0.1
}

/// Which piece a connection gets.
extension ChunkMap {
    /// Gives a new connection, or one that has brought its piece, the next: what follows its last piece; else a gap that no
    /// connection works towards; else a part of what would take longest, in proportion to the rates of both, so that both end
    /// together.
    ///
    /// - Parameters:
    ///   - number: of the connection; nothing is assigned while it still has bytes to bring, or is to be closed.
    ///   - isOpenEnded: the request has no end, so it gets all the bytes there are to take, not only a piece.
    /// - Returns: `nil` when nothing is worth a request: the connection is not needed.
    package mutating func assign(_ number: Int, isOpenEnded: Bool = false, at now: Moment) -> ChunkAssignment? {
        let known = self[number]
        guard known?.range.isEmpty ?? true, known?.isRetiring != true else { return nil }
        let paces = Paces(chunks, at: now)
        let asker = Asker(
            rate: known.flatMap { paces[$0.number].flatMap { $0 > 0 ? $0 : nil } } ?? paces.usual,
            delay: known?.pace.delay ?? openingCost,
            least: minSplit, isOpenEnded: isOpenEnded, paces: paces)
        if known == nil, isNearEnd(asker) { return nil }
        let gaps = free.ranges
        let ends = Set(chunks.filter { !$0.range.isEmpty }.map(\.range.upperBound))
        let own = gaps.first { $0.lowerBound == known?.range.upperBound }
        var cut: ChunkEnd?
        var range: Range<Int64>?
        if let gap = own ?? gaps.first(where: { !ends.contains($0.lowerBound) }) {
            range = piece(of: gap, for: asker)
        } else if let taken = steal(from: zones(gaps, paces), for: asker) {
            (range, cut) = taken
        }
        guard let range else { return nil }
        var pace = known?.pace ?? ChunkRate(at: now)
        pace.ask(at: now)
        chunks.removeAll { $0.number == number }
        let place = chunks.firstIndex { $0.range.lowerBound > range.lowerBound } ?? chunks.endIndex
        chunks.insert(
            Chunk(
                number: number, range: range, isOpenEnded: isOpenEnded,
                askedEnd: isOpenEnded ? total : range.upperBound, pace: pace), at: place)
        return ChunkAssignment(range: range, cut: cut)
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

        init(_ chunks: [Chunk], at now: Moment) {
            let grown = chunks.filter { !$0.pace.isYoung(at: now) }.compactMap { $0.rate(at: now) }.filter { $0 > 0 }
            // Where all are in their slow start, all will be at least as quick as the quickest is.
            let best = chunks.compactMap { $0.rate(at: now) }.max().flatMap { $0 > 0 ? $0 : nil }
            let usual = grown.isEmpty ? best : grown.reduce(0, +) / Double(grown.count)
            var (rates, young): ([Int: Double], Set<Int>) = ([:], [])
            for chunk in chunks {
                let rate = chunk.rate(at: now)
                if chunk.pace.isStalled(at: now) {
                    rates[chunk.number] = 0
                } else if chunk.pace.isYoung(at: now) {
                    young.insert(chunk.number)
                    rates[chunk.number] = [rate, usual].compactMap(\.self).max()
                } else {
                    rates[chunk.number] = rate ?? usual
                }
            }
            (self.usual, self.rates, self.young) = (usual, rates, young)
        }

        /// 0: it stalls; `nil`: nothing is known.
        subscript(number: Int) -> Double? { usual == nil && rates[number] != 0 ? nil : rates[number] }
    }

    /// Seconds from a request on an open connection to its first byte.
    private var requestDelay: Double {
        let delays = chunks.compactMap(\.pace.delay)
        return delays.isEmpty ? 0 : delays.reduce(0, +) / Double(delays.count)
    }

    /// Seconds that a new connection brings nothing: its opening and, counted together, what it lacks in its slow start.
    private var openingCost: Double {
        let delays = chunks.compactMap(\.pace.openingDelay)
        return delays.isEmpty ? 0 : Self.slowStart * delays.reduce(0, +) / Double(delays.count)
    }

    /// When all would be done if they ended together, in seconds; the asker counts.
    func commonTime(_ asker: Asker) -> Double? {
        guard let rate = asker.rate else { return nil }
        let others = chunks.filter { !$0.range.isEmpty }.map { asker.paces[$0.number] ?? rate }
        return (Double(left.bytes) + rate * asker.delay) / (others.reduce(0, +) + rate)
    }

    /// A new connection may turn out to be slow, and the others need no help any more.
    private func isNearEnd(_ asker: Asker) -> Bool {
        let busy = chunks.filter { !$0.range.isEmpty && asker.paces[$0.number] != 0 }
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

/// What a connection that has nothing to bring takes from one that has much left.
extension ChunkMap {
    /// What a connection would bring in the end if no other helped it: the rest of its request, and the gap behind that.
    struct Zone {
        /// In `chunks`.
        var index: Int
        var range: Range<Int64>
        /// Bytes a second; 0: it stalls.
        var rate: Double
        /// In seconds.
        var time: Double { rate > 0 ? Double(range.count) / rate : .infinity }
    }

    func zones(_ gaps: [Range<Int64>], _ paces: Paces) -> [Zone] {
        chunks.indices.compactMap { index in
            let chunk = chunks[index]
            guard !chunk.range.isEmpty else { return nil }
            // A connection that took bytes back goes on over what is on disk, which is to be asked of no other.
            let known = onDisk.intersection(ByteRanges(chunk.range)).ranges.first?.lowerBound
            guard known != chunk.range.lowerBound else { return nil }
            let end = known ?? gaps.first { $0.lowerBound == chunk.range.upperBound }?.upperBound
            return Zone(
                index: index, range: chunk.range.lowerBound..<(end ?? chunk.range.upperBound),
                rate: paces[chunk.number] ?? paces.usual ?? 1)
        }
    }

    /// A part of the zone that would take longest.
    mutating func steal(
        from zones: [Zone], for asker: Asker
    ) -> (Range<Int64>, ChunkEnd?)? {
        let longestFirst = zones.sorted {
            ($1.time, Int64($1.range.count), $0.index) < ($0.time, Int64($0.range.count), $1.index)
        }
        for zone in longestFirst {
            if let taken = steal(from: zone, for: asker) { return taken }
        }
        return nil
    }

    private mutating func steal(from zone: Zone, for asker: Asker) -> (Range<Int64>, ChunkEnd?)? {
        let chunk = chunks[zone.index]
        let (asked, all) = (Int64(chunk.range.count), Int64(zone.range.count))
        // Without any rate all are taken to be equal.
        let rate = asker.rate ?? 1
        let isMeasured = asker.rate != nil
        let isStalled = zone.rate == 0
        // Both end together after so many seconds.
        let together = (Double(all) + rate * asker.delay) / (zone.rate + rate)
        let time = min(together, isMeasured ? commonTime(asker) ?? together : together)
        guard isStalled || !isMeasured || zone.time - time > Self.leastGain else { return nil }
        let timeToCut = chunk.isCut ? Self.leastTimeToCutAgain : Self.leastTimeToCut
        var keep = isStalled ? 0 : min(all, Self.whole(zone.rate * time))
        if keep < asked, !isStalled {
            let isYoung = !chunk.isOpenEnded && asker.paces.young.contains(chunk.number)
            let mayCut = !isMeasured || (!isYoung && Double(asked) > zone.rate * timeToCut)
            // Where nearly as much can be had without a cut, it is.
            if !mayCut || 2 * (all - asked) > all - keep { keep = asked }
            if chunk.isOpenEnded, isMeasured {
                keep = max(keep, min(asked, Self.whole(zone.rate * timeToCut)))
            }
        }
        if !isStalled, keep != asked {
            keep = min(all, Self.aligned(zone.range.lowerBound + keep) - zone.range.lowerBound)
        }
        guard isStalled || all - keep >= least(for: asker, from: zone) else { return nil }
        var start = zone.range.lowerBound + keep
        if chunk.isOpenEnded, !asker.isOpenEnded, !isStalled {
            // From the end of the file: the first connection then needs no other request for what is behind this piece.
            let part = piece(of: start..<zone.range.upperBound, for: asker)
            start = zone.range.upperBound - Int64(part.count)
        }
        var cut: ChunkEnd?
        if start < chunk.range.upperBound {
            cut = ChunkEnd(number: chunk.number, end: start)
            chunks[zone.index].range = chunk.range.lowerBound..<start
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
