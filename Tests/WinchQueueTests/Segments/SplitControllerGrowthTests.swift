import TestSupport
import Testing
import WinchModel

@testable import WinchQueue

@Suite struct `The number of connections of a file` {
    @Test func `opens at once as many as the user names, and gives back those that do not help`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 0.05) { $0.isCeilingGiven = true }
        expectEqual(line.open.count, 8)
        var full = SplitLine { 8e6 / Double($0) }
        full.run(seconds: 4) { $0.isCeilingGiven = true }
        expectEqual(full.open.count, 1)
        // The host lets in one more each time that it has answered all.
        var gated = SplitLine { _ in 4e6 }
        for slots in [1, 2, 4, 8] { gated.run(seconds: 0.05, slots: slots) { $0.isCeilingGiven = true } }
        expectEqual(gated.open.count, 8)
    }

    @Test func `reaches eight connections on an even line within half a second`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 0.5)
        expectEqual(line.open.count, 8)
        line.run(seconds: 1)
        expectEqual(line.open.count, 8)
        expectEqual(
            line.log.map(\.text),
            [
                "second connection: +100 %, kept", "connections 3 to 4: +100 %, kept",
                "connections 5 to 8: +100 %, kept",
            ])
        expectNil(line.controller.note)
    }

    @Test func `tries each level of a far host as soon as the one before has answered`() {
        var line = SplitLine { _ in 4e6 }
        line.delay = 0.2
        line.run(seconds: 0.3)
        expectEqual(line.open.count, 2)
        expectEqual(line.controller.expected, 8)
        line.run(seconds: 0.42)
        expectEqual(line.open.count, 8)
        line.run(seconds: 3)
        expectEqual(line.log.last?.text, "connections 2 to 8: +700 %, kept", "\(line.log.map(\.text))")
        expectEqual(line.controller.proven, 8)
    }

    @Test func `expects no more connections than may come`() {
        var bounded = SplitLine { _ in 4e6 }
        bounded.run(seconds: 1, slots: 3)
        expectEqual(bounded.controller.expected, 3)
        var refused = SplitLine { _ in 4e6 }
        refused.allowed = 3
        refused.run(seconds: 2)
        expectEqual(refused.controller.expected, 3)
    }

    @Test func `gives the second connection back where the line is shared, and tries again after five and ten seconds`()
    {
        var line = SplitLine { 8e6 / Double($0) }
        line.run(seconds: 4)
        expectEqual(line.open, [1])
        expectEqual(line.requests, 2)
        expectEqual(line.log.map(\.text), ["second connection: +0 %, given back"])
        expectEqual(line.controller.note, "more did not help")
        expectEqual(line.controller.expected, 1)
        for (seconds, requests) in [(1.8, 3), (8, 3), (4, 4)] {
            line.run(seconds: seconds)
            expectEqual(line.requests, requests)
        }
    }

    @Test(arguments: [0, 80_000, 160_000, 262_144] as [Int64], [false, true])
    func `goes back to one where more make the line slower or bring nothing, however its bytes arrive`(
        lump: Int64, isNamed: Bool
    ) {
        for (delay, burst) in [(0, 0), (0, 800_000), (0.15, 0), (0.15, 800_000)] as [(Double, Int64)] {
            var slowing = SplitLine(left: 64_000_000) { 8e6 * (1 - 0.1 * Double($0 - 1)) / Double($0) }
            (slowing.lump, slowing.burst, slowing.delay) = (lump, burst, delay)
            slowing.run(seconds: 3) { $0.isCeilingGiven = isNamed }
            expectEqual(slowing.open, [1], "\(slowing.log.map(\.text))")
            expectEqual(slowing.controller.note, "more did not help")
            var capped = SplitLine(left: 64_000_000) { 8e6 / Double($0) }
            (capped.lump, capped.burst, capped.delay) = (lump, burst, delay)
            capped.run(seconds: 8) { $0.isCeilingGiven = isNamed }
            expectLess(capped.held / 8, than: 2.2, "\(capped.log.map(\.text))")
            var even = SplitLine { _ in 4e6 }
            (even.lump, even.burst, even.delay) = (lump, burst, delay)
            even.run(seconds: 3) { $0.isCeilingGiven = isNamed }
            expectEqual(even.open.count, 8, "\(even.log.map(\.text))")
        }
    }

    @Test(arguments: [false, true])
    func `costs little where more do not help, and finds eight soon where they do`(isNamed: Bool) {
        /// Seconds for 64 MB, and connections on average.
        func download(_ rate: @escaping (Int) -> Double) -> (seconds: Double, connections: Double) {
            var line = SplitLine(left: 64_000_000, rate: rate)
            let begin = line.now
            while line.left > 0, line.now < begin + .seconds(60) {
                line.run(seconds: 0.01) { $0.isCeilingGiven = isNamed }
            }
            let seconds = (line.now - begin).seconds
            return (seconds, line.held / seconds)
        }
        let slowing = download { 8e6 * (1 - 0.1 * Double($0 - 1)) / Double($0) }
        expectAtMost(slowing.seconds, 1.1 * 8, "one connection takes 8 s")
        let capped = download { 8e6 / Double($0) }
        expectAtMost(capped.connections, 2)
        let even = download { _ in 4e6 }
        expectAtMost(even.seconds, 1.1 * 2, "eight connections take 2 s")
    }

    @Test func `goes back to the level that helped`() {
        var line = SplitLine { min(4e6, 8e6 / Double($0)) }
        line.run(seconds: 3)
        expectEqual(line.open.count, 2)
        expectEqual(line.controller.note, "more did not help")
    }

    @Test func `stays with one connection when the rest takes less than two seconds`() {
        var line = SplitLine(left: 7_900_000) { _ in 4e6 }
        line.run(seconds: 1)
        expectEqual(line.requests, 1)
    }

    @Test func `does not try while a rate limit holds the transfer or another tries`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 2) { $0.isRateLimited = true }
        line.run(seconds: 2) { $0.isHostBusy = true }
        expectEqual(line.requests, 1)
    }

    @Test func `tries on past a connection with a slow way when the others lose nothing`() {
        // The second connection gets 64 kB/s, the others 4 MB/s.
        var line = SplitLine { _ in 4e6 }
        line.slow = [2]
        line.run(seconds: 1)
        expectEqual(line.open.count, 8)
        expectEqual(line.log.first?.text, "second connection: +2 %, measuring")
    }

    @Test func `does not wait for connections for which there is no piece`() {
        var controller = SplitController(mayRepeatRequest: true, at: Moment(seconds: 0))
        _ = controller.change(SplitCircumstances(left: ByteCount(bytes: 1 << 30), slots: 8), at: Moment(seconds: 0))
        _ = controller.apply(.opened(1), at: Moment(seconds: 0))
        for step in 1...40 {
            let now = Moment(seconds: Double(step) / 100)
            _ = controller.apply(.moved(1, ByteCount(bytes: 40_000)), at: now)
        }
        expectEqual(controller.wanted, 2)
        _ = controller.apply(.moved(1, ByteCount(bytes: 40_000)), at: Moment(seconds: 1.2))
        expectEqual(controller.wanted, 1)
    }
}
