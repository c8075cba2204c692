import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The number of connections that the user asks for` {
    private typealias Line = `Splitting a file`.Line

    private static let file = TransferID(1)

    private func split(_ line: Line) -> SplitLimit? { line.run.queue[Self.file]?.settings.split }

    @Test func `is opened at once, also after more did not help`() {
        var line = Line()
        line.pass(4) { 4 * 1_048_576 / Double($0) }
        expectEqual(line.open, 1)
        line.command(.changeConnections([Self.file], by: 1))
        expectEqual(line.open, 2)
        line.command(.changeConnections([Self.file], by: 1))
        expectEqual(line.open, 3)
        expectEqual(split(line), .auto, "the bound is not lowered")
    }

    @Test func `is given back at once and not exceeded again`() {
        var line = Line()
        line.pass(2.5)
        expectEqual(line.open, 8)
        line.command(.changeConnections([Self.file], by: -5))
        expectEqual(split(line), .atMost(3))
        line.pass(3)
        expectEqual(line.open, 3)
        line.command(.changeConnections([Self.file], by: -.max))
        line.pass(3)
        expectEqual(line.open, 1)
    }

    /// Two files of one host with eight places, of which the first has seven.
    private func full() -> Line {
        var line = Line(slots: 2, files: 2)
        line.command(.changeConnections([Self.file], by: .max))
        line.pass(0.5)
        return line
    }

    @Test func `waits for a place, and the row tells which file has them`() {
        var line = full()
        expectEqual(line.open, 7)
        line.command(.changeConnections([TransferID(2)], by: 1))
        line.pass(0.2)
        let reason = line.run.row(2)?.split?.reason
        expect(reason?.contains("host is full: ") == true && reason?.contains(" has 7 of 8 connections") == true)
    }

    @Test func `takes the places of a file that its own limit holds back`() {
        var line = full()
        line.command(.setRateLimitEach([Self.file], ByteRate(perSecond: 4 * 1_048_576)))
        line.command(.changeConnections([TransferID(2)], by: 1))
        line.pass(8) { 4 * 1_048_576 / Double($0) }
        expectEqual(line.open, 1)
        expectEqual(line.run.queue[TransferID(2)]?.counts.open, 2)
    }

    @Test func `goes beyond eight, up to sixteen`() {
        var line = Line(perHost: 32)
        line.pass(2.5)
        line.command(.changeConnections([Self.file], by: 1))
        expectEqual(split(line), .atMost(9))
        line.command(.changeConnections([Self.file], by: .max))
        expectEqual(split(line), .atMost(16))
    }

    @Test func `holds for a file that has not started`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(3)
        run.command(.changeConnections([TransferID(2), TransferID(3), TransferID(9)], by: -1))
        expectEqual(run.queue[TransferID(2)]?.settings.split, .atMost(7))
        expect(run.queue[TransferID(3)]?.spec.settings === run.queue[TransferID(2)]?.spec.settings)
        expectEqual(run.queue[TransferID(1)]?.settings.split, .auto)
    }

    @Test func `opens none where parts cannot be had`() {
        var line = Line(obstacle: .noRanges)
        line.pass(0.5)
        line.command(.changeConnections([Self.file], by: 3))
        line.pass(0.5)
        expectEqual(line.open, 1)
    }
}
