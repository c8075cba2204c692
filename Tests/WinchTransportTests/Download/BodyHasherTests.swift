import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

@Suite struct `The hashes of a body in progress` {
    private let files: FileServices
    private let sum: Checksum
    private let folder: TemporaryFolder
    private let part: PartFile

    init() throws {
        files = try FileServices()
        sum = try require(Checksum("md5=" + String(repeating: "0", count: 32)))
        folder = try TemporaryFolder()
        part = try PartFile.create(for: "f", in: TargetFolder.open(folder.path, parts: []))
    }

    private func hasher(
        _ lists: ChecksumList = ChecksumList(), own: Checksum? = nil, from origin: ChecksumOrigin = .list
    ) throws -> BodyHasher {
        var request = try ConnectionRequest("http://h/f")
        request.listedChecksum = own
        request.listedOrigin = origin
        return BodyHasher(request, listedChecksums: lists, finisher: files.finisher)
    }

    @Test func `are reported once, and again when a trailer adds one`() throws {
        let hasher = try hasher(own: sum)
        hasher.begin(path: "f", offset: 0, end: nil)
        var head = ResponseHead("HTTP/1.1 200 OK")
        let first = hasher.demands(head)
        expectEqual(first, [ExpectedChecksum(sum, origin: .list)])
        expectEqual(hasher.unreported(first), first)
        expectNil(hasher.unreported(hasher.demands(head)))
        Array("Digest: md5=AAAAAAAAAAAAAAAAAAAAAA==".utf8).withUnsafeBytes { head.read(trailer: $0) }
        Array("Repr-Digest: sha-256=:\(String(repeating: "A", count: 43))=:".utf8).withUnsafeBytes {
            head.read(trailer: $0)
        }
        expectEqual(hasher.unreported(hasher.demands(head))?.count, 2)
    }

    @Test func `keep the origin of a checksum that an earlier attempt learned from a Metalink`() throws {
        let hasher = try hasher(own: sum, from: .metalink)
        hasher.begin(path: "f", offset: 0, end: nil)
        expectEqual(hasher.demands(ResponseHead()), [ExpectedChecksum(sum, origin: .metalink)])
    }

    @Test func `are those of the user's list as well as those of a Metalink whose file it is`() throws {
        let hex = String(repeating: "1", count: 64)
        var list = ChecksumList()
        _ = list.read(Array("\(hex)  f\n".utf8))
        let hasher = try hasher(list, own: sum, from: .metalink)
        hasher.begin(path: "f", offset: 0, end: nil)
        expectEqual(
            hasher.demands(ResponseHead()),
            [
                ExpectedChecksum(try require(Checksum("sha-256=\(hex)")), origin: .list),
                ExpectedChecksum(sum, origin: .metalink),
            ])
    }

    @Test func `of a small file, or if there are none, are left to the finisher`() throws {
        let hasher = try hasher(own: sum)
        hasher.begin(path: nil, offset: 0, end: 1000)
        hasher.run([ExpectedChecksum(sum)], on: part, total: 1 << 20)
        expectNil(hasher.takeRunning())
        hasher.run([], on: part, total: nil)
        expectNil(hasher.takeRunning())
        hasher.run([ExpectedChecksum(sum)], on: part, total: nil)
        expect(hasher.takeRunning() != nil)
        expectNil(hasher.takeRunning())
        hasher.run([ExpectedChecksum(sum)], on: part, total: nil)
        hasher.begin(path: nil, offset: 0, end: nil)
        expectNil(hasher.takeRunning(), "the body starts over")
    }
}
