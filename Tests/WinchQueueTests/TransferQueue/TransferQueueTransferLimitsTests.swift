import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A limit for single transfers` {
    @Test func `applies at once to running ones and from the start to waiting ones`() {
        var run = QueueRun { $0.slots = 2 }
        run.add(3)
        let all = (1...3).map(TransferID.init)
        run.command(.setRateLimitEach([all[0], all[2]], ByteRate(perSecond: 500)))
        expectEqual(run.actions, [.limit(.sample(1), ByteRate(perSecond: 500))])
        run.report(2, .requested)
        run.fetch(2, of: 1)
        expectEqual(run.queue[all[2]]?.appliedLimit, ByteRate(perSecond: 500))
        run.command(.setRateLimitEach(all, nil))
        expectEqual(Set(run.actions), [.limit(.sample(1), nil), .limit(.sample(3), nil)])
    }

    @Test func `of zero or for no transfer has no effect`() {
        var run = QueueRun()
        run.add(1)
        run.command(.setRateLimitEach([TransferID(1), TransferID(7), TransferID(-3)], .zero))
        expect(run.actions.isEmpty)
    }

    @Test func `leaves transfers with equal settings with one shared copy`() {
        var run = QueueRun { $0.isHeld = true }
        let shared = Shared(TransferSettings())
        var specs: [Addition] = []
        for _ in 0..<3 {
            var spec = TransferSpec.sample()
            spec.settings = shared
            specs.append(Addition(spec: spec))
        }
        run.apply(.added(specs))
        run.command(.setRateLimitEach((1...3).map(TransferID.init), ByteRate(perSecond: 5)))
        let settings = run.queue.transfers.map(\.spec.settings)
        expect(settings.allSatisfy { $0 === settings[0] })
        expectNil(shared.value.rateLimit)
    }
}
