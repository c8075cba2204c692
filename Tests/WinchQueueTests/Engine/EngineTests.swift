import Synchronization
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The engine` {
    @Test func `says how many of the entries that a user names are new, and how many it starts anew`() async {
        let stage = Stage(slots: 1)
        let (answers, reply) = AsyncStream.makeStream(of: AdditionReply.self)
        for names in [["a", "b"], ["b", "c"], ["a"], ["c", "a"]] {
            if names[0] == "c" { stage.inbox.send(.cancel([TransferID(3)])) }
            let urls = names.compactMap { name in try? TransferURL("http://h/\(name)") }
            let additions = urls.map { Addition(spec: TransferSpec(urls: [$0])) }
            stage.inbox.add(additions) { answer in reply.yield(answer) }
        }
        var added: [AdditionReply] = []
        for await answer in answers.prefix(4) { added.append(answer) }
        expectEqual(added, [.added(2), .added(1), .added(0), .added(0, startedAnew: 1)])
        _ = await stage.quit()
    }

    @Test func `refuses an entry that would replace the file of another upload, and says why`() async throws {
        let stage = Stage(slots: 1)
        let (answers, reply) = AsyncStream.makeStream(of: AdditionReply.self)
        let url = try TransferURL("http://h/f")
        for sources in [["a"], ["b", "a"]] {
            let specs = sources.map { TransferSpec(upload: UploadOrder(.file($0)), to: url) }
            stage.inbox.add(specs.map { Addition(spec: $0) }) { answer in reply.yield(answer) }
        }
        var added: [AdditionReply] = []
        for await answer in answers.prefix(2) { added.append(answer) }
        let words = "b and a both go to http://h/f; give each a URL of its own"
        expectEqual(added, [.added(1), .added(0, refused: [words])])
        _ = await stage.quit()
    }

    @Test func `says which uploads it does not start for another run's list, and for a command`() async throws {
        let stage = Stage(slots: 1)
        let (answers, reply) = AsyncStream.makeStream(of: [String].self)
        let url = try TransferURL("http://h/f")
        for source in ["a", "b"] {
            let spec = TransferSpec(upload: UploadOrder(.file(source)), to: url)
            stage.inbox.takeOver([Addition(spec: spec)]) { refused in reply.yield(refused) }
        }
        stage.inbox.send(.retry([TransferID(2)])) { refused in reply.yield(refused) }
        var refused: [[String]] = []
        for await answer in answers.prefix(3) { refused.append(answer) }
        let words = "b and a both go to http://h/f; give each a URL of its own"
        expectEqual(refused, [[], [words], [words]])
        _ = await stage.quit()
    }

    @Test func `lets in what a Metalink names`() async {
        let file = TransferSpec.sample(hosts: ["b.example"])
        let stage = Stage(slots: 1) { call, id in
            guard call == "open", id.transfer.number == 1 else { return [] }
            return [.requested, .listed([file], size: ByteCount(bytes: 3), warning: nil)]
        }
        stage.add(1)
        // The report, and what it names, come back through the inbox.
        for _ in 0..<3 { await stage.caughtUp() }
        expectEqual(stage.transport.asked, ["open 1", "open 2"])
        _ = await stage.quit()
    }

    @Test func `starts the next when one is done`() async {
        let stage = Stage(slots: 1) { call, _ in
            call == "open" ? [.finished(.saved(path: "f"), size: ByteCount(bytes: 3))] : []
        }
        stage.add(3)
        await stage.caughtUp()
        await stage.caughtUp()
        let summary = await stage.quit()
        expectEqual(stage.transport.asked, ["open 1", "open 2", "open 3", "shutDown"])
        expectEqual(summary.finished, 3)
        expectEqual(summary.exitCode, 0)
    }

    @Test func `pauses, resumes and cancels through the transport`() async {
        let stage = Stage(slots: 1) { call, _ in call == "close" ? [.stopped(kept: nil)] : [] }
        stage.add(1)
        stage.inbox.send(.pause([TransferID(1)]))
        await stage.caughtUp()
        stage.inbox.send(.resume([TransferID(1)]))
        await stage.caughtUp()
        stage.inbox.send(.cancel([TransferID(1)]))
        await stage.caughtUp()
        expectEqual(stage.transport.asked, ["open 1", "close 1", "open 1", "drop 1"])
        let summary = await stage.quit()
        expectEqual(summary.cancelled, 1)
    }

    @Test func `closes everything on quit and starts nothing more`() async {
        // The report that arrives while the transport shuts down frees a slot, which must not start the second transfer.
        let stage = Stage(slots: 1) { call, _ in
            call == "shutDown" ? [.finished(.saved(path: "f"), size: ByteCount(bytes: 3))] : []
        }
        stage.add(2)
        await stage.caughtUp()
        let summary = await stage.quit()
        expectEqual(stage.transport.asked, ["open 1", "shutDown"])
        expect((summary.finished, summary.unfinished, summary.failures) == (1, 1, []))
        expectEqual(summary.exitCode, RunSummary.unfinishedCode)
    }

    @Test func `waits for the removal of a part that was cancelled just before the end`() async {
        let kept = ResumePoint(partPath: "f.part", targetPath: "f", have: ByteCount(bytes: 700))
        let stage = Stage(slots: 1) { call, _ in call == "shutDown" ? [.stopped(kept: kept)] : [] }
        stage.add(1)
        await stage.caughtUp()
        stage.inbox.send(.cancel([TransferID(1)]))
        _ = await stage.quit()
        expectEqual(stage.transport.asked, ["open 1", "drop 1", "shutDown", "discard 1", "shutDown"])
    }

    @Test func `renews connections that deliver nothing after the machine has slept`() async {
        let seconds = Atomic<Int>(1)
        let slept = Atomic<Int>(0)
        let clock = StageClock(
            now: { Moment(seconds: Double(seconds.load(ordering: .relaxed))) },
            slept: { .seconds(slept.load(ordering: .relaxed)) })
        let stage = Stage(slots: 1, clock: clock) { call, _ in call == "close" ? [.stopped(kept: nil)] : [] }
        stage.add(1)
        await stage.caughtUp()
        slept.store(3600, ordering: .relaxed)
        for second in 2...7 {
            seconds.store(second, ordering: .relaxed)
            stage.inbox.tick()
            await stage.caughtUp()
        }
        await stage.caughtUp()
        expectEqual(stage.transport.asked, ["open 1", "close 1", "open 1"])
        _ = await stage.quit()
    }

    @Test func `reports the bytes on disk after the final stop`() async {
        let kept = ResumePoint(partPath: "f.part", targetPath: "f", have: ByteCount(bytes: 700))
        let stage = Stage(slots: 1) { call, _ in call == "shutDown" ? [.stopped(kept: kept)] : [] }
        stage.add(1)
        await stage.caughtUp()
        stage.inbox.send(.quit)
        let last = await stage.lastUpdate()
        expectEqual(last?.rows[TransferID(1)]?.have, ByteCount(bytes: 700))
        expectEqual(last?.rows[TransferID(1)]?.phase.isActive, false)
    }

    @Test func `posts changes only`() async {
        let stage = Stage()
        stage.add(1)
        let first = await stage.caughtUp()
        expect(first.contains { $0.rows[TransferID(1)] != nil })
        stage.inbox.send(.pause([TransferID(1)]))
        await stage.caughtUp()
        // A command about an unknown transfer, and a report of an attempt that is not the present one.
        stage.inbox.send(.resume([TransferID(9)]))
        stage.inbox.report([
            TransportReport(
                .sample(1, 7), at: Moment(seconds: 1),
                event: .moving(to: 1))
        ])
        let last = await stage.caughtUp()
        expectEqual(last.count, 1)
        expectEqual(last.first?.rows.isEmpty, true)
        _ = await stage.quit()
    }

    @Test func `is asked for its state, while it runs and after its end`() async {
        let stage = Stage(slots: 1)
        stage.add(2)
        let number = await stage.caughtUp().last?.number
        let snapshot = await stage.engine.snapshot()
        expectEqual(snapshot.number, number)
        expect(snapshot.rows.map(\.id.number) == [1, 2] && snapshot.rows.map(\.phase)[0] == .connecting)
        expectEqual(snapshot.settings.slots, 1)
        // The clock of the stage reads 1 s at 1001 s.
        expectEqual(snapshot.origin, UnixTime(milliseconds: 1_000_000))
        _ = await stage.quit()
        await expectEqual(stage.engine.snapshot().rows.count, 2)
    }

    @Test func `gives the whole state to one that joins, also after its end`() async {
        let stage = Stage(slots: 1)
        stage.add(2)
        await stage.caughtUp()
        for _ in 0..<2 {
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            let buffer = UpdateBuffer(wake: { arrival.yield() })
            stage.feed.subscribe(buffer, knowing: nil)
            for await _ in arrivals { break }
            expectEqual(buffer.take()?.rows.count, 2)
            _ = await stage.quit()
        }
    }
}
