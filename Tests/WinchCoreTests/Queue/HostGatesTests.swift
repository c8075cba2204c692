import Testing

@testable import WinchCore

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
