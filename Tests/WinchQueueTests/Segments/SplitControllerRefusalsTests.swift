import TestSupport
import Testing
import WinchModel

@testable import WinchQueue

@Suite struct `A refused connection of a file` {
    @Test func `stops at the first refusal and remembers it, and is tried again after a while`() {
        var line = SplitLine { _ in 4e6 }
        line.allowed = 3
        line.run(seconds: 10)
        expectEqual(line.open.count, 3)
        expectEqual(line.refusals, 1)
        expectEqual(line.controller.limit, 3)
        expect(line.controller.isLimitNew)
        expectEqual(line.controller.note, "the server allows 3")
        line.allowed = 8
        line.run(seconds: 20)
        expectMore(line.open.count, than: 3)
    }

    @Test func `is tried again after one reset, and ends the growth after a second`() {
        var line = SplitLine { _ in 4e6 }
        (line.allowed, line.refusal) = (1, .noConnection)
        line.run(seconds: 0.5)
        expectEqual(line.refusals, 1)
        expectNil(line.controller.limit)
        line.allowed = 8
        line.run(seconds: 2)
        expectEqual(line.open.count, 8)
        line.allowed = 2
        var lossy = SplitLine { _ in 4e6 }
        (lossy.allowed, lossy.refusal) = (2, .noConnection)
        lossy.run(seconds: 10)
        expectEqual(lossy.open.count, 2)
        expectEqual(lossy.controller.limit, 2)
    }

    @Test func `does not exceed what the host allowed in an earlier run`() {
        var line = SplitLine(allowance: 2) { _ in 4e6 }
        line.run(seconds: 10)
        expectEqual(line.open.count, 2)
        expect(!line.controller.isLimitNew)
    }

    @Test func `waits when all are refused, and then takes no more than were served before`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 0.13)
        expectEqual(line.open.count, 2)
        // The third brings the ban: all are thrown out.
        for number in line.open { line.log += line.controller.apply(.refused(number, .status(403)), at: line.now) }
        line.open = []
        expect(line.controller.connections.isEmpty)
        let until = line.controller.opensAt
        expectEqual(until, line.now + .seconds(1))
        line.run(seconds: 0.9)
        expect(line.open.isEmpty)
        line.run(seconds: 20)
        expectEqual(line.open.count, 1)
        line.run(seconds: 60)
        expect(line.open.count == 1 || line.open.count == 2)
    }

    @Test func `is no ban any more when the only one is refused for two minutes`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 0.13)
        expectEqual(line.open.count, 2)
        let begin = line.now
        for number in line.open { line.log += line.controller.apply(.refused(number, .status(404)), at: line.now) }
        var bans = 1
        while let opensAt = line.controller.opensAt, bans < 100 {
            line.now = opensAt
            _ = line.controller.change(line.controller.circumstances, at: line.now)
            _ = line.controller.apply(.opened(100 + bans), at: line.now)
            _ = line.controller.apply(.refused(100 + bans, .status(404)), at: line.now)
            bans += 1
        }
        expectEqual((line.now - begin).seconds, 121)
        expectNil(line.controller.refusedAt)
    }

    @Test func `does not take a status that is about the URL for a limit of the host`() {
        var line = SplitLine { _ in 4e6 }
        (line.allowed, line.refusal) = (1, .status(404))
        line.run(seconds: 10)
        expectEqual(line.open, [1])
        expectEqual(line.refusals, 1)
        expect(!line.controller.isLimitNew)
        expectEqual(line.controller.note, "the URL may be valid only once")
    }

    @Test func `takes a connection that is never answered for one too many`() {
        var controller = SplitController(mayRepeatRequest: true, at: Moment(seconds: 0))
        _ = controller.change(SplitCircumstances(left: ByteCount(bytes: 1 << 30), slots: 8), at: Moment(seconds: 0))
        _ = controller.apply(.opened(1), at: Moment(seconds: 0))
        var decisions: [SplitDecision] = []
        for step in 1...500 {
            let now = Moment(seconds: Double(step) / 100)
            if step == 20 { _ = controller.apply(.opened(2), at: now) }
            decisions += controller.apply(.moved(1, ByteCount(bytes: 40_000)), at: now)
        }
        expectEqual(decisions.map(\.text), ["second connection: refused (no answer), 1 from now on"])
        expectEqual(controller.wanted, 1)
        expect(!controller.isLimitNew)
    }
}
