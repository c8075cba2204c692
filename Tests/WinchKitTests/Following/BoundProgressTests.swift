import FaultServer
import Synchronization
import TestSupport
import Testing

@testable import WinchKit
@testable import WinchModel

/// Records the states that it is shown.
private final class Recorder: ProgressReceiver {
    private let seen = Mutex<[Transfer.Progress]>([])

    func show(_ progress: Transfer.Progress) { seen.withLock { $0.append(progress) } }

    var all: [Transfer.Progress] { seen.withLock { $0 } }
    var isComplete: Bool { all.last?.fraction == 1 }
}

@Suite(.timeLimit(.minutes(5))) struct `A bound progress receiver` {
    @Test func `receives every state and the final one exactly once`() async throws {
        try await Site.queue { site, queue in
            let transfer = try queue.add(site.server.url("b", "size=200K", "rate=1M"))
            let bar = Recorder()
            let binding = transfer.bind(.down, to: bar)
            try await expect(eventually { bar.isComplete })
            expectEqual(bar.all.filter(\.isSettled).count, 1)
            expectMore(bar.all.count, than: 2)
            binding.unbind()
        }
    }

    @Test func `is replaced by the next one bound to the same direction`() async throws {
        try await Site.queue({ $0.isHeld = true }) { site, queue in
            let transfer = try queue.add(site.server.url("w", "size=1K"))
            _ = await transfer.progress.first { _ in true }
            let (before, after, other) = (Recorder(), Recorder(), Recorder())
            let bindings = [transfer.bind(.down, to: before), transfer.bind(.down) { after.show($0) }]
            let third = transfer.bind(.up, to: other)
            queue.go()
            try await expect(eventually { after.isComplete })
            // Only the state at the time of its binding.
            expectEqual(before.all.map(\.phase), [.paused])
            // A download has no bytes to send, so its upload direction is complete when the transfer is.
            try await expect(eventually { other.isComplete })
            expectEqual(other.all.map(\.fraction), [0, 1])
            expect(other.all.allSatisfy { $0.completed == .zero && $0.total == .zero })
            withExtendedLifetime((bindings, third)) {}
        }
    }

    @Test func `receives the final state of a settled transfer at once`() async throws {
        try await Site.queue { site, queue in
            let transfer = try queue.add(site.server.url("f", "size=1K"))
            _ = await transfer.result()
            await queue.close()
            let bar = Recorder()
            _ = transfer.bind(.down, to: bar)
            expectEqual(bar.all.map(\.fraction), [1])
        }
    }

    @Test func `is released with its binding and receives nothing afterwards`() async throws {
        try await Site.queue({ $0.isHeld = true }) { site, queue in
            let transfer = try queue.add(site.server.url("t", "size=1K"))
            _ = await transfer.progress.first { _ in true }
            weak var gone: Recorder?
            do {
                let bar = Recorder()
                gone = bar
                let binding = transfer.bind(.down) { bar.show($0) }
                expectEqual(bar.all.count, 1)
                withExtendedLifetime(binding) {}
            }
            try await expect(eventually { gone == nil })
            expect(queue.broadcaster.state.withLock { $0.follows.isEmpty })
        }
    }

    @Test func `is not retained by the binding`() async throws {
        try await Site.queue({ $0.isHeld = true }) { site, queue in
            let transfer = try queue.add(site.server.url("o", "size=1K"))
            weak var gone: Recorder?
            let binding: ProgressBinding
            do {
                let bar = Recorder()
                gone = bar
                binding = transfer.bind(.down, to: bar)
            }
            expectNil(gone)
            queue.go()
            _ = await transfer.result()
            try await expect(eventually { queue.broadcaster.state.withLock { $0.follows.isEmpty } })
            withExtendedLifetime(binding) {}
        }
    }
}
