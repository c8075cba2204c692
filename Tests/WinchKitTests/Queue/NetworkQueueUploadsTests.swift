import FaultServer
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import WinchKit
@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `An upload of a program` {
    private static func content(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }

    @Test func `sends a file to a folder under its own name`() async throws {
        try await Site.queue { site, queue in
            let bytes = Self.content(300_000)
            site.folder.write("ä b.bin", bytes)
            var options = UploadOptions()
            options.createsFolders = true
            let transfer = try queue.upload(
                file: site.folder.path + "/ä b.bin", to: site.server.uploadURL("in/"),
                upload: options)
            let result = await transfer.result()
            expectEqual(result.ending, .finished(.sent(path: "ä b.bin")))
            expect(result.bytes == ByteCount(bytes: 300_000) && result.path == nil)
            expectEqual(site.server.uploaded("in/ä b.bin"), bytes)
            await expectEqual(queue.finished().exitCode, 0)
        }
    }

    /// Otherwise the server would get the start of the stream as the whole.
    @Test func `fails when the system does not take a piece of its stream`() async {
        let source = OpenSource(descriptor: -1, name: "s") {}
        let writer = StreamWriter(open("/dev/null", O_WRONLY | O_CLOEXEC), source)
        let isWanted = await writer.write([1])
        expect(!isWanted)
        expectEqual(source.failure, String(cString: strerror(ENOTSOCK)))
    }

    @Test func `sends bytes, and tells their progress in its direction`() async throws {
        try await Site.queue { site, queue in
            let bytes = Self.content(200_000)
            let transfer = try queue.upload(bytes, named: "b.bin", to: site.server.uploadURL("b.bin"))
            let (up, down) = (Latest(), Latest())
            let bindings = [
                transfer.bind(.up) { up.progress = $0 }, transfer.bind(.down) { down.progress = $0 },
            ]
            await expectEqual(transfer.result().ending, .finished(.sent(path: "b.bin")))
            expectEqual(site.server.uploaded("b.bin"), bytes)
            try await expect(
                eventually {
                    up.progress?.completed == ByteCount(bytes: 200_000) && down.progress?.fraction == 1
                })
            expectEqual(down.progress?.completed, .zero)
            withExtendedLifetime(bindings) {}
        }
    }

    @Test func `sends what a sequence brings`() async throws {
        try await Site.queue { site, queue in
            let bytes = Self.content(3_000_000)
            let chunks = AsyncStream<[UInt8]> { continuation in
                for start in stride(from: 0, to: bytes.count, by: 100_000) {
                    continuation.yield(Array(bytes[start..<start + 100_000]))
                }
                continuation.finish()
            }
            let transfer = try queue.upload(chunks, named: "s", to: site.server.uploadURL("s"))
            await expectEqual(transfer.result().ending, .finished(.sent(path: "s")))
            expectEqual(site.server.uploaded("s"), bytes)
            expectEqual(site.server.uploads(to: "s").first?.isChunked, true)
        }
    }

    @Test func `fails when its sequence fails, and is not complete at the server`() async throws {
        struct Broken: Error {}
        try await Site.queue { site, queue in
            let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield(Self.content(100_000))
                continuation.finish(throwing: Broken())
            }
            let transfer = try queue.upload(chunks, named: "s", to: site.server.uploadURL("s"))
            guard case .failed(.readWrite(_, let reason)) = await transfer.result().ending else {
                Issue.record("it did not fail")
                return
            }
            expect(reason.contains("Broken"))
            expectNil(site.server.uploaded("s"))
        }
    }

    @Test func `fails again when it is retried while another one replaces the same file`() async throws {
        let queue = try NetworkQueue()
        try queue.upload(file: "a", to: "http://a.example/f", startsPaused: true)
        let transfer = try queue.upload(file: "b", to: "http://a.example/f")
        let refusal = await transfer.result().ending
        guard case .failed(.other) = refusal else {
            Issue.record("it did not fail")
            return
        }
        transfer.retry()
        await expectEqual(transfer.result().ending, refusal)
        await queue.close()
    }

    @Test func `needs a name for a folder`() async throws {
        let queue = try NetworkQueue()
        #expect(throws: NetworkQueueFailure.noUploadName) { try queue.upload([1], named: "", to: "http://a.example/") }
        await queue.close()
    }

    @Test func `shares the queue with data that is downloaded into memory`() async throws {
        try await Site.queue { site, queue in
            try await expectEqual(
                queue.data(from: site.server.url("d", "size=5K")), SeededContent(name: "d").bytes(in: 0..<5 << 10))
            await #expect(throws: TransferFailure.self) {
                try await queue.data(from: site.server.url("e", "size=5K"), atMost: ByteCount(bytes: 1000))
            }
        }
    }
}

/// The progress that was shown last.
private final class Latest: Sendable {
    private let state = Mutex<Transfer.Progress?>(nil)
    var progress: Transfer.Progress? {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}
