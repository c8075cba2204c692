import FaultServer
import Synchronization
import TestSupport
import Testing

@testable import WinchKit
@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `Events of a queue` {
    @Test func `arrive in order for each transfer`() async throws {
        try await Site.queue({ $0.mode = .simple }) { site, queue in
            var events = queue.events.makeAsyncIterator()
            let url = site.server.url("e", "size=100K", "redirect=1", "rate=300K")
            let id = try queue.add(url).id
            var words: [String] = []
            while let event = await events.next() {
                expect(event.transfer == (event == .queueFinished ? nil : id))
                let word = event.word
                if word != words.last, word != "sized" { words.append(word) }
                if event == .queueFinished { break }
            }
            expectEqual(
                words,
                [
                    "added", "started", "headers", "redirected", "headers", "bytes", "verifying", "finished",
                    "queueFinished",
                ])
            await queue.close()
            await expectNil(events.next())
        }
    }

    @Test func `tell a pause and its end`() async throws {
        try await Site.queue { site, queue in
            var events = queue.events.makeAsyncIterator()
            let transfer = try queue.add(site.server.url("p", "size=1M", "stall=100K"))
            transfer.pause()
            transfer.resume()
            transfer.cancel()
            var words: [String] = []
            while let event = await events.next(), event != .queueFinished { words.append(event.word) }
            let changes = words.filter { ["paused", "resumed", "cancelled"].contains($0) }
            expectEqual(changes, ["paused", "resumed", "cancelled"])
        }
    }

    @Test func `report the end of each run exactly once`() async throws {
        try await Site.queue({ $0.isHeld = true }) { site, queue in
            let sequence = queue.events
            var events = sequence.makeAsyncIterator()
            for number in 1...3 { try queue.add(site.server.url("q\(number)", "size=1K")) }
            try queue.add(site.server.url("q4", "status=404"))
            queue.go()
            _ = await queue.finished()
            try queue.add(site.server.url("again", "size=1K"))
            _ = await queue.finished()
            await queue.close()
            var all: [NetworkQueue.Event] = []
            while let event = await events.next() { all.append(event) }
            let ends = all.indices.filter { all[$0] == .queueFinished }
            expectEqual(ends.count, 2)
            let first = try require(ends.first)
            expectEqual(all[..<first].filter { ["finished", "failed"].contains($0.word) }.count, 4)
            expectEqual(all.last, .queueFinished)
            await expect(sequence.collected.isEmpty)
        }
    }

    @Test func `report failures as in the example`() async throws {
        try await Site.queue { site, queue in
            async let failed = failures(in: queue)
            try await expect(eventually { queue.broadcaster.state.withLock { !$0.follows.isEmpty } })
            try queue.add(site.server.url("m", "status=404"))
            await expectEqual(failed, ["1: 404 not found"])
        }
    }

    @Test func `are limited in number for a suspended consumer, which receives the number of missed ones`() {
        let buffer = EventBuffer()
        let (first, second) = (TransferID(1), TransferID(2))
        for number in 0..<1000 {
            let have = ByteCount(bytes: Int64(number))
            buffer.put([.bytes(first, have: have, size: nil), .bytes(second, have: have, size: nil)], room: 100)
        }
        let held = buffer.all
        // Only the last `bytes` of each transfer are kept, and no event was dropped.
        expectAtMost(held.count, 100)
        let last = ByteCount(bytes: 999)
        expectEqual(held.suffix(2), [.bytes(first, have: last, size: nil), .bytes(second, have: last, size: nil)])
        expect(!held.contains { $0.word == "missed" })

        buffer.put((1...1000).map { .paused(TransferID($0)) } + [.queueFinished], room: 100)
        let rest = buffer.all
        expectEqual(rest.count, 51)
        expectEqual(rest.first, .missed(951))
        expectEqual(rest.last, .queueFinished)
    }
}

extension EventBuffer {
    fileprivate var all: [NetworkQueue.Event] {
        var all: [NetworkQueue.Event] = []
        while let event = take() { all.append(event) }
        return all
    }
}

extension NetworkQueue.Event {
    /// The name of the case.
    fileprivate var word: String { String("\(self)".prefix { $0 != "(" }) }
}
