import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `An entry that is added while the queue runs` {
    private static let other = TransferSpec.sample(hosts: ["b.example"])

    private static func upload(
        _ file: String, _ method: UploadOrder.Method = .put, to url: String
    ) throws -> TransferSpec {
        TransferSpec(upload: UploadOrder(.file(file), method: method), to: try TransferURL(url))
    }

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

    @Test func `and is listed under a new URL, or was removed and restored, is not added`() throws {
        var run = QueueRun()
        run.name(.sample())
        run.fail(1, .httpStatus(404))
        run.command(.setURL(TransferID(1), try require(Self.other.urls.first)))
        run.name(Self.other)
        expectEqual(run.addedAgain, [Update.AddedAgain(id: TransferID(1), isStartedAnew: false)])
        run.name(.sample())
        expectEqual(count(run), 2)
        run.fail(2, .httpStatus(404))
        run.command(.remove([TransferID(2)]))
        run.command(.restore)
        run.name(.sample())
        expectEqual(run.addedAgain, [Update.AddedAgain(id: TransferID(2), isStartedAnew: true)])
        expectEqual(count(run), 2)
    }

    /// Its bytes would be called finished although they are not those that the entry demands.
    @Test func `and demands a hash is verified by it, or refused`() throws {
        let sums = try ["0", "1"].map { try require(Checksum("md5=" + String(repeating: $0, count: 32))) }
        func wanting(_ checksum: Checksum) -> TransferSpec {
            var spec = TransferSpec.sample()
            spec.listedChecksum = checksum
            return spec
        }
        var run = QueueRun()
        run.name(.sample())
        let refused = run.name(all: [wanting(sums[0])])
        expectEqual(refused, ["file is in the list without this checksum; add it again when it has ended"])
        run.fetch(1, of: 100)
        for sum in sums {
            expectEqual(run.name(all: [wanting(sum)]), [])
            expectEqual(run.queue[TransferID(1)]?.spec.listedChecksum, sum)
            expectEqual(run.started, [1])
            expectEqual(run.name(all: [wanting(sum), .sample()]), [])
            run.report(1, .finished(.alreadyComplete(path: "file"), size: ByteCount(bytes: 100)))
        }
        expectEqual(count(run), 1)
    }

    @Test func `and demands a hash is verified by it while the listed one waits`() throws {
        let sum = try require(Checksum("md5=" + String(repeating: "0", count: 32)))
        var run = QueueRun()
        run.name(.sample())
        run.command(.pause([TransferID(1)]))
        run.report(1, .stopped(kept: nil))
        var settings = TransferSettings()
        settings.checksum = sum
        expectEqual(run.name(all: [.sample(settings: settings)]), [])
        expectEqual(run.queue[TransferID(1)]?.settings.checksum, sum)
        settings.checksum = try require(Checksum("md5=" + String(repeating: "1", count: 32)))
        expectEqual(run.name(all: [.sample(settings: settings)]).count, 1)
        expectEqual(run.queue[TransferID(1)]?.settings.checksum, sum)
    }

    @Test func `and would replace the file of an upload that is not settled is refused`() throws {
        var run = QueueRun()
        let first = try Self.upload("a", to: "http://h/f")
        run.name(first)
        let given: [TransferSpec] = [
            first, try Self.upload("b", to: "HTTP://H:80/./%66"), try Self.upload("b", .post, to: "http://h/f"),
            try Self.upload("b", to: "http://h/g"), try Self.upload("c", to: "http://h/g"), .sample(),
        ]
        let refused = run.name(all: given)
        expectEqual(run.queue.transfers.map(\.spec.wanted), [0, 2, 3, 5].map { given[$0].wanted })
        expectEqual(run.addedAgain, [Update.AddedAgain(id: TransferID(1), isStartedAnew: false)])
        expectEqual(refused.map { $0.prefix(20) }, ["b and a both go to h", "c and b both go to h"])
        run.command(.cancel([TransferID(1)]))
        run.report(1, .stopped(kept: nil))
        expectEqual(run.name(all: [given[1]]), [])
        expectEqual(run.name(all: [first]), ["a and b both go to http://h/f; give each a URL of its own"])
        expectEqual(run.phase(1), .cancelled)
    }

    @Test func `and is named twice is added once, and refused where the first does not demand its hash`() throws {
        let sum = try require(Checksum("md5=" + String(repeating: "0", count: 32)))
        var summed = TransferSpec.sample()
        summed.listedChecksum = sum
        let upload = try Self.upload("a", to: "http://h/f")
        var run = QueueRun()
        expectEqual(run.name(all: [upload, upload, .sample(), .sample()]), [])
        expectEqual(count(run), 2)
        run = QueueRun()
        expectEqual(run.name(all: [summed, .sample(), summed]), [])
        expectEqual(count(run), 1)
        run = QueueRun()
        expectEqual(
            run.name(all: [.sample(), summed]),
            ["file is in the list without this checksum; add it again when it has ended"])
        expectEqual(count(run), 1)
    }

    @Test func `and was sent by an earlier run is refused only where it would be sent again`() throws {
        let sent = Addition(
            LedgerEntry(
                key: LedgerKey(9), rank: 9, spec: try Self.upload("a", to: "http://h/f"),
                standing: .finished(.sent(path: "f")), name: "f", addedAt: UnixTime(milliseconds: 0)))
        var run = QueueRun()
        run.name(try Self.upload("b", to: "http://h/f"))
        expectEqual(run.name(additions: [sent]), [])
        run = QueueRun()
        run.name(sent.spec)
        run.command(.cancel([TransferID(1)]))
        run.report(1, .stopped(kept: nil))
        run.name(try Self.upload("b", to: "http://h/f"))
        expectEqual(run.name(additions: [sent]).count, 1)
        expectEqual(run.phase(1), .cancelled)
    }

    @Test func `twice in one step is added once unless it is already listed`() {
        var run = QueueRun()
        run.apply(.added((0..<1000).map { Addition(spec: .sample(hosts: ["h\($0).example"])) }))
        run.name(all: (0..<2000).map { .sample(hosts: ["h\($0).example"]) })
        expectEqual(count(run), 2000)
        expectEqual(run.addedAgain.count, 1000)
    }
}
