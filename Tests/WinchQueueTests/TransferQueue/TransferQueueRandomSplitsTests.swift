import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

extension `A queue under random events` {
    /// With connections that come, are cut, refused and lost, files that change, mirrors that lie, and commands in between. In the
    /// end servers are kind: then all files that have not failed for good come whole.
    @Test(arguments: 0..<Streams.blocks)
    func `keeps the ranges of files over several connections`(block: UInt64) {
        for seed in Streams.seeds(block, share: 100) {
            if let broken = playSplit(seed: seed) {
                Issue.record("seed \(seed): \(broken)")
                return
            }
        }
    }

    private func playSplit(seed: UInt64) -> String? {
        var transport = SplitTransport(seed: seed)
        var settings = QueueSettings()
        settings.slots = transport.pick(1...3)
        settings.perHost = transport.pick(1...8)
        settings.perNewHost = transport.pick(1...settings.perHost)
        settings.rateLimit = transport.pick(0...4) == 0 ? ByteRate(perSecond: 1e7) : nil
        settings.seed = seed
        var queue = TransferQueue(settings: settings)
        var (now, invariants) = (Moment(seconds: 1000), Invariants(queue))
        queue.keepLedger(from: LedgerKey(1), calendar: .sample)

        func apply(_ event: QueueEvent) -> String? {
            let actions = queue.apply(event, at: now)
            if let broken = invariants.check(queue, after: event, actions, at: now) { return "\(broken): \(event)" }
            queue.feed.clear()
            transport.take(actions)
            return transport.difference(to: queue).map { "\($0): \(event)" }
        }

        if let broken = apply(.added((0..<transport.pick(1...4)).map { _ in Self.addition(&transport) })) {
            return broken
        }
        for step in 0..<3000 {
            transport.isKind = step > 400
            let broken: String?
            if !transport.isKind, transport.pick(0...39) == 0 {
                broken = apply(.command(Self.command(&transport)))
            } else if let (id, event) = transport.next() {
                broken = apply(.report(TransportReport(id, at: now, event: event)))
            } else {
                broken = nil
            }
            if let broken { return "\(broken) (\(step))" }
            if transport.pick(0...3) == 0 {
                now = now + .milliseconds(transport.pick(1...40))
                transport.now = now
                if let broken = apply(.tick) { return "\(broken) (\(step))" }
            }
            if step == 401, let broken = apply(.command(.resumeAll)) { return broken }
            if step > 401 {
                // Waits are not played.
                if let next = queue.schedule.retries.next, next > now, queue.active.isEmpty { now = next }
                if queue.settled == queue.count { return nil }
            }
        }
        let left = queue.order.compactMap { queue[$0] }.filter { !$0.isSettled }
        return "not done: \(left.map { "\($0.id.number) \($0.phase) \($0.connections.open.count)" })"
    }

    private static func addition(_ transport: inout SplitTransport) -> Addition {
        var settings = TransferSettings()
        settings.minSplitSize = ByteCount(bytes: 1 << 18)
        settings.split = [.auto, .auto, .atMost(2), .atMost(8)][transport.pick(0...3)]
        settings.maxTries = 3
        settings.retryWait = .milliseconds(100)
        if transport.pick(0...1) == 0 { settings.checksum = Checksum("md5=d41d8cd98f00b204e9800998ecf8427e") }
        let hosts = ["a.example", "b.example", "c.example"].prefix(transport.pick(1...3))
        return Addition(spec: .sample(hosts: Array(hosts), settings: settings))
    }

    private static func command(_ transport: inout SplitTransport) -> Command {
        let ids = [TransferID(transport.pick(1...4))]
        switch transport.pick(0...7) {
        case 0, 1: return .pause(ids)
        case 2, 3: return .resume(ids)
        case 4: return .cancel(ids)
        case 5: return .retry(ids)
        case 6: return .setSlots(transport.pick(1...4))
        default: return .setRateLimit(transport.pick(0...1) == 0 ? ByteRate(perSecond: 5e6) : nil)
        }
    }
}
