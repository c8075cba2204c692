import Testing
import WinchModel

@testable import WinchQueue

@Suite struct `A split controller` {
    /// A host that answers at once and paces each connection; what `rates` returns are bytes a second of each of `count`
    /// connections.
    private struct Line {
        var controller: SplitController
        var now = Moment(seconds: 10)
        var left: Int64
        var open: [Int] = []
        var next = 1
        var requests = 0
        var refusals = 0
        var log: [SplitDecision] = []
        /// Bytes a second of one connection of so many.
        var rate: (Int) -> Double
        /// More are refused.
        var allowed = Int.max
        var refusal = SplitRefusal.status(429)
        /// These get 64 kB/s.
        var slow: Set<Int> = []
        /// Seconds from the opening of a connection to its first byte.
        var delay = 0.0
        private var openedAt: [Int: Moment] = [:]

        init(left: Int64 = 1 << 30, mayRepeat: Bool = true, allowance: Int? = nil, rate: @escaping (Int) -> Double) {
            controller = SplitController(mayRepeatRequest: mayRepeat, allowance: allowance, at: Moment(seconds: 10))
            self.left = left
            self.rate = rate
        }

        mutating func run(
            seconds: Double, slots: Int = 8, ceiling: Int = 8, mutate: (inout SplitCircumstances) -> Void = { _ in }
        ) {
            let end = now + .seconds(seconds)
            while now < end {
                var circumstances = SplitCircumstances(left: ByteCount(bytes: left), slots: slots, ceiling: ceiling)
                mutate(&circumstances)
                log += controller.change(circumstances, at: now)
                while open.count > controller.wanted, let last = open.popLast() {
                    log += controller.apply(.closed(last), at: now)
                }
                while open.count < controller.wanted, controller.opensAt == nil {
                    let number = next
                    next += 1
                    requests += 1
                    openedAt[number] = now
                    log += controller.apply(.opened(number), at: now)
                    if open.count >= allowed {
                        refusals += 1
                        log += controller.apply(.refused(number, refusal), at: now)
                    } else {
                        open.append(number)
                        log += controller.apply(.answered(number), at: now)
                    }
                }
                now = now + .milliseconds(5)
                for number in open where (now - (openedAt[number] ?? now)).seconds >= delay {
                    let bytes = Int64((slow.contains(number) ? 64e3 : rate(open.count)) * 0.005)
                    left -= bytes
                    log += controller.apply(.moved(number, ByteCount(bytes: bytes)), at: now)
                }
            }
        }
    }

    @Test func `opens at once as many as the user names, and gives back those that do not help`() {
        var line = Line { _ in 4e6 }
        line.run(seconds: 0.05) { $0.isCeilingGiven = true }
        #expect(line.open.count == 8)
        var full = Line { 8e6 / Double($0) }
        full.run(seconds: 4) { $0.isCeilingGiven = true }
        #expect(full.open.count == 1)
        // The host lets in one more each time that it has answered all.
        var gated = Line { _ in 4e6 }
        for slots in [1, 2, 4, 8] { gated.run(seconds: 0.05, slots: slots) { $0.isCeilingGiven = true } }
        #expect(gated.open.count == 8)
    }

    @Test func `reaches eight connections on an even line within half a second`() {
        var line = Line { _ in 4e6 }
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
        var line = Line { _ in 4e6 }
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
        var full = Line { 8e6 / Double($0) }
        full.run(seconds: 4)
        #expect(full.controller.expected == 1)
        var bounded = Line { _ in 4e6 }
        bounded.run(seconds: 1, slots: 3)
        #expect(bounded.controller.expected == 3)
        var refused = Line { _ in 4e6 }
        refused.allowed = 3
        refused.run(seconds: 2)
        #expect(refused.controller.expected == 3)
    }

    @Test func `gives the second connection back where the line is shared`() {
        var line = Line { 8e6 / Double($0) }
        line.run(seconds: 4)
        #expect(line.open == [1])
        #expect(line.requests == 2)
        #expect(line.log.map(\.text) == ["second connection: +0 %, given back"])
        #expect(line.controller.note == .moreDidNotHelp(connections: 1))
    }

    @Test func `tries again after five seconds, then after ten`() {
        var line = Line { 8e6 / Double($0) }
        line.run(seconds: 5.8)
        #expect(line.requests == 3)
        line.run(seconds: 8)
        #expect(line.requests == 3)
        line.run(seconds: 4)
        #expect(line.requests == 4)
    }

    @Test func `goes back to the level that helped`() {
        var line = Line { min(4e6, 8e6 / Double($0)) }
        line.run(seconds: 3)
        #expect(line.open.count == 2)
        #expect(line.controller.note == .moreDidNotHelp(connections: 2))
    }

    @Test func `stays with one connection when the rest takes less than two seconds`() {
        var line = Line(left: 7_900_000) { _ in 4e6 }
        line.run(seconds: 1)
        #expect(line.requests == 1)
    }

    @Test func `stops at the first refusal and remembers it`() {
        var line = Line { _ in 4e6 }
        line.allowed = 3
        line.run(seconds: 10)
        #expect(line.open.count == 3)
        #expect(line.refusals == 1)
        #expect(line.controller.limit == 3)
        #expect(line.controller.isLimitNew)
        #expect(line.controller.note?.reason == "the server allows 3")
    }

    @Test func `does not exceed what the host allowed in an earlier run`() {
        var line = Line(allowance: 2) { _ in 4e6 }
        line.run(seconds: 10)
        #expect(line.open.count == 2)
        #expect(!line.controller.isLimitNew)
    }

    @Test func `never repeats a request that may be valid once`() {
        var line = Line(mayRepeat: false) { _ in 4e6 }
        line.run(seconds: 10)
        #expect(line.requests == 1)
        #expect(line.controller.note?.reason == "the URL may be valid only once")
    }

    @Test func `uses only the slots it is given, and gives them up at once`() {
        var line = Line { _ in 4e6 }
        line.run(seconds: 2, slots: 3)
        #expect(line.open.count == 3)
        line.run(seconds: 0.02, slots: 1)
        #expect(line.open == [1])
    }

    @Test func `keeps to the ceiling`() {
        var line = Line { _ in 4e6 }
        line.run(seconds: 2, ceiling: 5)
        #expect(line.open.count == 5)
    }

    @Test func `does not try while a rate limit holds the transfer or another tries`() {
        var line = Line { _ in 4e6 }
        line.run(seconds: 2) { $0.isRateLimited = true }
        line.run(seconds: 2) { $0.isHostBusy = true }
        #expect(line.requests == 1)
    }

    @Test func `ends the splitting when a connection brings another version`() {
        var line = Line { _ in 4e6 }
        line.run(seconds: 1)
        _ = line.controller.apply(.unsplittable, at: line.now)
        line.run(seconds: 1)
        #expect(line.open == [1])
        #expect(line.controller.note?.reason == "the server cannot serve parts")
    }

    @Test func `waits when all are refused, and then takes no more than were served before`() {
        var line = Line { _ in 4e6 }
        line.run(seconds: 0.13)
        #expect(line.open.count == 2)
        // The third brings the ban: all are thrown out.
        for number in line.open { line.log += line.controller.apply(.refused(number, .status(403)), at: line.now) }
        line.open = []
        #expect(line.controller.isBanned)
        let until = line.controller.opensAt
        #expect(until == line.now + .seconds(1))
        line.run(seconds: 0.9)
        #expect(line.open.isEmpty)
        line.run(seconds: 20)
        #expect(line.open.count == 1)
        line.run(seconds: 60)
        #expect(line.open.count == 1 || line.open.count == 2)
    }

    @Test func `does not take a status that is about the URL for a limit of the host`() {
        var line = Line { _ in 4e6 }
        (line.allowed, line.refusal) = (1, .status(404))
        line.run(seconds: 10)
        #expect(line.open == [1])
        #expect(line.refusals == 1)
        #expect(!line.controller.isLimitNew)
        #expect(line.controller.note == .oneRequestOnly)
    }

    @Test func `tries on past a connection with a slow way when the others lose nothing`() {
        // The second connection gets 64 kB/s, the others 4 MB/s.
        var line = Line { _ in 4e6 }
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
        #expect(decisions.map(\.text) == ["second connection: refused (no answer), 1 from now on"])
        #expect(controller.wanted == 1)
        #expect(!controller.isLimitNew)
    }
}
