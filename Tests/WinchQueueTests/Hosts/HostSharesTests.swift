import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A host that is shared with other machines` {
    private let host = "a.example"
    private var run = QueueRun()

    private mutating func share(_ places: Int, elsewhere: Int = 0, refusals: Int = 0, isEnforced: Bool = false) {
        let share = HostShare(places: places, elsewhere: elsewhere, refusals: refusals, isEnforced: isEnforced)
        run.command(.shareHosts([host: share]))
    }

    /// Transfers from a host whose share becomes known.
    private mutating func begin(_ count: Int, places: Int, elsewhere: Int = 0) {
        run.command(.shareHosts([:]))
        run.add(count)
        share(places, elsewhere: elsewhere)
    }

    private func use() -> HostUse? { run.queue.hostUse?.first { $0.host == host } }

    @Test mutating func `gets no connection before its share is known`() {
        run.add(1)
        expectEqual(run.running, [1])
        expectNil(run.queue.hostUse)
        run.command(.shareHosts([:]))
        run.add(2)
        // What runs goes on.
        expectEqual(run.running, [1])
        expectEqual(use(), HostUse(host: host, open: 1, accepted: 0, waiting: 2, share: 0, answers: 0, refusals: 0))
        share(2)
        expectEqual(run.running, [1, 2])
    }

    @Test mutating func `is asked for no sizes, which would be a connection more than the share`() {
        begin(9, places: 2)
        run.pass(.seconds(1))
        expectEqual(run.running, [1, 2])
        expect(run.queue.probes.open.isEmpty)
        expectNil(run.queue.nextSizing(after: run.now))
    }

    @Test mutating func `has its open questions for sizes closed when it becomes shared`() {
        run.add(9)
        run.pass(.seconds(1))
        expect(!run.queue.probes.open.isEmpty)
        let open = run.queue.probes.open.sorted()
        run.command(.shareHosts([:]))
        expectEqual(run.actions, open.map { .stopProbe($0) })
        expect(run.queue.probes.open.isEmpty)
    }

    @Test mutating func `gets as many connections as its share`() {
        begin(5, places: 2)
        expectEqual(run.running, [1, 2])
        expectEqual(use()?.waiting, 2)
        share(3)
        expectEqual(run.running, [1, 2, 3])
        expectEqual(use()?.accepted, 0)
        share(1)
        expectEqual(run.running, [1, 2, 3])
        run.open(1, of: 10)
        expectEqual(use()?.accepted, 1)
        run.finish(1, with: 10)
        expectEqual(use()?.accepted, 0)
        run.fetch(2, of: 10)
        expectEqual(run.running, [3])
        expectEqual(use()?.answers, 2)
    }

    @Test mutating func `starts nothing after a refusal, until a share takes it into account`() {
        begin(5, places: 3)
        run.pass(.seconds(1))
        run.open(1, of: 1000)
        run.fail(2, .httpStatus(429))
        expectEqual(run.running, [1, 3])
        expectEqual(use()?.refusals, 1)
        share(3)
        expectEqual(run.running, [1, 3])
        share(3, refusals: 1)
        expectEqual(run.running, [1, 2, 3])
        // The refused transfer has lost no try.
        expectEqual(run.queue[TransferID(2)]?.history.tries, 1)
    }

    @Test mutating func `tells the other machines of a pause that it asks for, and takes theirs`() {
        begin(3, places: 2)
        run.fail(1, .httpStatus(429), retryAfter: .seconds(20))
        expectEqual(use()?.pauses, 1)
        expectEqual(use()?.pause, .seconds(20))
        share(2, refusals: use()?.refusals ?? 0)
        expectEqual(run.running, [2])
        run.pass(.seconds(21))
        expectEqual(run.running.count, 2)

        let asked = HostShare(places: 3, refusals: use()?.refusals ?? 0, pause: .seconds(40))
        run.command(.shareHosts([host: asked]))
        expectEqual(run.running.count, 2)
        run.pass(.seconds(39))
        expectEqual(run.running.count, 2)
        run.pass(.seconds(2))
        expectEqual(run.running.count, 3)
        // What another machine was asked for is no request to this one.
        expectEqual(use()?.pauses, 1)
    }

    @Test mutating func `counts as shared when all other connections are elsewhere`() {
        begin(2, places: 1, elsewhere: 7)
        run.pass(.seconds(1))
        run.fail(1, .httpStatus(429))
        expectEqual(use()?.refusals, 1)
        expectEqual(run.running, [])
        share(1, elsewhere: 3, refusals: 1)
        expectEqual(run.running, [1])
        expectEqual(run.queue[TransferID(1)]?.history.tries, 1)
    }

    @Test mutating func `learns nothing from the refusal of a connection that is older than the share`() {
        begin(3, places: 2)
        run.pass(.seconds(1))
        run.open(1, of: 1000)
        let fewer = HostShare(places: 1, refusals: 0, generation: 1)
        run.command(.shareHosts([host: fewer]))
        run.fail(2, .httpStatus(429))
        expectEqual(use()?.refusals, 0)
        expectEqual(run.running, [1])
    }

    @Test mutating func `gives up connections when that is enforced, and keeps their bytes`() {
        begin(3, places: 3)
        for number in 1...3 {
            run.open(number, of: 1000)
            run.move(number, to: 100)
        }
        share(1, isEnforced: true)
        expectEqual(run.running, [1])
        expectEqual(run.actions.count { if case .close(_, discarding: false) = $0 { true } else { false } }, 2)
        expectEqual(run.queue[TransferID(3)]?.have, ByteCount(bytes: 100))
        share(3)
        run.report(2, .stopped(kept: .sample(100, of: 1000)))
        expectEqual(run.running, [1, 2])
        expectEqual(run.queue[TransferID(2)]?.history.tries, 1)
    }

    @Test mutating func `is forgotten when it is one of many, has no place and is not needed`() {
        begin(2, places: 0)
        let many = 0...ConnectionLimitsByHost.mostQuiet
        let shares = many.map { ("\($0).example", HostShare(places: $0 == 7 ? 1 : 0)) }
        run.command(.shareHosts(Dictionary(uniqueKeysWithValues: shares)))
        // The sender has to learn of it first.
        expectEqual(run.queue.hostUse?.count, many.count + 1)
        run.wait(HostShares.memory)
        run.command(.shareHosts(["new.example": HostShare(places: 0)]))
        expectEqual(run.queue.hostUse?.map(\.host), ["7.example", host, "new.example"])
        expectEqual(use()?.waiting, 2)
    }
}
