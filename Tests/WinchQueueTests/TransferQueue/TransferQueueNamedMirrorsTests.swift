import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `Mirrors that a server names` {
    private static func urls(_ hosts: String...) throws -> [TransferURL] {
        try hosts.map { try TransferURL("http://\($0)/file") }
    }

    @Test func `are tried after the given ones`() throws {
        var run = QueueRun()
        run.add(.sample(hosts: ["a", "b"]))
        run.report(1, .mirrors(try Self.urls("c", "a", "B"), metalink: nil))
        expectEqual(run.queue[TransferID(1)]?.spec.urls.map(\.hostAndPort), ["a", "b", "c"])
        run.open(1, of: 100)
        run.fail(1)
        expectEqual(run.request?.url.hostAndPort, "b")
        run.fail(1)
        expectEqual(run.request?.url.hostAndPort, "c")
        run.command(.watch(TransferID(1)))
        expectEqual(run.queue.details(at: run.now).first?.urls, ["http://a/file", "http://b/file", "http://c/file"])
    }

    @Test func `are at most 16 with the given ones`() throws {
        var run = QueueRun()
        run.add(.sample(hosts: ["a"]))
        run.report(1, .mirrors(try (0..<100).map { try TransferURL("http://m\($0)/file") }, metalink: nil))
        run.report(1, .mirrors(try Self.urls("late"), metalink: nil))
        expectEqual(run.queue[TransferID(1)]?.spec.urls.count, 16)
        expectEqual(run.queue[TransferID(1)]?.spec.urls.last?.hostAndPort, "m14")
    }

    @Test func `never get the login`() throws {
        var settings = TransferSettings()
        (settings.user, settings.password) = ("u", "p")
        settings.headers = ["Cookie: a=b", "X-Key: y", "Accept: text/plain"]
        var run = QueueRun()
        run.add(.sample(hosts: ["a", "b"], settings: settings))
        expectEqual(run.request?.settings.value.user, "u")
        run.report(1, .mirrors(try Self.urls("c"), metalink: nil))
        run.fail(1)
        expectEqual(run.request?.settings.value, run.queue[TransferID(1)]?.settings)
        expectEqual(run.request?.settings.value.user, "u")
        run.fail(1)
        expectEqual(run.request?.url.hostAndPort, "c")
        let sent = try require(run.request).settings.value
        expect((sent.user, sent.password) == (nil, nil))
        expectEqual(sent.headers, ["Accept: text/plain"], "any other line may be a secret")
    }

    @Test func `are held to the checksum that a Metalink of the server names`() throws {
        let checksum = try require(Checksum("md5=" + String(repeating: "1", count: 32)))
        var run = QueueRun()
        run.add(.sample(hosts: ["a"]))
        run.report(1, .mirrors(try Self.urls("c"), metalink: nil))
        run.report(1, .demanded([ExpectedChecksum(checksum, origin: .metalink)]))
        run.fail(1)
        let request = try require(run.request)
        expectEqual(request.url.hostAndPort, "c")
        expectEqual(request.listedChecksum, checksum)
    }

    @Test func `are ignored when the connection is no longer the transfer's`() throws {
        var run = QueueRun()
        run.add(.sample(hosts: ["a"]))
        let old = ConnectionID(transfer: TransferID(1), number: 7)
        run.report(1, .mirrors(try Self.urls("c"), metalink: nil), of: old)
        expectEqual(run.queue[TransferID(1)]?.spec.urls.count, 1)
        expectEqual(run.queue.ignored, 1)
    }
}
