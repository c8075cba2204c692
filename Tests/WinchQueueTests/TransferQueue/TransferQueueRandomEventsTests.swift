import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// Random streams of events; a failure prints the seed that reproduces it.
@Suite struct `A queue under random events` {
    @Test(arguments: 0..<Streams.blocks)
    func `keeps its sums, counts, order and invariants`(block: UInt64) {
        let seeds = Streams.seeds(block)
        let took = ContinuousClock().measure {
            for seed in seeds {
                if let broken = play(seed: seed, inBatches: false) {
                    Issue.record("seed \(seed): \(broken)")
                    return
                }
            }
        }
        Streams.report(seeds, took: took)
    }

    /// Several connections report in one turn of the transport's loop.
    @Test(arguments: 0..<Streams.blocks)
    func `keeps them when it takes several reports at once`(block: UInt64) {
        for seed in Streams.seeds(block, share: 5) {
            if let broken = play(seed: seed, inBatches: true) {
                Issue.record("seed \(seed): \(broken)")
                return
            }
        }
    }

    private func play(seed: UInt64, inBatches: Bool) -> String? {
        var events = RandomEvents(seed: seed)
        var settings = events.settings()
        // The chronicle takes the actions behind the whole batch: none of its reports may close the connection of another.
        if inBatches { (settings.failsFast, settings.spaceWait) = (false, .zero) }
        var queue = TransferQueue(settings: settings)
        var now = Moment(seconds: 1000)
        var invariants = Invariants(queue)
        var (chronicle, copy, ledger) = (Chronicle(), FeedCopy(), LedgerCopy())
        queue.keepLedger(from: LedgerKey(1), calendar: .sample)
        let length = events.length()
        // The whole history is checked twice per stream: at its end, and once before.
        let reading = events.pick(0...length - 1)
        for step in 0..<length {
            now = now + events.span()
            var event = events.event(for: queue, at: now)
            let actions: [QueueAction]
            if inBatches, case .reports(var reports) = event {
                for _ in 0..<events.pick(0...5) { reports.append(events.report(for: queue, at: now)) }
                actions = queue.apply(.reports(reports), at: now)
                chronicle.note(reports, actions, queue)
                // Stands for them: it may change the sums.
                event = .woke
            } else {
                actions = queue.apply(event, at: now)
                chronicle.note(event, actions, queue)
            }
            events.note(actions)
            if let broken = invariants.check(queue, after: event, actions, at: now) {
                return "\(broken) (\(step): \(event))"
            }
            copy.read(queue.feed)
            queue.feed.clear()
            ledger.hold(event)
            if events.chance(30) { ledger.take(queue.takeLedgerChanges(at: now, UnixTime(milliseconds: 5))) }
            if step == reading || step == length - 1, let broken = chronicle.compare(with: queue) {
                return "\(broken) (\(step): \(event))"
            }
            // 8: repeating the event changes nothing.
            if case .reports(let reports) = event, let report = reports.first, !report.event.isCumulative,
                events.chance(30)
            {
                let (before, late) = ((queue.progress, queue.uploads), queue.ignored)
                let actions = queue.apply(event, at: now)
                if queue.progress != before.0 || queue.uploads != before.1 { return "8: \(event) twice" }
                if queue.ignored == late, report.event.endsAttempt { return "8: not late: \(event)" }
                chronicle.note(event, actions, queue)
                events.note(actions)
                copy.read(queue.feed)
                queue.feed.clear()
            }
        }
        ledger.take(queue.takeLedgerChanges(at: now, UnixTime(milliseconds: 6), isLast: true))
        return copy.compare(with: queue) ?? ledger.compare(with: queue, at: now)
    }

    /// 9: the order of events of independent transfers makes no difference at the end.
    @Test(arguments: 0..<Streams.blocks)
    func `ends with the same sums in whatever order transfers report`(block: UInt64) {
        for seed in Streams.seeds(block, share: 10) {
            var random = SplitMix64(seed: seed)
            let count = Int.random(in: 2...6, using: &random)
            let directions = (0..<count).map { _ in Bool.random(using: &random) ? Direction.down : .up }
            let scripts = directions.map { $0 == .down ? Self.script(&random) : Self.uploadScript(&random) }
            let ends = (0..<2).map { _ in Self.sums(of: Self.interleaved(scripts, &random), directions) }
            if ends[0] != ends[1] {
                Issue.record("9: seed \(seed): \(ends)")
                return
            }
        }
    }

    /// The reports of one transfer, complete or not.
    private static func script(_ random: inout SplitMix64) -> [TransportEvent] {
        let size = Int64.random(in: 0...2000, using: &random)
        let isDeclared = Bool.random(using: &random)
        var script: [TransportEvent] = [.requested, .opening(of: isDeclared ? size : nil)]
        script += (0..<3).map { _ in .moving(to: Int64.random(in: 0...size, using: &random)) }
        switch Int.random(in: 0...3, using: &random) {
        case 0: break
        case 1: script.append(.failed(.httpStatus(404), retryAfter: nil, kept: .sample(size / 2, of: nil)))
        default:
            script.append(.bodyEnded(size: ByteCount(size)))
            script.append(.finished(.saved(path: "f"), size: ByteCount(size)))
        }
        return script
    }

    /// The same of an upload, which may be sent once more after a login.
    private static func uploadScript(_ random: inout SplitMix64) -> [TransportEvent] {
        let size = Int64.random(in: 0...2000, using: &random)
        let place = UploadPlace(name: "f.part", source: nil)
        let point = ResumePoint(upload: place, have: .zero, total: ByteCount(size), name: "f")
        var script: [TransportEvent] = [.placed(point, isHeld: Bool.random(using: &random)), .requested]
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            script += (0..<3).map { _ in .sent(ByteCount(Int64.random(in: 0...size, using: &random)), of: nil) }
            if Bool.random(using: &random) { script.append(.unsent(downTo: .zero)) }
        }
        switch Int.random(in: 0...3, using: &random) {
        case 0: break
        case 1: script.append(.failed(.httpStatus(404), retryAfter: nil, kept: point))
        default:
            script += [.bodyEnded(size: ByteCount(size)), .replied(ServerReply(status: 201))]
            script.append(.finished(.sent(path: "f"), size: ByteCount(size)))
        }
        return script
    }

    /// All events, each transfer's own in their order.
    private static func interleaved(
        _ scripts: [[TransportEvent]], _ random: inout SplitMix64
    ) -> [(number: Int, event: TransportEvent)] {
        var turns = scripts.indices.flatMap { Array(repeating: $0, count: scripts[$0].count) }
        turns.shuffle(using: &random)
        var next = Array(repeating: 0, count: scripts.count)
        return turns.map { turn in
            defer { next[turn] += 1 }
            return (turn + 1, scripts[turn][next[turn]])
        }
    }

    private static func sums(
        of events: [(number: Int, event: TransportEvent)], _ directions: [Direction]
    ) -> String {
        var run = QueueRun {
            $0.slots = 6
            $0.mode = .simple
        }
        for direction in directions { run.add(.sample(direction: direction)) }
        for (number, event) in events { run.report(number, event) }
        return [run.queue.progress, run.queue.uploads]
            .map { "\($0.completed)/\($0.total) \($0.settled)" }.joined(separator: ", ")
    }
}

extension TransportEvent {
    /// A duplicate may answer another size probe.
    fileprivate var isCumulative: Bool {
        if case .probed = self { true } else { false }
    }

    fileprivate var endsAttempt: Bool {
        switch self {
        case .failed, .stopped, .finished, .bodyEnded, .listed: true
        case .requested, .connected, .demanded, .mirrors, .redirected, .opened, .moved, .durable, .sent, .unsent,
            .placed, .replied,
            .warned,
            .verified, .probed, .found, .ended, .wrongPiece:
            false
        }
    }
}
