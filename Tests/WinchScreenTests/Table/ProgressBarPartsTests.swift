import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The bar of a file in parts` {
    private func bar(isASCII: Bool = false) -> ProgressBar {
        ProgressBar(look: Appearance(isASCII: isASCII), ink: .flat(.plain), shape: .line)
    }

    private func text(_ cells: [Cell]) -> String { String(cells.compactMap(\.text)) }

    private func cells(
        _ ranges: [Range<Int64>], working: [Int64] = [], of size: Int64 = 1000, width: Int = 8, isASCII: Bool = false
    ) throws -> [Cell] {
        bar(isASCII: isASCII).cells(try #require(FileParts(ranges, working: working, size: size)), width: width)
    }

    @Test(
        arguments: [
            ([0..<250, 500..<600], "━━╶─━╶──", "##>-#---"), ([0..<1, 999..<1000], "╸───────", ">------>"),
            ([560..<1000], "────╺━━╸", "-----##>"), ([0..<999], "━━━━━━━╸", "#######>"), ([], "────────", "--------"),
            ([0..<1000], "━━━━━━━╸", "#######>"), ([-500..<125, 875..<Int64.max], "━╶─────╸", "#>----->"),
        ] as [([Range<Int64>], String, String)])
    func `is filled where the bytes are`(ranges: [Range<Int64>], unicode: String, ascii: String) throws {
        let ends = ranges.map { min($0.upperBound, 999) }
        #expect(text(try cells(ranges)) == unicode)
        #expect(text(try cells(ranges, working: ends, isASCII: true)) == ascii)
    }

    @Test func `is bold where a connection works`() throws {
        let cells = try cells([0..<300, 500..<600], working: [300, 600, 900])
        #expect(cells.indices.filter { cells[$0].style.isBold } == [2, 4, 7])
        #expect(cells[7].text == "╶")
    }

    @Test func `is at most half a cell ahead of that of one connection`() throws {
        for have in Int64(0)..<1000 {
            let halves = try #require(FileParts([0..<have], working: [], size: 1000)).halves(width: 8)
            let plain = Int(Double(have) / 1000 * 16)
            #expect(plain...plain + 1 ~= halves.count { $0 })
        }
    }

    @Test func `shows small parts of many connections`() throws {
        let parts = (0..<8).map { (index: Int64) -> Range<Int64> in
            let start = index * 125 + 20
            return start..<start + 60
        }
        #expect(text(try cells(parts)) == "╸╸╸╸╸╸╸╸")
    }

    @Test func `has as many cells as asked for, whatever the numbers`() throws {
        for width in [0, 1, 2, 300] {
            for size in [1, 2, Int64.max] {
                let cells = try cells([.min..<1, 5..<Int64.max], working: [.min, 0, .max], of: size, width: width)
                #expect(cells.count == width)
            }
        }
        #expect(FileParts([0..<5], working: [], size: 0) == nil)
    }
}

@Suite struct `The motion of a file's parts` {
    private static let size: Int64 = 1_000_000

    private func reading(_ parts: [Range<Int64>], isSplit: Bool = true) -> BarMotion.Reading {
        let have = parts.reduce(Int64(0)) { $0 + $1.upperBound - $1.lowerBound }
        return BarMotion.Reading(
            place: .fraction(Double(have) / Double(Self.size)), rebase: nil, isFlowing: true,
            parts: isSplit ? FileParts(parts, working: parts.map(\.upperBound), size: Self.size) : nil)
    }

    /// Halves of 100 cells that are full.
    private func filled(_ motion: BarMotion, at now: Moment) -> Set<Int> {
        if let parts = motion.parts {
            let halves = parts.shown(at: now).halves(width: 100)
            return Set(halves.indices.filter { halves[$0] })
        }
        let count = Int((motion.shown(at: now) ?? 0) * 200)
        return Set(0..<count)
    }

    @Test func `never empties a cell while connections come and go`() {
        var motion = BarMotion(at: reading([0..<100_000], isSplit: false), now: .at(0))
        var before: Set<Int> = []
        var (parts, random) = ([Int64(100_000)], SeededNumbers(seed: 7))
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
                #expect(filled.isSuperset(of: before), "step \(step)")
                before = filled
            }
        }
    }

    @Test func `reaches what is on disk and then stands still`() {
        var motion = BarMotion(at: reading([0..<100_000]), now: .at(0))
        motion.follow(reading([0..<200_000, 500_000..<700_000]), isAnimated: true, now: .at(1))
        #expect(motion.isMoving(width: 100, shape: .line, at: .at(1)))
        let early = filled(motion, at: .at(1.05)).count
        #expect(early > 20 && early < 80)
        #expect(filled(motion, at: .at(3)).count == 80)
        #expect(!motion.isMoving(width: 100, shape: .line, at: .at(3)))
    }

    @Test func `is at once at what is on disk without animation and when bytes were lost`() {
        var motion = BarMotion(at: reading([0..<100_000]), now: .at(0))
        motion.follow(reading([0..<200_000, 500_000..<700_000]), isAnimated: false, now: .at(1))
        #expect(filled(motion, at: .at(1)).count == 80)
        motion.follow(reading([0..<200_000]), isAnimated: true, now: .at(1.1))
        #expect(filled(motion, at: .at(1.1)).count == 40)
    }
}
