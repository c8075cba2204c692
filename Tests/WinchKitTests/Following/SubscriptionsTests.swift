import FaultServer
import Synchronization
import TestSupport
import Testing

@testable import WinchKit
@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `Observing` {
    @Test func `a transfer ends with its last state, and the fraction is 1 only then`() async throws {
        try await Site.queue { site, queue in
            let transfer = try queue.add(site.server.url("one", "size=300K", "rate=1M"))
            let seen = await transfer.progress.collected
            let last = try require(seen.last)
            expectEqual(last.phase, .finished(.saved(path: "one")))
            expectEqual(last.fraction, 1)
            expectEqual(last.completed, ByteCount(bytes: 300 << 10))
            expectEqual(last.total, last.completed)
            expectMore(seen.count, than: 2)
            expect(seen.dropLast().allSatisfy { !$0.isSettled && $0.fraction ?? 0 < 1 })
            expectEqual(seen.map(\.completed), seen.map(\.completed).sorted())
            expectEqual(site.folder.names, ["one"])
        }
    }

    @Test(arguments: ProgressMode.allCases)
    func `the queue ends when every transfer is settled`(mode: ProgressMode) async throws {
        try await Site.queue({ $0.mode = mode }) { site, queue in
            for number in 1...5 { try queue.add(site.server.url("f\(number)", "size=20K", "rate=100K")) }
            try queue.add(site.server.url("missing", "status=404"))
            let seen = await queue.progress.collected
            let last = try require(seen.last)
            expect(last.isSettled)
            expectEqual(last.fraction, 1)
            expect(last.completed == (mode == .simple ? 6 : 5 * 20 << 10))
            expectEqual(last.total, last.completed)
            expect((last.count, last.finished, last.failed) == (6, 5, 1))
            expect(seen.dropLast().allSatisfy { !$0.isSettled && $0.fraction ?? 0 < 1 })
            let summary = await queue.finished()
            expectEqual(summary.exitCode, 3)
            expectEqual(summary.results.map(\.id.number), Array(1...6))
            expectEqual(summary.results.last?.ending, .failed(.httpStatus(404)))
            expectEqual(summary.results.first?.path, site.folder.path + "/f1")
        }
    }

    @Test func `is possible for several consumers, and a slow one receives the latest state only`() async throws {
        try await Site.queue({ $0.isHeld = true }) { site, queue in
            let transfer = try queue.add(site.server.url("s", "size=200K", "rate=1M"))
            var slow = transfer.progress.makeAsyncIterator()
            async let first = transfer.progress.collected
            async let second = transfer.progress.collected
            queue.go()
            await expectEqual(first.last?.isSettled, true)
            await expectEqual(second.last?.isSettled, true)
            // The slow loop has read nothing so far, and only the last value was kept for it.
            await expectEqual(slow.next()?.fraction, 1)
            await expectNil(slow.next())
        }
    }

    @Test func `a settled transfer yields its final state and ends`() async throws {
        try await Site.queue { site, queue in
            let transfer = try queue.add(site.server.url("late", "size=1K"))
            let result = await transfer.result()
            expectEqual(result.ending, .finished(.saved(path: "late")))
            await expectEqual(transfer.progress.collected.map(\.fraction), [1])
            await expectEqual(queue.progress.collected.map(\.fraction), [1])
            // In the second run, no state may be final before its end.
            try queue.add(site.server.url("more", "size=100K", "rate=300K"))
            let again = await queue.progress.collected
            expect(again.dropLast().allSatisfy { $0.fraction ?? 0 < 1 && $0.count == 2 })
            expectEqual(again.last?.finished, 2)
            await queue.close()
            await expectEqual(transfer.progress.collected.map(\.fraction), [1])
        }
    }

    @Test func `an empty queue ends at once`() async throws {
        let queue = try NetworkQueue()
        await expectEqual(queue.progress.collected.map(\.count), [0])
        await expect(queue.finished().results.isEmpty)
        await queue.close()
    }

    @Test func `yields no total while the size is unknown`() async throws {
        try await Site.queue { site, queue in
            let transfer = try queue.add(site.server.url("u", "size=100K", "chunked", "rate=300K"))
            async let whole = queue.progress.collected
            let moving = await transfer.progress.collected.filter { $0.phase == .moving }
            expect(!moving.isEmpty)
            expect(moving.allSatisfy { $0.total == nil && $0.fraction == nil && $0.isEstimated && $0.timeLeft == nil })
            let ofQueue = await whole.filter { !$0.isSettled && $0.completed > 0 && $0.active == 1 }
            expect(ofQueue.contains { $0.total == nil && $0.fraction == nil && $0.isEstimated })
            expectEqual(transfer.latest?.total, ByteCount(bytes: 100 << 10))
        }
    }

    @Test func `yields the cause when a bar moves back`() async throws {
        try await Site.queue { site, queue in
            let url = site.server.url("b", "size=600K", "dropfirst=300K", "ranges=off", "rate=1M")
            let seen = await (try queue.add(url)).progress.collected
            expect(seen.contains { $0.rebase?.cause == .rangeIgnored })
            for (before, after) in zip(seen, seen.dropFirst()) where after.completed < before.completed {
                expect(after.rebase != before.rebase)
            }
            expectEqual(seen.last?.fraction, 1)
            expectEqual(queue.latest.rebase?.cause, .rangeIgnored)
        }
    }

    @Test func `leaves no subscription when the consumer stops`() async throws {
        try await Site.queue { site, queue in
            let transfer = try queue.add(site.server.url("g", "size=1M", "stall=1K"))
            for await _ in transfer.progress { break }
            for await _ in queue.progress { break }
            for await _ in queue.events { break }
            _ = transfer.progress.makeAsyncIterator()
            let waiting = Task { await transfer.result() }
            waiting.cancel()
            await expectEqual(waiting.value.ending, .unfinished)
            try await expect(eventually { queue.broadcaster.state.withLock { $0.follows.isEmpty } })
        }
    }
}
