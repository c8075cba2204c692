import Testing

@testable import WinchCore

@Suite struct `A host's gate` {
    private static let start = Moment(seconds: 100)
    private static let id = TransferID(1)

    @Test func `opens to one, and doubles while all are let in`() {
        var gate = HostGate(window: 1)
        for company in [1, 2, 3, 4, 8] {
            gate.answered(together: company, at: Self.start)
            #expect(gate.window == 2 * company)
        }
        #expect(!gate.hasRefused)
    }

    @Test func `widens without an answer as well, or a slow first byte would hold up all`() {
        var gate = HostGate(window: 1)
        gate.started(at: Self.start)
        #expect(gate.growsAt == Self.start + HostGate.longestHush)
        gate.keptSilent(at: Self.start + HostGate.longestHush)
        #expect(gate.window == 2)
        #expect(gate.growsAt == Self.start + HostGate.longestHush * 2)
    }

    @Test func `halves when a connection is refused, once for those begun together`() {
        var gate = HostGate(window: 8)
        gate.answered(together: 4, at: Self.start)
        for _ in 0..<4 { gate.refused(Self.id, beside: 7, begun: Self.start, at: Self.start + .seconds(1)) }
        #expect(gate.window == 4)
        gate.refused(Self.id, beside: 3, begun: Self.start + .seconds(2), at: Self.start + .seconds(2))
        #expect(gate.window == 2)
        for turn in 3...9 {
            let now = Self.start + .seconds(turn)
            gate.refused(Self.id, beside: 1, begun: now, at: now)
        }
        #expect(gate.window == 1)
    }

    @Test func `is soon back at what was answered, and goes beyond it slowly`() {
        var gate = HostGate(window: 1)
        for company in 1...3 { gate.answered(together: company, at: Self.start) }
        gate.refused(Self.id, beside: 3, begun: Self.start, at: Self.start)
        #expect(gate.window == 2)
        gate.answered(together: 2, at: Self.start)
        #expect(gate.window == 3)
        // Neither answers alone widen it further, nor time alone.
        for _ in 0..<1000 { gate.answered(together: 3, at: Self.start + .seconds(1)) }
        #expect(gate.window == 3)
        let later = Self.start + HostGate.firstPatience
        gate.answered(together: 3, at: later)
        #expect(gate.window == 4)
        // One at a time: that one has to be answered first.
        for _ in 0..<1000 { gate.answered(together: 3, at: later + .seconds(10_000)) }
        #expect(gate.window == 4)
        gate.answered(together: 4, at: later)
        #expect(gate.proven == 4)
    }

    @Test func `gives back one by one what was answered before, when nobody new asks`() {
        var gate = HostGate(window: 8)
        gate.answered(together: 3, at: Self.start)
        for turn in 1...2 {
            let now = Self.start + .seconds(turn)
            gate.refused(Self.id, beside: 1, begun: now, at: now)
        }
        #expect(gate.window == 1)
        let proven = gate.proven
        #expect(proven > 1)
        var now = Self.start + .seconds(2)
        for window in 2...proven {
            #expect(gate.isGrowing(upTo: 8))
            #expect(gate.growsAt == now + HostGate.recovery)
            now = now + HostGate.recovery
            gate.keptSilent(at: now)
            #expect(gate.window == window)
        }
        // Not beyond: there time alone proves nothing.
        #expect(!gate.isGrowing(upTo: 8))
    }

    @Test func `waits four times as long after a trial that failed`() {
        var gate = HostGate(window: 2)
        gate.answered(together: 1, at: Self.start)
        gate.refused(Self.id, beside: 1, begun: Self.start, at: Self.start)
        func tried(after span: Duration) -> Bool {
            var copy = gate
            for _ in 0..<100 { copy.answered(together: 1, at: Self.start + span) }
            return copy.window > 1
        }
        #expect(!tried(after: HostGate.firstPatience - .seconds(1)))
        #expect(tried(after: HostGate.firstPatience))
        var now = Self.start + HostGate.firstPatience
        for _ in 0..<100 { gate.answered(together: 1, at: now) }
        now = now + .seconds(1)
        gate.refused(Self.id, beside: 1, begun: now, at: now)
        #expect(gate.window == 1)
        #expect(!tried(after: now - Self.start + HostGate.firstPatience * 4 - .seconds(1)))
        #expect(tried(after: now - Self.start + HostGate.firstPatience * 4))
    }

    @Test func `forgives a refusal that came before the host saw another end`() {
        var gate = HostGate(window: 8)
        gate.answered(together: 4, at: Self.start)
        gate.refused(Self.id, beside: 4, begun: Self.start, at: Self.start)
        let later = Self.start + .seconds(1)
        gate.refused(Self.id, beside: 3, begun: later, at: later)
        #expect(gate.proven == 4)
        gate.refused(Self.id, beside: 3, begun: later + .seconds(1), at: later + .seconds(1))
        #expect(gate.proven == 3)
    }

    @Test func `is as before when the refused URL proves to be refused always, unless others were refused as well`() {
        var gate = HostGate(window: 8)
        gate.answered(together: 4, at: Self.start)
        gate.refused(Self.id, beside: 3, begun: Self.start, at: Self.start)
        var both = gate
        both.refused(TransferID(2), beside: 1, begun: Self.start + .seconds(1), at: Self.start + .seconds(1))
        #expect((gate.window, both.window) == (2, 1))
        gate.acquit(of: Self.id)
        #expect((gate.window, gate.hasRefused) == (8, false))
        both.acquit(of: Self.id)
        #expect((both.window, both.hasRefused) == (1, true))
        both.acquit(of: TransferID(2))
        #expect((both.window, both.hasRefused) == (8, false))
    }
}

/// A queue against a server that lets so many in, in simulated time.
@Suite struct `A host that allows so many connections` {
    private struct Outcome {
        var finished = 0
        var refusals = 0
        var widest = 0
        /// Until all are settled, and until all but the failing are.
        var seconds = 0.0
        var secondsOfOthers = 0.0
        var limits: [QueueTotals.HostLimit] = []
        var window = 0
    }

    /// - Parameters:
    ///   - allowed: connections at a time, of which a simulated server answers no more.
    ///   - failing: a transfer that is refused always.
    private static func download(
        _ count: Int, allowed: Int, perHost: Int, seed: UInt64, refusal: TransferFailure, maxTries: Int = 1,
        failing: Int? = nil
    ) -> Outcome {
        var random = SplitMix64(seed: seed)
        var run = QueueRun {
            $0.slots = 16
            $0.perHost = perHost
            $0.perNewHost = 1
            $0.mode = .simple
            $0.seed = seed
        }
        var outcome = Outcome()
        // What happens on the way, and when; ties in the order of coming.
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
            case 0 where open >= allowed || event.number == failing:
                outcome.refusals += 1
                run.fail(event.number, refusal)
            case 0:
                open += 1
                run.open(event.number, of: 1000)
                schedule(event.number, 1, in: span(20...900), run)
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
        outcome.window = run.queue.gates["a.example"]?.window ?? 0
        return outcome
    }

    @Test(
        arguments: 1...8,
        [
            TransferFailure.httpStatus(503), .httpStatus(429), .unreachable(host: "a", reason: "refused"),
        ])
    func `brings every file, and refuses fewer than twice as many`(allowed: Int, refusal: TransferFailure) {
        for seed in 0..<8 as Range<UInt64> {
            for perHost in [8, 16] {
                let outcome = Self.download(40, allowed: allowed, perHost: perHost, seed: seed, refusal: refusal)
                #expect(outcome.finished == 40, "seed \(seed)")
                #expect(outcome.refusals < 2 * allowed, "seed \(seed), \(perHost): \(outcome.refusals)")
            }
        }
    }

    /// Else a gate that lets one in at a time would do.
    @Test(arguments: [2, 4, 8])
    func `is used by nearly so many`(allowed: Int) {
        let wide = Self.download(200, allowed: allowed, perHost: 16, seed: 3, refusal: .httpStatus(503))
        let one = Self.download(200, allowed: 1, perHost: 16, seed: 3, refusal: .httpStatus(503))
        #expect(wide.seconds < one.seconds / (0.7 * Double(allowed)))
    }

    @Test func `that allows all gets all, within three answers`() {
        let outcome = Self.download(100, allowed: 100, perHost: 8, seed: 1, refusal: .httpStatus(503))
        #expect(outcome.refusals == 0)
        #expect(outcome.widest == 8)
    }

    /// The 503 of one URL must not keep its host's other files waiting.
    @Test(arguments: [1, 3, 20, 40])
    func `but refuses one URL always, serves the others as if it were not there`(failing: Int) {
        var seconds = (with: 0.0, without: 0.0)
        for seed in 0..<16 as Range<UInt64> {
            func download(failing: Int?) -> Outcome {
                Self.download(
                    40, allowed: 100, perHost: 8, seed: seed, refusal: .httpStatus(503), maxTries: 5,
                    failing: failing)
            }
            let (with, without) = (download(failing: failing), download(failing: nil))
            #expect(with.finished == 39, "seed \(seed)")
            #expect(with.limits == [] && with.window >= 8, "seed \(seed): \(with.window)")
            seconds.with += with.secondsOfOthers
            seconds.without += without.seconds
        }
        #expect(seconds.with < 1.1 * seconds.without)
    }
}

@Suite struct `A gate in the queue` {
    @Test func `tells in the row and in the totals why nothing starts`() {
        var run = QueueRun { $0.perNewHost = 2 }
        run.add(4)
        #expect(run.running == [1, 2])
        run.open(1, of: 1000)
        run.fail(2, .httpStatus(503))
        #expect(run.running == [1])
        #expect(run.phase(2) == .waiting)
        let totals = run.queue.totals(at: run.now)
        #expect(totals.fullHosts == ["a.example"])
        #expect(totals.hostLimits == [QueueTotals.HostLimit(host: "a.example", connections: 1)])
        // The turned away one is next, and its tries are not used up.
        run.finish(1, with: 1000)
        #expect(run.running == [2])
        #expect(run.queue[TransferID(2)]?.effort.tries == 1)
    }

    @Test func `lets nobody in while a host asks all for patience`() {
        var run = QueueRun()
        run.add(2, settings: .sample(retryWait: .zero))
        run.fail(1, .httpStatus(429), retryAfter: .seconds(10))
        run.finish(2, with: 10)
        run.add(1)
        #expect(run.running == [])
        #expect(run.queue.totals(at: run.now).fullHosts == ["a.example"])
        run.wait(.seconds(9.9))
        #expect(run.running == [])
        #expect(run.queue.nextTick(after: run.now) ?? run.now + .seconds(9) <= run.now + .seconds(0.1))
        run.wait(.seconds(0.2))
        // One alone at first, as it was beside another that the host refused.
        #expect(run.running.count == 1)
    }

    @Test func `asks for no sizes where a question would be refused`() {
        var run = QueueRun {
            $0.perNewHost = 2
            $0.mode = .accurate
        }
        run.add(4)
        run.open(1, of: 1000)
        run.fail(2, .httpStatus(503))
        run.pass(.seconds(1))
        #expect(run.queue.sizer.open.isEmpty)
    }
}
