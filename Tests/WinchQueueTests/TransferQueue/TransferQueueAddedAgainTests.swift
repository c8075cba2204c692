import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `An entry that is added while the queue runs` {
    private static let other = TransferSpec.sample(hosts: ["b.example"])

    private func count(_ run: QueueRun) -> Int { run.queue.transfers.count { _ in true } }

    @Test func `and is already listed is not added, but reported`() {
        var run = QueueRun()
        run.name(.sample())
        expectEqual(run.addedAgain, [])
        run.name(.sample(), Self.other)
        expectEqual(run.addedAgain, [Update.AddedAgain(id: TransferID(1), isStartedAnew: false)])
        expectEqual(count(run), 2)
    }

    @Test func `and has failed or was cancelled before is retried`() {
        var run = QueueRun()
        run.name(.sample(), Self.other)
        run.fail(1, .httpStatus(404))
        run.command(.cancel([TransferID(2)]))
        run.name(.sample(), Self.other)
        expectEqual(run.addedAgain.map(\.isStartedAnew), [true, true])
        expectEqual(count(run), 2)
        expectEqual(run.started, [1])
        expect(run.phase(2) != .cancelled)
    }

    /// The server is asked whether the existing file has changed; no numbered copy is created.
    @Test func `and is already finished is checked again under its own name`() {
        var run = QueueRun()
        run.name(.sample())
        run.fetch(1, of: 100)
        run.name(.sample())
        expectEqual(run.addedAgain, [Update.AddedAgain(id: TransferID(1), isStartedAnew: true)])
        expectEqual(run.started, [1])
        expectEqual(count(run), 1)
        run.report(1, .finished(.alreadyComplete(path: "file"), size: ByteCount(bytes: 100)))
        expectEqual(run.phase(1), .finished(.alreadyComplete(path: "file")))
        expectEqual(run.bar, "100/100")
    }

    @Test func `and would replace the file of an upload that is not settled is refused`() throws {
        var run = QueueRun()
        let upload = { (file: String, url: String, method: UploadOrder.Method) in
            TransferSpec(upload: UploadOrder(.file(file), method: method), to: try TransferURL(url))
        }
        let first = try upload("a", "http://h/f", .put)
        run.name(first)
        let given: [TransferSpec] = [
            first, try upload("b", "HTTP://H:80/./%66", .put), try upload("b", "http://h/f", .post),
            try upload("b", "http://h/g", .put), try upload("c", "http://h/g", .put), .sample(),
        ]
        let (additions, refused) = run.queue.withoutClashes(given.map { Addition(spec: $0) })
        expectEqual(additions.map(\.spec), [given[0], given[2], given[3], given[5]])
        expectEqual(refused.map { $0.prefix(20) }, ["b and a both go to h", "c and b both go to h"])
        run.command(.cancel([TransferID(1)]))
        expectEqual(run.queue.withoutClashes([Addition(spec: given[1])]).refused, [])
    }

    @Test func `twice in one step is added once unless it is already listed`() {
        var run = QueueRun()
        run.apply(.added((0..<1000).map { Addition(spec: .sample(hosts: ["h\($0).example"])) }))
        run.apply(.named((0..<2000).map { Addition(spec: .sample(hosts: ["h\($0).example"])) }))
        expectEqual(count(run), 2000)
        expectEqual(run.addedAgain.count, 1000)
    }
}
