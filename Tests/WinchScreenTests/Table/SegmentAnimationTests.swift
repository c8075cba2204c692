import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The motion of a file's parts` {
    private static let size: Int64 = 1_000_000

    private func reading(_ parts: [Range<Int64>], isSplit: Bool = true) -> BarAnimation.Reading {
        let have = parts.reduce(Int64(0)) { $0 + $1.upperBound - $1.lowerBound }
        return BarAnimation.Reading(
            place: .fraction(Double(have) / Double(Self.size)), rebase: nil, isFlowing: true,
            parts: isSplit ? BarSegments(parts, working: parts.map(\.upperBound), size: Self.size) : nil)
    }

    /// Halves of 100 cells that are full.
    private func filled(_ motion: BarAnimation, at now: Moment) -> Set<Int> {
        if let parts = motion.parts {
            let halves = parts.shown(at: now).halves(width: 100)
            return Set(halves.indices.filter { halves[$0] })
        }
        let count = Int((motion.shown(at: now) ?? 0) * 200)
        return Set(0..<count)
    }

    @Test func `never empties a cell while connections come and go`() {
        var motion = BarAnimation(at: reading([0..<100_000], isSplit: false), now: .at(0))
        var before: Set<Int> = []
        var (parts, random) = ([Int64(100_000)], SplitMix64(seed: 7))
        var starts = [Int64(0)]
        for step in 1...200 {
            let now = Moment.at(Double(step) * 0.05)
            for index in parts.indices { parts[index] += Int64.random(in: 0...9000, using: &random) }
            // Further connections begin at a quarter, a half and three quarters; two end again.
            if step == 10 { (starts, parts) = (starts + [250_000, 500_000], parts + [250_000, 500_000]) }
            if step == 30 { (starts, parts) = (starts + [750_000], parts + [750_000]) }
            let ranges = zip(starts, parts).map { start, end in start..<min(end, Self.size) }
            let onDisk = ByteRanges(ranges)
            motion.follow(reading(onDisk.ranges, isSplit: onDisk.hasGap), isAnimated: true, now: now)
            for look in [now, now + .milliseconds(20), now + .milliseconds(45)] {
                let filled = filled(motion, at: look)
                expect(filled.isSuperset(of: before), "step \(step)")
                before = filled
            }
        }
    }

    @Test func `reaches what is on disk and then stands still`() {
        var motion = BarAnimation(at: reading([0..<100_000]), now: .at(0))
        motion.follow(reading([0..<200_000, 500_000..<700_000]), isAnimated: true, now: .at(1))
        expect(motion.isMoving(width: 100, shape: .line, at: .at(1)))
        let early = filled(motion, at: .at(1.05)).count
        expect(early > 20 && early < 80)
        expectEqual(filled(motion, at: .at(3)).count, 80)
        expect(!motion.isMoving(width: 100, shape: .line, at: .at(3)))
    }

    @Test func `is at once at what is on disk without animation and when bytes were lost`() {
        var motion = BarAnimation(at: reading([0..<100_000]), now: .at(0))
        motion.follow(reading([0..<200_000, 500_000..<700_000]), isAnimated: false, now: .at(1))
        expectEqual(filled(motion, at: .at(1)).count, 80)
        motion.follow(reading([0..<200_000]), isAnimated: true, now: .at(1.1))
        expectEqual(filled(motion, at: .at(1.1)).count, 40)
    }
}
