import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// A queue and a simulated server with a connection limit, in simulated time.
@Suite struct `A host with a connection limit` {
    @Test func `has refused a connection beside one that ended in the same batch of reports`() throws {
        var run = QueueRun { $0.slots = 2 }
        run.add(3)
        run.open(1, of: 10)
        let connections = try (1...2).map { try require(run.queue[TransferID($0)]?.lastConnection) }
        _ = run.queue.apply(
            .reports([
                TransportReport(connections[0], at: run.now, event: .bodyEnded(size: ByteCount(10))),
                TransportReport(
                    connections[1], at: run.now,
                    event: .failed(.httpStatus(503), retryAfter: nil, kept: nil)),
            ]), at: run.now)
        expectEqual(run.queue.hosts["a.example"]?.hasRefused, true)
    }

    private struct Outcome {
        var finished = 0
        var refusals = 0
        var widest = 0
        /// Until all are settled, and until all but the failing one are.
        var seconds = 0.0
        var secondsOfOthers = 0.0
        var limits: [QueueTotals.HostLimit] = []
        var window = 0
    }

    /// A server that refuses what exceeds so many requests a second by more than a burst, as nginx's `limit_req` does.
    private struct RequestRate {
        var perSecond: Double
        var burst: Double
        private var excess = 0.0
        private var last: Moment?

        init(perSecond: Double, burst: Double) { (self.perSecond, self.burst) = (perSecond, burst) }

        mutating func admits(at now: Moment) -> Bool {
            let next = last.map { max(0, excess - perSecond * (now - $0).seconds + 1) } ?? 0
            guard next <= burst else { return false }
            (excess, last) = (next, now)
            return true
        }
    }

    /// - Parameters:
    ///   - allowed: connections that a simulated server accepts at a time.
    ///   - failing: a transfer that is always refused.
    ///   - rate: requests that the server allows; its files are small then.
    private static func download(
        _ count: Int, allowed: Int, perHost: Int, seed: UInt64, refusal: TransferFailure, maxTries: Int = 1,
        failing: Int? = nil, rate: RequestRate? = nil
    ) -> Outcome {
        var rate = rate
        var random = SplitMix64(seed: seed)
        var run = QueueRun {
            $0.slots = 16
            $0.perHost = perHost
            $0.perNewHost = 1
            $0.mode = .simple
            $0.seed = seed
        }
        var outcome = Outcome()
        // Pending events and their times; events of equal time in order of insertion.
        var events: [(at: Moment, order: Int, number: Int, step: Int)] = []
        var (order, open) = (0, 0)
        func schedule(_ number: Int, _ step: Int, in span: Duration, _ run: QueueRun) {
            order += 1
            events.append((run.now + span, order, number, step))
        }
        func span(_ range: ClosedRange<Int>) -> Duration { .milliseconds(Int.random(in: range, using: &random)) }
        run.add(count, settings: .sample(maxTries: maxTries))
        var started = run.started
        for _ in 0..<20_000 {
            for number in started { schedule(number, 0, in: span(2...60), run) }
            outcome.widest = max(outcome.widest, run.running.count)
            if run.queue.settled == count { break }
            let tick = run.queue.nextTick(after: run.now)
            let first = events.indices.min {
                (events[$0].at, events[$0].order) < (events[$1].at, events[$1].order)
            }
            guard let index = first, tick.map({ events[index].at <= $0 }) ?? true else {
                guard let tick else { break }
                run.wait(max(.zero, tick - run.now))
                started = run.started
                continue
            }
            let event = events.remove(at: index)
            run.now = max(run.now, event.at)
            switch event.step {
            case 0 where open >= allowed || event.number == failing || rate?.admits(at: run.now) == false:
                outcome.refusals += 1
                run.fail(event.number, refusal)
            case 0:
                open += 1
                run.open(event.number, of: 1000)
                schedule(event.number, 1, in: span(rate == nil ? 20...900 : 5...20), run)
            default:
                open -= 1
                run.report(event.number, .bodyEnded(size: ByteCount(1000)))
                started = run.started
                run.report(event.number, .finished(.saved(path: "file"), size: ByteCount(1000)))
                started += run.started
                outcome.secondsOfOthers = (run.now - Moment(seconds: 1000)).seconds
                continue
            }
            started = run.started
        }
        outcome.finished = run.queue.progress.finished
        outcome.seconds = (run.now - Moment(seconds: 1000)).seconds
        outcome.limits = run.queue.hostLimits
        outcome.window = run.queue.hosts["a.example"]?.window ?? 0
        return outcome
    }

    @Test(
        arguments: 1...8,
        [
            TransferFailure.httpStatus(503), .httpStatus(429), .unreachable(host: "a", reason: "refused"),
        ])
    func `delivers every file and refuses fewer than twice as many`(allowed: Int, refusal: TransferFailure) {
        for (seed, perHost) in [(0, 8), (1, 16)] as [(UInt64, Int)] {
            let outcome = Self.download(40, allowed: allowed, perHost: perHost, seed: seed, refusal: refusal)
            expectEqual(outcome.finished, 40, "seed \(seed)")
            expectLess(outcome.refusals, than: 2 * allowed, "seed \(seed), \(perHost): \(outcome.refusals)")
        }
    }

    @Test(arguments: [TransferFailure.httpStatus(503), .httpStatus(429)], [10.0, 2])
    func `or rather of requests a second delivers every file`(refusal: TransferFailure, perSecond: Double) {
        for seed in 0..<5 as Range<UInt64> {
            let outcome = Self.download(
                60, allowed: 100, perHost: 8, seed: seed, refusal: refusal, maxTries: 5,
                rate: RequestRate(perSecond: perSecond, burst: 5))
            expectEqual(outcome.finished, 60, "seed \(seed)")
            expectLess(outcome.refusals, than: 120, "seed \(seed)")
        }
    }

    /// A gate that admits one connection at a time would fail this test.
    @Test(arguments: [2, 4, 8])
    func `is used by nearly as many connections`(allowed: Int) {
        let wide = Self.download(80, allowed: allowed, perHost: 16, seed: 3, refusal: .httpStatus(503))
        let one = Self.download(80, allowed: 1, perHost: 16, seed: 3, refusal: .httpStatus(503))
        expectLess(wide.seconds, than: one.seconds / (0.7 * Double(allowed)))
    }

    @Test func `above the queue's limit is fully used after three answers`() {
        let outcome = Self.download(100, allowed: 100, perHost: 8, seed: 1, refusal: .httpStatus(503))
        expectEqual(outcome.refusals, 0)
        expectEqual(outcome.widest, 8)
    }

    /// The 503 of one URL must not delay its host's other files.
    @Test(arguments: [1, 3, 20, 40])
    func `that always refuses one URL serves the others without delay`(failing: Int) {
        var seconds = (with: 0.0, without: 0.0)
        for seed in 0..<5 as Range<UInt64> {
            func download(failing: Int?) -> Outcome {
                Self.download(
                    40, allowed: 100, perHost: 8, seed: seed, refusal: .httpStatus(503), maxTries: 5,
                    failing: failing)
            }
            let (with, without) = (download(failing: failing), download(failing: nil))
            expectEqual(with.finished, 39, "seed \(seed)")
            expect(with.limits == [] && with.window >= 8, "seed \(seed): \(with.window)")
            seconds.with += with.secondsOfOthers
            seconds.without += without.seconds
        }
        expectLess(seconds.with, than: 1.1 * seconds.without)
    }
}

@Suite struct `A host gate in the queue` {
    @Test func `is given as the reason for a wait in the row and the totals`() {
        var run = QueueRun { $0.perNewHost = 2 }
        run.add(4)
        expectEqual(run.running, [1, 2])
        run.open(1, of: 1000)
        run.fail(2, .httpStatus(503))
        expectEqual(run.running, [1])
        expectEqual(run.phase(2), .waiting)
        let totals = run.queue.totals(at: run.now)
        expectEqual(totals.fullHosts, ["a.example"])
        expectEqual(totals.hostLimits, [QueueTotals.HostLimit(host: "a.example", connections: 1)])
        // The refused transfer is next, and its tries are not used up.
        run.finish(1, with: 1000)
        expectEqual(run.running, [2])
        expectEqual(run.queue[TransferID(2)]?.history.tries, 1)
    }

    @Test func `starts nothing while the host asks to wait`() {
        var run = QueueRun()
        run.add(2, settings: .sample(retryWait: .zero))
        run.fail(1, .httpStatus(429), retryAfter: .seconds(10))
        run.finish(2, with: 10)
        run.add(1)
        expectEqual(run.running, [])
        expectEqual(run.queue.totals(at: run.now).fullHosts, ["a.example"])
        run.wait(.seconds(9.9))
        expectEqual(run.running, [])
        expectAtMost(run.queue.nextTick(after: run.now) ?? run.now + .seconds(9), run.now + .seconds(0.1))
        run.wait(.seconds(0.2))
        // Only one at first, because it was refused while another was connected.
        expectEqual(run.running.count, 1)
    }

    @Test func `does not count a refusal that a late end of another connection explains, even of the only try`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(2, settings: .sample(maxTries: 1))
        run.fetch(1, of: 10)
        expectEqual(run.running, [2])
        for _ in 1...2 {
            run.pass(.milliseconds(100))
            run.fail(2, .httpStatus(503))
            expectEqual(run.queue[TransferID(2)]?.isSettled, false)
            run.wait(.seconds(20))
            expectEqual(run.running, [2])
        }
    }

    /// A host that allows a request in ten seconds refuses each file of a list many times before its turn comes.
    @Test func `counts a file's refusals anew when it has served one file and refused another since`() {
        var run = QueueRun { $0.slots = 2 }
        run.add(1)
        run.fail(1, .httpStatus(429))
        run.pass(.milliseconds(100))
        run.add(1)
        run.fetch(2, of: 10)
        run.wait(.seconds(20))
        run.add(1)
        expectEqual(run.running, [1, 3])
        run.fail(3, .httpStatus(429))
        run.fail(1, .httpStatus(429))
        expectEqual(run.queue[TransferID(1)]?.history.tries, 0)
    }

    @Test func `obeys the Retry-After of a 503 for the whole host when several files are refused`() {
        var run = QueueRun { $0.slots = 2 }
        run.add(3)
        for number in 1...2 { run.open(number, of: 10) }
        for number in 1...2 { run.finish(number, with: 10) }
        run.add(3)
        run.pass(.milliseconds(100))
        expectEqual(run.running, [3, 4])
        run.fail(3, .httpStatus(503), retryAfter: .seconds(30))
        run.fail(4, .httpStatus(503), retryAfter: .seconds(30))
        run.wait(.seconds(29))
        expectEqual(run.running, [])
        run.wait(.seconds(2))
        expect(!run.running.isEmpty)
    }

    @Test func `sends no size probes that the host would refuse`() {
        var run = QueueRun {
            $0.perNewHost = 2
            $0.mode = .accurate
        }
        run.add(4)
        run.open(1, of: 1000)
        run.fail(2, .httpStatus(503))
        run.pass(.seconds(1))
        expect(run.queue.probes.open.isEmpty)
    }
}
