import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `The connections that are shown` {
    private typealias Line = `Splitting a file`.Line

    private func row(_ line: Line) throws -> TransferSnapshot {
        try require(line.run.queue.row(TransferID(1), at: line.run.now))
    }

    private func details(_ line: inout Line) throws -> TransferDetails {
        line.run.command(.watch(TransferID(1)))
        return try require(line.run.queue.details(at: line.run.now).first)
    }

    @Test func `are counted in the row, with the parts that are on disk and the places of work`() throws {
        var line = Line()
        line.pass(3)
        let split = try require(row(line).split)
        expectEqual(split.connections, 8)
        expectMore(split.onDisk.count, than: 1)
        expectEqual(split.working.count, 8)
        expectEqual(split.working, split.working.sorted())
        let bytes = split.onDisk.reduce(Int64(0)) { $0 + ($1.upperBound - $1.lowerBound) }
        expectEqual(bytes, line.run.queue[TransferID(1)]?.have.bytes)
    }

    @Test func `leave the parts with gaps in the row while it is paused`() throws {
        var line = Line()
        line.pass(3)
        line.run.command(.pause([TransferID(1)]))
        let split = try require(row(line).split)
        expectEqual(split.connections, 0)
        expectMore(split.onDisk.count, than: 1)
        expect(split.working.isEmpty)
    }

    @Test func `are listed with range, rate, server and age`() throws {
        var line = Line()
        line.pass(3)
        let connections = try details(&line).connections
        expectEqual(connections.map(\.number), [1, 2, 3, 4, 5, 6, 7, 8])
        for connection in connections {
            let range = try require(connection.range)
            expectMore(range.count, than: 0)
            let rate = try require(connection.rate)
            expectLess(abs(rate.perSecond / (4 * 1_048_576) - 1), than: 0.1)
            expectEqual(connection.host, line.run.queue[TransferID(1)]?.hostAndPort)
            expectEqual(connection.phase, .moving)
        }
        let last = try require(connections.last)
        let age = line.run.now - last.began
        expect(age > .zero && age < .seconds(3))
    }

    @Test func `are listed when there is one, with all that is missing, and not shown in the row`() throws {
        var line = Line()
        line.pass(0.04)
        try expectNil(row(line).split)
        let details = try details(&line)
        expectEqual(details.connections.count, 1)
        let have = try require(line.run.queue[TransferID(1)]?.have.bytes)
        expectEqual(details.connections.first?.range, have..<Line.size)
    }

    @Test func `come with the reason that more do not help`() throws {
        var line = Line()
        line.pass(4) { 4 * 1_048_576 / Double($0) }
        try expectEqual(details(&line).connectionReason, "more did not help")
    }

    @Test(arguments: [
        (SplitObstacle.noRanges, "the server does not offer parts of the file"),
        (.oldProtocol, "the server speaks HTTP/1.0"), (.encoded, "the body is encoded"),
        (.noValidator, "the server names no version of the file, and no checksum is demanded"),
    ])
    func `come with the reason that the file has one`(obstacle: SplitObstacle, words: String) throws {
        var line = Line(obstacle: obstacle)
        line.pass(1)
        try expectEqual(details(&line).connectionReason, words)
        expect(line.opened.isEmpty)
    }

    @Test func `come with the reason that a file of unknown size has one`() throws {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: nil)
        run.move(1, to: 400)
        run.command(.watch(TransferID(1)))
        let details = try require(run.queue.details(at: run.now).first)
        expectEqual(details.connectionReason, "the size is not known")
    }
}
