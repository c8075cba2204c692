import TestSupport
import Testing
import WinchModel

@testable import WinchProgress

@Suite struct `A connection without work` {
    private static let start = Moment(seconds: 100)
    private static let mebi: Int64 = 1 << 20

    @Test func `shares a rest in proportion to both rates`() throws {
        // 0.9 MiB/s has 6.1 MiB left, of which it has asked for 0.1; the other moves 6 MiB/s and is done.
        var map = ChunkMap(total: 14 * Self.mebi, onDisk: ByteRanges(6 * Self.mebi..<7 * Self.mebi))
        _ = map.assign(1, isOpenEnded: true, at: Self.start)
        _ = map.assign(2, at: Self.start)
        var now = Self.start
        for step in 1...100 {
            now = Self.start + .milliseconds(10 * step)
            map.moved(1, through: 6 * Self.mebi * Int64(step) / 100, at: now)
            map.moved(2, through: 7 * Self.mebi + 9 * Self.mebi * Int64(step) / 1000, at: now)
        }
        let position = try require(map[2]?.range.lowerBound)
        let piece = map.assign(1, at: now)
        let stolen = try require(piece)
        expectNil(stolen.cut)
        let share = Double(14 * Self.mebi - stolen.range.lowerBound) / Double(14 * Self.mebi - position)
        expectLess(abs(share - 6.0 / 6.9), than: 0.02, "\(share)")
    }

    @Test func `does not cut a request that has less than a second left`() {
        var map = ChunkMap(total: 8 * Self.mebi)
        _ = map.assign(1, isOpenEnded: true, at: Self.start)
        var now = Self.start
        for step in 1...100 {
            now = Self.start + .milliseconds(10 * step)
            map.moved(1, through: 7 * Self.mebi * Int64(step) / 100, at: now)
        }
        expectNil(map.assign(2, at: now))
    }

    @Test func `takes all from a connection that stalls`() throws {
        var (map, now) = ChunkMap.running()
        let secondPiece = map.assign(2, at: now)
        let second = try require(secondPiece)
        now = now + .milliseconds(900)
        for step in 1...40 {
            map.moved(
                2, through: second.range.lowerBound + Int64(step) * (400 << 10), at: now + .milliseconds(10 * step))
        }
        now = now + .milliseconds(400)
        let position = try require(map[1]?.range.lowerBound)
        map.moved(2, through: second.range.upperBound, at: now)
        let thirdPiece = map.assign(3, at: now)
        let third = try require(thirdPiece)
        expectEqual(third.cut, ChunkEnd(number: 1, end: position))
        expectEqual(third.range.lowerBound, position)
        expectEqual(map[1]?.range.isEmpty, true)
    }

    @Test func `gets back what one that brings nothing was given, if its own request reaches that`() throws {
        var (map, now) = ChunkMap.running(rate: 16 << 20)
        let given = map.assign(2, at: now)
        let piece = try require(given?.range)
        // The first nears the end that it was cut to, and no byte of the second has come.
        var (position, ends) = (16 * Self.mebi, [ChunkEnd]())
        while ends.isEmpty, position < piece.lowerBound - Self.mebi {
            now = now + .milliseconds(20)
            position += (16 << 20) / 50
            map.moved(1, through: position, at: now)
            ends = map.takeBack(at: now)
        }
        expectEqual(
            ends, [ChunkEnd(number: 1, end: piece.upperBound), ChunkEnd(number: 2, end: piece.lowerBound)])
        expectEqual(map[1]?.range, position..<piece.upperBound)
    }

    @Test func `does not go over what is on disk for the little that one has left`() throws {
        var (map, now) = ChunkMap.running()
        let start = now
        let given = map.assign(2, at: now)
        let piece = try require(given?.range)
        let rest = piece.upperBound - Self.mebi
        var ends: [ChunkEnd] = []
        for step in 1...2000 where map[1]?.range.isEmpty == false && ends.isEmpty {
            now = start + .milliseconds(20 * step)
            map.moved(2, through: min(rest, piece.lowerBound + Self.mebi * Int64(step) / 2), at: now)
            map.moved(1, through: (4 << 20) + (4 << 20) / 50 * Int64(step), at: now)
            ends = map.takeBack(at: now)
        }
        expectEqual(ends, [])
        expectEqual(map[2]?.range, rest..<piece.upperBound)
        // It is asked for anew.
        let next = map.assign(1, at: now)
        expectEqual(next?.range, rest..<piece.upperBound)
    }

    @Test(arguments: [1, 2] as [Int64])
    func `asks for no less than the least size while the others are about as quick`(least: Int64) {
        var map = ChunkMap(total: 8 * Self.mebi, minSplit: least * Self.mebi)
        _ = map.assign(1, isOpenEnded: true, at: Self.start)
        var (now, next, sizes) = (Self.start, 2, [Int64]())
        while map.left > .zero, now < Self.start + .seconds(60) {
            now = now + .milliseconds(20)
            for chunk in map.chunks {
                map.moved(chunk.number, through: chunk.range.lowerBound + 4000, at: now)
                guard map[chunk.number]?.range.isEmpty == true else { continue }
                if let piece = map.assign(chunk.number, at: now) {
                    sizes.append(Int64(piece.range.count))
                } else {
                    map.release(chunk.number)
                }
            }
            guard now > Self.start + .seconds(1), map.chunks.count < 8 else { continue }
            if let piece = map.assign(next, at: now) { sizes.append(Int64(piece.range.count)) }
            next += 1
        }
        expectEqual(map.left, .zero)
        expect(!sizes.isEmpty && sizes.allSatisfy { $0 >= least * Self.mebi }, "\(sizes)")
    }

    @Test func `takes less from one that is slow beside the others`() {
        var (map, now) = (ChunkMap(total: 4 * Self.mebi), Self.start)
        _ = map.assign(1, isOpenEnded: true, at: now)
        for step in 1...150 {
            now = Self.start + .milliseconds(20 * step)
            if step == 50 { _ = map.assign(2, at: now) }
            // What is left for 1 is less than the least size.
            map.moved(1, through: Int64(step) * 1300, at: now)
            if let piece = map[2]?.range {
                map.moved(2, through: min(piece.lowerBound + 400_000, piece.upperBound), at: now)
                if map[2]?.range.isEmpty == true, map.assign(2, at: now) == nil { break }
            }
        }
        expectLess(map[1]?.range.count ?? .max, than: 1 << 20)
    }

    @Test(arguments: [0, 4000] as [Int64])
    func `is cut for one that brings next to nothing, and takes its bytes back in time`(rate: Int64) throws {
        var (map, now) = ChunkMap.running()
        let start = now
        let piece = map.assign(2, at: now)
        let second = try require(piece)
        expectEqual(second.cut, ChunkEnd(number: 1, end: second.range.lowerBound))
        var ends: [ChunkEnd] = []
        for step in 1...2000 where ends.isEmpty {
            now = start + .milliseconds(20 * step)
            map.moved(2, through: second.range.lowerBound + rate * Int64(step) / 50, at: now)
            map.moved(1, through: (4 << 20) + (4 << 20) / 50 * Int64(step), at: now)
            ends = map.takeBack(at: now)
        }
        let (first, idle) = (try require(map[1]), try require(map[2]))
        expectEqual(
            ends,
            [
                ChunkEnd(number: 1, end: second.range.upperBound),
                ChunkEnd(number: 2, end: idle.range.lowerBound),
            ])
        expect(first.range.lowerBound < second.range.lowerBound && first.range.upperBound == second.range.upperBound)
        expect(idle.range.isEmpty)
        // What it goes over is asked of no other, even where the idle one brought it.
        let taken = map.assign(3, at: now)
        expect(taken.map { map.onDisk.intersection(ByteRanges($0.range)).isEmpty } != false)
    }
}
