import WinchModel

/// The shown parts of a file whose bytes come over several connections: each eases towards what is on disk, and none
/// becomes shorter unless bytes were lost.
struct SegmentAnimation: Hashable, Sendable {
    /// At `since`.
    private var from: ByteRanges
    private var parts: BarSegments
    private var since: Moment

    /// - Parameter prefix: bytes from the start of the file that the bar has shown so far; `nil`: it is shown for the
    ///   first time, with all that is on disk.
    init(_ parts: BarSegments, prefix: Double?, now: Moment) {
        let shown = prefix.map { ByteRanges(prefix: ByteCount(bytes: Int64(max(0, min($0, 0x1p62))))) }
        from = shown?.intersection(parts.onDisk) ?? parts.onDisk
        self.parts = parts
        since = now
    }

    mutating func follow(_ new: BarSegments, isAnimated: Bool, now: Moment) {
        guard isAnimated, new.size == parts.size else {
            self = SegmentAnimation(new, prefix: nil, now: now)
            return
        }
        guard new != parts else { return }
        from = shownRanges(at: now).intersection(new.onDisk)
        parts = new
        since = now
    }

    func shown(at now: Moment) -> BarSegments {
        let shown = shownRanges(at: now)
        var moved = parts
        moved.onDisk = shown
        moved.working = parts.working.map { place in
            // A connection is drawn at the end of what is shown of its bytes.
            guard let start = parts.onDisk.ranges.first(where: { $0.upperBound == place })?.lowerBound else {
                return place
            }
            return shown.ranges.last { $0.upperBound <= place && $0.upperBound > start }?.upperBound ?? start
        }
        return moved
    }

    /// True while the drawn bar of `width` cells will still move by itself.
    func isMoving(width: Int, at now: Moment) -> Bool {
        guard from != parts.onDisk else { return false }
        let shown = shown(at: now)
        return shown.halves(width: width) != parts.halves(width: width) || shown.marks(width) != parts.marks(width)
    }

    /// When the drawn bar of `width` cells, which is moving, will next look different by itself.
    func nextStep(width: Int, after now: Moment, frame: Duration) -> Moment {
        let shown = shown(at: now)
        let (halves, marks) = (shown.halves(width: width), shown.marks(width))
        let left = zip(halves, parts.halves(width: width)).count { $0 != $1 }
        return AnimationEasing.firstChange(after: now, frame: frame, isShort: left < 4) {
            let later = self.shown(at: $0)
            return later.halves(width: width) != halves || later.marks(width) != marks
        }
    }

    /// The share of the file before the end of the last part that is shown.
    func end(at now: Moment) -> Double { Double(shownRanges(at: now).end) / Double(parts.size) }

    /// The same file without gaps, of which this share is there.
    func closed(at fraction: Double) -> BarSegments? {
        BarSegments([0..<max(0, Int64(fraction * Double(parts.size)))], working: [], size: parts.size)
    }

    private func shownRanges(at now: Moment) -> ByteRanges {
        guard from != parts.onDisk else { return from }
        let share = AnimationEasing.step(from: 0, to: 1, elapsed: now - since)
        guard share < 1 else { return parts.onDisk }
        var new = parts.onDisk
        new.subtract(from)
        var shown = from
        for range in new.ranges {
            let count = Double(range.upperBound) - Double(range.lowerBound)
            shown.insert(contentsOf: range.lowerBound..<range.lowerBound + Int64(share * count))
        }
        return shown
    }
}

/// The parts of a file, as its bar shows them.
struct BarSegments: Hashable, Sendable {
    /// Within the file.
    var onDisk: ByteRanges
    /// Positions of the bytes that connections bring next, within the file.
    var working: [Int64]
    /// Bytes of the file, above 0.
    let size: Int64

    /// - Returns: `nil` for a file without a size.
    init?(_ ranges: [Range<Int64>], working: [Int64], size: Int64) {
        guard size > 0 else { return nil }
        let file = 0..<size
        onDisk = ByteRanges(ranges.lazy.map { $0.clamped(to: file) })
        self.working = working.filter(file.contains)
        self.size = size
    }

    /// For each half of each of `width` cells whether most of its bytes are there: the small parts of many connections
    /// would rarely fill one.
    func halves(width: Int) -> [Bool] {
        let count = 2 * max(0, width)
        guard count > 0 else { return [] }
        var filled = [Double](repeating: 0, count: count)
        for range in onDisk.ranges {
            let (start, end) = (place(range.lowerBound, of: count), place(range.upperBound, of: count))
            for half in Int(start)..<min(count, Int(end.rounded(.up))) {
                filled[half] += min(end, Double(half + 1)) - max(start, Double(half))
            }
        }
        // As in other bars, the end is filled by the finish only.
        return filled.dropLast().map { $0 >= 0.5 } + [false]
    }

    func marks(_ width: Int) -> Set<Int> { Set(working.map { min(Int(place($0, of: width)), max(0, width - 1)) }) }

    private func place(_ position: Int64, of count: Int) -> Double {
        max(0, min(Double(position) / Double(size) * Double(count), Double(count)))
    }
}
