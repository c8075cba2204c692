import Testing
import WinchModel

@testable import WinchQueue

@Suite struct `The number of connections of a file` {
    @Test func `opens at once as many as the user names, and gives back those that do not help`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 0.05) { $0.isCeilingGiven = true }
        #expect(line.open.count == 8)
        var full = SplitLine { 8e6 / Double($0) }
        full.run(seconds: 4) { $0.isCeilingGiven = true }
        #expect(full.open.count == 1)
        // The host lets in one more each time that it has answered all.
        var gated = SplitLine { _ in 4e6 }
        for slots in [1, 2, 4, 8] { gated.run(seconds: 0.05, slots: slots) { $0.isCeilingGiven = true } }
        #expect(gated.open.count == 8)
    }

    @Test func `reaches eight connections on an even line within half a second`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 0.5)
        #expect(line.open.count == 8)
        line.run(seconds: 1)
        #expect(line.open.count == 8)
        #expect(
            line.log.map(\.text) == [
                "second connection: +100 %, kept", "connections 3 to 4: +100 %, kept",
                "connections 5 to 8: +100 %, kept",
            ])
        #expect(line.controller.note == nil)
    }

    @Test func `tries each level of a far host as soon as the one before has answered`() {
        var line = SplitLine { _ in 4e6 }
        line.delay = 0.2
        line.run(seconds: 0.3)
        #expect(line.open.count == 2)
        #expect(line.controller.expected == 8)
        line.run(seconds: 0.42)
        #expect(line.open.count == 8)
        line.run(seconds: 3)
        #expect(line.log.last?.text == "connections 2 to 8: +700 %, kept", "\(line.log.map(\.text))")
        #expect(line.controller.proven == 8)
    }

    @Test func `expects no more connections where they did not help, or may not come`() {
        var full = SplitLine { 8e6 / Double($0) }
        full.run(seconds: 4)
        #expect(full.controller.expected == 1)
        var bounded = SplitLine { _ in 4e6 }
        bounded.run(seconds: 1, slots: 3)
        #expect(bounded.controller.expected == 3)
        var refused = SplitLine { _ in 4e6 }
        refused.allowed = 3
        refused.run(seconds: 2)
        #expect(refused.controller.expected == 3)
    }

    @Test func `gives the second connection back where the line is shared`() {
        var line = SplitLine { 8e6 / Double($0) }
        line.run(seconds: 4)
        #expect(line.open == [1])
        #expect(line.requests == 2)
        #expect(line.log.map(\.text) == ["second connection: +0 %, given back"])
        #expect(line.controller.note == .moreDidNotHelp(connections: 1))
    }

    @Test func `tries again after five seconds, then after ten`() {
        var line = SplitLine { 8e6 / Double($0) }
        line.run(seconds: 5.8)
        #expect(line.requests == 3)
        line.run(seconds: 8)
        #expect(line.requests == 3)
        line.run(seconds: 4)
        #expect(line.requests == 4)
    }

    @Test func `goes back to the level that helped`() {
        var line = SplitLine { min(4e6, 8e6 / Double($0)) }
        line.run(seconds: 3)
        #expect(line.open.count == 2)
        #expect(line.controller.note == .moreDidNotHelp(connections: 2))
    }

    @Test func `stays with one connection when the rest takes less than two seconds`() {
        var line = SplitLine(left: 7_900_000) { _ in 4e6 }
        line.run(seconds: 1)
        #expect(line.requests == 1)
    }

    @Test func `does not try while a rate limit holds the transfer or another tries`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 2) { $0.isRateLimited = true }
        line.run(seconds: 2) { $0.isHostBusy = true }
        #expect(line.requests == 1)
    }

    @Test func `tries on past a connection with a slow way when the others lose nothing`() {
        // The second connection gets 64 kB/s, the others 4 MB/s.
        var line = SplitLine { _ in 4e6 }
        line.slow = [2]
        line.run(seconds: 1)
        #expect(line.open.count == 8)
        #expect(line.log.first?.text == "second connection: +2 %, not clear yet")
    }

    @Test func `does not wait for connections for which there is no piece`() {
        var controller = SplitController(mayRepeatRequest: true, at: Moment(seconds: 0))
        _ = controller.change(SplitCircumstances(left: ByteCount(bytes: 1 << 30), slots: 8), at: Moment(seconds: 0))
        _ = controller.apply(.opened(1), at: Moment(seconds: 0))
        for step in 1...40 {
            let now = Moment(seconds: Double(step) / 100)
            _ = controller.apply(.moved(1, ByteCount(bytes: 40_000)), at: now)
        }
        #expect(controller.wanted == 2)
        _ = controller.apply(.moved(1, ByteCount(bytes: 40_000)), at: Moment(seconds: 1.2))
        #expect(controller.wanted == 1)
    }
}
