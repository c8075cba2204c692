import TestSupport
import Testing
import WinchModel

@testable import WinchProgress

@Suite struct `Random streams over a map of chunks` {
    /// Plays connections that come, move at odd rates, stall, finish and are lost.
    private struct Player {
        var random: SplitMix64
        var map: ChunkMap
        var now = Moment(seconds: 1)
        /// Times that each byte may be asked for once more, as a sum over releases.
        var asked: Int64 = 0
        var freed: Int64 = 0
        var next = 1
        var faults: [String] = []

        init(seed: UInt64) {
            random = SplitMix64(seed: seed)
            let total = Int64.random(in: 0...(64 << 20), using: &random)
            var onDisk = ByteRanges()
            for _ in 0..<Int.random(in: 0...3, using: &random) where total > 0 {
                let low = Int64.random(in: 0..<total, using: &random)
                onDisk.insert(contentsOf: low..<Int64.random(in: low...total, using: &random))
            }
            map = ChunkMap(total: total, onDisk: onDisk)
        }

        mutating func assign(_ number: Int) {
            let free = map.free
            let before = map.chunks
            guard let taken = map.assign(number, isOpenEnded: random.next() % 3 == 0, at: now) else { return }
            if taken.range.isEmpty { faults.append("empty assignment") }
            if !map.onDisk.intersection(ByteRanges(taken.range)).isEmpty { faults.append("asks for what is on disk") }
            var source = free
            if let cut = taken.cut {
                guard let victim = before.first(where: { $0.number == cut.number }) else {
                    faults.append("cuts an unknown connection")
                    return
                }
                source.insert(contentsOf: cut.end..<max(cut.end, victim.range.upperBound))
                if cut.end < victim.range.lowerBound { faults.append("cuts below the position") }
                freed += victim.range.upperBound - cut.end
            }
            if !ByteRanges(taken.range).isSubset(of: source) { faults.append("asks for bytes that are not free") }
            asked += Int64(taken.range.count)
        }

        mutating func release(_ number: Int) {
            let free = map.free
            let before = map.chunks
            guard let longer = map.release(number) else { return }
            guard let old = before.first(where: { $0.number == longer.number }), longer.end <= old.askedEnd else {
                faults.append("lengthens beyond what was asked for")
                return
            }
            let lost = before.first { $0.number == number }?.range ?? 0..<0
            let added = old.range.upperBound..<longer.end
            if !ByteRanges(added).isSubset(of: free.union(ByteRanges(lost))) {
                faults.append("lengthens into others' bytes")
            }
            asked += Int64(added.count)
        }

        mutating func step() {
            now = now + .milliseconds(Int64.random(in: 1...300, using: &random))
            let active = map.chunks
            switch random.next() % 12 {
            case 0...1 where active.count < 9:
                assign(next)
                next += 1
            case 2 where !active.isEmpty:
                let lost = active[Int(random.next() % UInt64(active.count))]
                freed += Int64(lost.range.count)
                release(lost.number)
            case 3 where !active.isEmpty:
                let retired = active[Int(random.next() % UInt64(active.count))]
                if let cut = map.retire(retired.number, at: now) { freed += retired.range.upperBound - cut.end }
            default:
                guard let moving = active.randomElement(using: &random) else { return }
                let bytes = Int64.random(in: 0...(1 << Int64.random(in: 4...23, using: &random)), using: &random)
                map.moved(moving.number, through: moving.range.lowerBound + bytes, at: now)
                if map[moving.number]?.range.isEmpty == true { assign(moving.number) }
                if map[moving.number]?.range.isEmpty == true { release(moving.number) }
            }
            check()
        }

        mutating func check() {
            var sum = map.onDisk
            var bytes = map.onDisk.byteCount.bytes + map.free.byteCount.bytes
            for chunk in map.chunks {
                bytes += Int64(chunk.range.count)
                sum.insert(contentsOf: chunk.range)
            }
            sum.formUnion(map.free)
            if bytes != map.total {
                faults.append("\(bytes) bytes of \(map.total): ranges overlap or bytes are missing")
            }
            if sum.byteCount.bytes != map.total { faults.append("a byte is nowhere") }
        }

        /// All connections move until nothing is left.
        mutating func finish() {
            var turns = 0
            while map.left > .zero, turns < 10_000 {
                turns += 1
                now = now + .milliseconds(50)
                if map.chunks.allSatisfy(\.range.isEmpty) {
                    assign(next)
                    next += 1
                }
                for chunk in map.chunks where !chunk.range.isEmpty {
                    map.moved(chunk.number, through: chunk.range.lowerBound + (1 << 20), at: now)
                    if map[chunk.number]?.range.isEmpty == true { release(chunk.number) }
                }
                check()
            }
            if map.left > .zero { faults.append("not complete") }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `keep disk, requests and free bytes apart, ask for each byte once, and complete the file`(block: UInt64) {
        let first = Streams.firstSeed &+ block * 10
        for seed in first..<first + 10 {
            var player = Player(seed: seed)
            let missing = player.map.left.bytes
            for _ in 0..<60 where player.faults.isEmpty { player.step() }
            if player.faults.isEmpty { player.finish() }
            expect(player.faults.isEmpty, "seed \(seed): \(player.faults)")
            expectEqual(player.asked, missing + player.freed, "seed \(seed)")
            if !player.faults.isEmpty { return }
        }
    }
}
