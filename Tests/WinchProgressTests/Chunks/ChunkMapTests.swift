import Testing
import WinchModel

@testable import WinchProgress

@Suite struct `A map of chunks` {
    private static let start = Moment(seconds: 100)
    private static let mebi: Int64 = 1 << 20

    @Test func `gives the first connection the whole file`() {
        var map = ChunkMap(total: 64 * Self.mebi)
        let first = map.assign(1, isOpenEnded: true, at: Self.start)
        #expect(first?.range == 0..<64 * Self.mebi)
        #expect(first?.cut == nil)
        #expect(map.free.isEmpty)
        // It still has bytes to bring.
        #expect(map.assign(1, at: Self.start) == nil)
    }

    @Test func `gives a resumed file's gaps in their order, without the bytes on disk`() {
        var map = ChunkMap(
            total: 64 * Self.mebi, onDisk: ByteRanges([0..<10 * Self.mebi, 20 * Self.mebi..<60 * Self.mebi]))
        #expect(map.left.bytes == 14 * Self.mebi)
        #expect(map.assign(1, isOpenEnded: true, at: Self.start)?.range == 10 * Self.mebi..<20 * Self.mebi)
        #expect(map.assign(2, at: Self.start)?.range == 60 * Self.mebi..<61 * Self.mebi)
    }

    @Test func `gives the second connection a piece from the end of what the first would bring`() throws {
        var (map, now) = ChunkMap.running()
        let secondPiece = map.assign(2, at: now)
        let second = try #require(secondPiece)
        #expect(second.range.upperBound == map.total)
        // A sixteenth of the rest.
        #expect(abs(second.range.count - (60 << 16)) < 8192)
        #expect(second.cut == ChunkEnd(number: 1, end: second.range.lowerBound))
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
        #expect(abs(Int64(try #require(second).range.count) - most) < 8192)
    }

    @Test func `shares the file among connections that are opened before a byte came`() throws {
        var map = ChunkMap(total: 64 * Self.mebi)
        _ = map.assign(1, isOpenEnded: true, at: Self.start)
        var ranges = ByteRanges()
        for number in 2...8 {
            let range = try #require(map.assign(number, at: Self.start)?.range)
            #expect(!range.isEmpty && ranges.intersection(ByteRanges(range)).isEmpty)
            ranges.insert(contentsOf: range)
        }
        #expect(map.chunks.allSatisfy { !$0.range.isEmpty })
    }

    @Test func `lets a connection go on where it ended, and splits the gap behind it in proportion`() throws {
        var map = ChunkMap(total: 64 * Self.mebi)
        let first = map.assign(1, at: Self.start)
        #expect(first?.range == 0..<4 * Self.mebi)
        var now = Self.start
        for step in 1...50 {
            now = Self.start + .milliseconds(20 * step)
            map.moved(1, through: 4 * Self.mebi * Int64(step) / 50, at: now)
        }
        #expect(map.assign(1, at: now)?.range.lowerBound == 4 * Self.mebi)
        let other = map.assign(2, at: now)
        let second = try #require(other)
        #expect(second.cut == nil)
        #expect(abs(second.range.lowerBound - 34 * Self.mebi) < Self.mebi)
    }

    @Test func `frees what a lost connection has not brought`() throws {
        var (map, now) = ChunkMap.running()
        map.release(1)
        #expect(map.free == ByteRanges(4_194_300..<64 * Self.mebi))
        #expect(map.assign(2, isOpenEnded: true, at: now)?.range.lowerBound == 4_194_300)
    }

    @Test func `counts nothing beyond the end that a connection was given`() {
        var (map, now) = ChunkMap.running()
        let cut = map.assign(2, at: now)?.cut
        #expect(map.moved(1, through: 64 * Self.mebi, at: now) == (cut?.end ?? 0) - 4_194_300)
        #expect(map.left > .zero)
    }

    @Test func `fetches forgotten bytes again`() {
        var map = ChunkMap(total: 1000, onDisk: ByteRanges(0..<1000))
        #expect(map.left == .zero)
        map.forget(ByteRanges(200..<300))
        #expect(map.assign(1, at: Self.start)?.range == 200..<300)
        map.moved(1, through: 300, at: Self.start)
        #expect(map.left == .zero)
    }

    @Test func `cuts a connection that is given back when it would take more than two seconds`() throws {
        var (map, now) = ChunkMap.running()
        let end = map.retire(1, at: now)
        let cut = try #require(end)
        #expect(cut.end == 4_194_300 + (256 << 10))
        map.moved(1, through: cut.end, at: now)
        #expect(map.assign(1, at: now) == nil)
        var other = ChunkMap.running().map
        _ = other.assign(2, at: now)
        #expect(other.retire(2, at: now) == nil)
        #expect(other[2]?.isRetiring == true)
    }

    @Test(arguments: [-5, 0] as [Int64])
    func `of an empty file is complete`(total: Int64) {
        var map = ChunkMap(total: total)
        #expect(map.left == .zero)
        #expect(map.assign(1, at: Self.start) == nil)
    }

    @Test func `gives bytes back to the first connection, whose server sends them anyway`() throws {
        var (map, now) = ChunkMap.running()
        let cut = map.assign(2, at: now)?.cut
        map.moved(2, through: (cut?.end ?? 0) + 1000, at: now)
        // What the second has brought stays; it was cut, and goes on behind that only when another request is made.
        #expect(map.release(2) == nil)
        var other = ChunkMap.running().map
        _ = other.assign(2, at: now)
        #expect(other.release(2) == ChunkEnd(number: 1, end: 64 * Self.mebi))
        #expect(other.free.isEmpty)
    }

    @Test func `takes a connection that has just begun for as quick as the others`() throws {
        var (map, now) = ChunkMap.running()
        let cut = map.assign(2, at: now)?.cut
        let start = try #require(cut?.end)
        // 10 kB in the first tenth of a second: its slow start.
        map.moved(2, through: start + 10_000, at: now + .milliseconds(100))
        let third = map.assign(3, at: now + .milliseconds(110))
        #expect(third?.range.count ?? 0 > 1 << 20)
        #expect(third?.cut?.number != 2)
    }
}
