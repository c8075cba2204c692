package import WinchModel

/// Which bytes of one file are on disk, which are asked of which connection, and which are free.
///
/// Invariant: the three are disjoint and make up the whole file. A byte is asked for once, except after `release` and
/// `forget`.
package struct SegmentMap: Hashable, Sendable {
    /// Bytes of the whole file.
    package let total: Int64
    package private(set) var onDisk: ByteRanges
    /// One for each connection, in the order of their positions in the file.
    package internal(set) var segments: [Segment] = []
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
        for segment in segments { free.remove(contentsOf: segment.range) }
        return free
    }

    package subscript(number: Int) -> Segment? { segments.first { $0.number == number } }

    /// Bytes have come over a connection.
    ///
    /// - Parameter position: all of its request below it is there. Beyond the end of what it was to bring, nothing is counted:
    ///   another connection brings those bytes.
    /// - Returns: bytes that were not there before.
    @discardableResult
    package mutating func moved(_ number: Int, through position: Int64, at now: Moment) -> Int64 {
        guard let index = segments.firstIndex(where: { $0.number == number }) else { return 0 }
        let range = segments[index].range
        let end = min(position, range.upperBound)
        guard end > range.lowerBound else { return 0 }
        onDisk.insert(contentsOf: range.lowerBound..<end)
        segments[index].range = end..<range.upperBound
        segments[index].pace.take(end - range.lowerBound, at: now)
        return end - range.lowerBound
    }

    /// A connection is gone; what it did not bring is free.
    ///
    /// - Returns: the connection that goes on into those bytes: it was cut for the one that is gone, but its request reaches
    ///   further, and it needs no other.
    @discardableResult
    package mutating func release(_ number: Int) -> SegmentEnd? {
        guard let released = self[number] else { return nil }
        segments.removeAll { $0.number == number }
        let start = released.range.lowerBound
        guard let gap = free.ranges.first(where: { $0.contains(start) }),
            let index = segments.firstIndex(where: {
                $0.range.upperBound == gap.lowerBound && $0.isCut && !$0.isRetiring && !$0.range.isEmpty
            })
        else { return nil }
        let end = min(gap.upperBound, segments[index].askedEnd)
        segments[index].range = segments[index].range.lowerBound..<end
        return SegmentEnd(number: segments[index].number, end: end)
    }

    /// No further request is made: each connection goes on into the free bytes behind it, as far as its request reaches, and over
    /// what is on disk if need be.
    ///
    /// - Returns: the connections that go on.
    package mutating func widen() -> [SegmentEnd] {
        var widened: [SegmentEnd] = []
        for index in segments.indices.reversed() where !segments[index].range.isEmpty {
            let range = segments[index].range
            guard segments[index].askedEnd > range.upperBound,
                let end = free.intersection(ByteRanges(range.upperBound..<segments[index].askedEnd)).ranges.last?
                    .upperBound
            else { continue }
            segments[index].range = range.lowerBound..<end
            segments[index].isRetiring = false
            widened.append(SegmentEnd(number: segments[index].number, end: end))
        }
        return widened
    }

    /// Bytes on disk are to be fetched again: their piece hash is wrong, or they were lost.
    package mutating func forget(_ ranges: ByteRanges) {
        onDisk.subtract(ranges)
    }

    /// A connection is given back: it gets no more, and is cut when its request takes longer than two seconds. A cut costs the
    /// bytes on the way, so it may bring what takes less.
    ///
    /// - Returns: where it ends now; `nil` when it ends soon enough.
    package mutating func retire(_ number: Int, at now: Moment) -> SegmentEnd? {
        guard let index = segments.firstIndex(where: { $0.number == number }) else { return nil }
        segments[index].isRetiring = true
        let range = segments[index].range
        let others = segments.compactMap { $0.rate(at: now) }
        let mean = others.isEmpty ? 0 : others.reduce(0, +) / Double(others.count)
        let rate = segments[index].rate(at: now) ?? mean
        let soon = max(Self.leastSteal, Int64(min(Self.longestRetiring * rate, 9e17)))
        guard Int64(range.count) > soon else { return nil }
        let end = range.lowerBound + min(soon, Self.leastSteal)
        segments[index].range = range.lowerBound..<end
        return SegmentEnd(number: number, end: end)
    }

    /// Seconds.
    static let longestRetiring = 2.0
}
