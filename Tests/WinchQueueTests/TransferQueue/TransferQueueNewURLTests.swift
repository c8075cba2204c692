import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A new URL for a transfer` {
    private let url: TransferURL
    private let one = TransferID(1)

    init() throws {
        url = try TransferURL("http://b.example/other?token=1")
    }

    @Test func `keeps the bytes and marks them as coming from another URL`() {
        var run = QueueRun()
        run.add(kept: 400, of: 1000)
        run.fail(1, .httpStatus(403), kept: 400)
        expectEqual(run.phase(1), .failed(.httpStatus(403)))
        run.command(.setURL(one, url))
        expectEqual(run.request?.url, url)
        expectEqual(run.request?.resume?.have, ByteCount(400))
        expectEqual(run.request?.isNewAddress, true)
        // Once the file there has proved to be the same, its own responses count.
        run.open(1, at: 400, of: 1000)
        run.fail(1, kept: 600)
        run.pass(.seconds(3))
        expectEqual(run.queue[one]?.history.hasNewAddress, false)
        expectEqual(run.queue[one]?.url, url)
    }

    @Test func `takes effect after the connection is closed and resumes from what it left`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        run.move(1, to: 300)
        run.command(.setURL(one, url))
        expectEqual(run.actions, [.close(ConnectionID(transfer: one, number: 1), discarding: false)])
        expect(run.running.isEmpty)
        run.report(1, .stopped(kept: .sample(350, of: 1000)))
        expectEqual(run.request?.url, url)
        expectEqual(run.request?.resume?.have, ByteCount(350))
        expectEqual(run.request?.isNewAddress, true)
        expectEqual(run.queue[one]?.have, ByteCount(350))
    }

    @Test func `replaces the one in use and keeps the other mirrors`() throws {
        var run = QueueRun()
        run.apply(.added([Addition(spec: .sample(hosts: ["a.example", "c.example"]))]))
        run.command(.pause([one]))
        run.report(1, .stopped(kept: nil))
        run.command(.setURL(one, url))
        expectEqual(run.phase(1), .paused)
        expectEqual(run.queue[one]?.spec.urls.map(\.self), [url, try TransferURL("http://c.example/file")])
        run.command(.resume([one]))
        expectEqual(run.request?.url, url)
        expectEqual(run.request?.isNewAddress, false, "nothing is kept")
    }

    @Test func `is not asked by the version that the file had at the other`() {
        var run = QueueRun()
        run.add(.finishedBefore)
        run.fail(1, .httpStatus(403))
        run.command(.setURL(one, url))
        expectEqual(run.request?.url, url)
        expectNil(run.request?.finishedFile)
    }

    @Test func `uses the slots of its own host`() {
        var run = QueueRun {
            $0.slots = 4
            $0.perHost = 1
        }
        run.add(.sample(hosts: ["a.example"]), .sample(hosts: ["a.example"]), .sample(hosts: ["a.example"]))
        expectEqual(run.running, [1])
        run.command(.setURL(TransferID(2), url))
        expectEqual(run.running, [1, 2])
        run.command(.setURL(TransferID(3), url))
        expectEqual(run.running, [1, 2])
        run.finish(2, with: 10)
        expectEqual(run.running, [1, 3])
    }

    @Test func `is reported, so that it is logged`() {
        var run = QueueRun()
        run.add(1)
        run.command(.pause([one]))
        run.command(.setURL(one, url))
        expectEqual(run.events.map(\.kind), [.redirected(url: url.redacted)])
    }
}
