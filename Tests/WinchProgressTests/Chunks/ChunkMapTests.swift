import TestSupport
import Testing
import WinchModel

@testable import WinchProgress

@Suite struct `A map of chunks` {
    private static let start = Moment(seconds: 100)
    private static let mebi: Int64 = 1 << 20

    @Test func `gives the first connection the whole file`() {
        var map = ChunkMap(total: 64 * Self.mebi)
        let first = map.assign(1, isOpenEnded: true, at: Self.start)
        expectEqual(first?.range, 0..<64 * Self.mebi)
        expectNil(first?.cut)
        expect(map.free.isEmpty)
        // It still has bytes to bring.
        expectNil(map.assign(1, at: Self.start))
    }

    @Test func `gives a resumed file's gaps in their order, without the bytes on disk`() {
        var map = ChunkMap(
            total: 64 * Self.mebi, onDisk: ByteRanges([0..<10 * Self.mebi, 20 * Self.mebi..<60 * Self.mebi]))
        expectEqual(map.left.bytes, 14 * Self.mebi)
        expectEqual(map.assign(1, isOpenEnded: true, at: Self.start)?.range, 10 * Self.mebi..<20 * Self.mebi)
        expectEqual(map.assign(2, at: Self.start)?.range, 60 * Self.mebi..<61 * Self.mebi)
    }

    @Test func `gives the second connection a piece from the end of what the first would bring`() throws {
        var (map, now) = ChunkMap.running()
        let secondPiece = map.assign(2, at: now)
        let second = try require(secondPiece)
        expectEqual(second.range.upperBound, map.total)
        // A sixteenth of the rest.
        expectLess(abs(second.range.count - (60 << 16)), than: 8192)
        expectEqual(second.cut, ChunkEnd(number: 1, end: second.range.lowerBound))
    }

    @Test(arguments: [(1, 16 * Self.mebi), (8, 60 * Self.mebi / 8)])
    func `makes the long pieces of a far host no longer than those that are expected need`(
        expected: Int, most: Int64
    ) throws {
        var map = ChunkMap(total: 64 * Self.mebi)
        _ = map.assign(1, isOpenEnded: true, at: Self.start)
        var now = Self.start
        for step in 1...50 {
            now = Self.start + .milliseconds(200 + 20 * step)
            map.moved(1, through: 4 * Self.mebi * Int64(step) / 50, at: now)
        }
        map.expected = expected
        let second = map.assign(2, at: now)
        expectLess(abs(Int64(try require(second).range.count) - most), than: 8192)
    }

    @Test func `shares the file among connections that are opened before a byte came`() throws {
        var map = ChunkMap(total: 64 * Self.mebi)
        _ = map.assign(1, isOpenEnded: true, at: Self.start)
        var ranges = ByteRanges()
        for number in 2...8 {
            let range = try require(map.assign(number, at: Self.start)?.range)
            expect(!range.isEmpty && ranges.intersection(ByteRanges(range)).isEmpty)
            ranges.insert(contentsOf: range)
        }
        expect(map.chunks.allSatisfy { !$0.range.isEmpty })
    }

    @Test func `lets a connection go on where it ended, and splits the gap behind it in proportion`() throws {
        var map = ChunkMap(total: 64 * Self.mebi)
        let first = map.assign(1, at: Self.start)
        expectEqual(first?.range, 0..<4 * Self.mebi)
        var now = Self.start
        for step in 1...50 {
            now = Self.start + .milliseconds(20 * step)
            map.moved(1, through: 4 * Self.mebi * Int64(step) / 50, at: now)
        }
        expectEqual(map.assign(1, at: now)?.range.lowerBound, 4 * Self.mebi)
        let other = map.assign(2, at: now)
        let second = try require(other)
        expectNil(second.cut)
        expectLess(abs(second.range.lowerBound - 34 * Self.mebi), than: Self.mebi)
    }

    @Test func `frees what a lost connection has not brought`() throws {
        var (map, now) = ChunkMap.running()
        map.release(1)
        expectEqual(map.free, ByteRanges(4_194_300..<64 * Self.mebi))
        expectEqual(map.assign(2, isOpenEnded: true, at: now)?.range.lowerBound, 4_194_300)
    }

    @Test func `counts nothing beyond the end that a connection was given`() {
        var (map, now) = ChunkMap.running()
        let cut = map.assign(2, at: now)?.cut
        expectEqual(map.moved(1, through: 64 * Self.mebi, at: now), (cut?.end ?? 0) - 4_194_300)
        expectMore(map.left, than: .zero)
    }

    @Test func `fetches forgotten bytes again`() {
        var map = ChunkMap(total: 1000, onDisk: ByteRanges(0..<1000))
        expectEqual(map.left, .zero)
        map.forget(ByteRanges(200..<300))
        expectEqual(map.assign(1, at: Self.start)?.range, 200..<300)
        map.moved(1, through: 300, at: Self.start)
        expectEqual(map.left, .zero)
    }

    @Test func `cuts a connection that is given back when it would take more than two seconds`() throws {
        var (map, now) = ChunkMap.running()
        let end = map.retire(1, at: now)
        let cut = try require(end)
        expectEqual(cut.end, 4_194_300 + (256 << 10))
        map.moved(1, through: cut.end, at: now)
        expectNil(map.assign(1, at: now))
        var other = ChunkMap.running().map
        _ = other.assign(2, at: now)
        expectNil(other.retire(2, at: now))
        expectEqual(other[2]?.isRetiring, true)
    }

    @Test(arguments: [-5, 0] as [Int64])
    func `of an empty file is complete`(total: Int64) {
        var map = ChunkMap(total: total)
        expectEqual(map.left, .zero)
        expectNil(map.assign(1, at: Self.start))
    }

    @Test func `gives bytes back to the first connection, whose server sends them anyway`() throws {
        var (map, now) = ChunkMap.running()
        let cut = map.assign(2, at: now)?.cut
        map.moved(2, through: (cut?.end ?? 0) + 1000, at: now)
        // What the second has brought stays; it was cut, and goes on behind that only when another request is made.
        expectNil(map.release(2))
        var other = ChunkMap.running().map
        _ = other.assign(2, at: now)
        expectEqual(other.release(2), ChunkEnd(number: 1, end: 64 * Self.mebi))
        expect(other.free.isEmpty)
    }

    @Test func `takes a connection that has just begun for as quick as the others`() throws {
        var (map, now) = ChunkMap.running()
        let cut = map.assign(2, at: now)?.cut
        let start = try require(cut?.end)
        // 10 kB in the first tenth of a second: its slow start.
        map.moved(2, through: start + 10_000, at: now + .milliseconds(100))
        let third = map.assign(3, at: now + .milliseconds(110))
        expectMore(third?.range.count ?? 0, than: 1 << 20)
        expect(third?.cut?.number != 2)
    }
}
