import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A size limit` {
    private let limit = ByteCount(bytes: 100_000)

    /// A Metalink without hashes: the size alone tells that a mirror has another file, or has ended too early.
    @Test(arguments: ["", "&nolength"])
    func `may be the size that a Metalink names, which the file must have`(framing: String) async throws {
        try await Rig.serving { server, rig in
            for (id, size) in [99_999, 100_001, 100_000].enumerated() {
                let url = server.url("x\(id)", "size=\(size)") + framing
                try rig.start(url, id: id + 1, listedSize: limit)
                let events = await rig.settled(id + 1)
                let words = "the file has \(size) bytes, and the Metalink names 100000"
                expect(events.failure == (size == 100_000 ? nil : .badResponse(words)))
                expectEqual((events.saved != nil), (size == 100_000))
            }
        }
    }

    @Test func `counts the last byte that it allows`() {
        let limit = SizeLimit(ByteCount(bytes: 10))
        expectNil(limit.failure(declared: 10))
        expectNil(limit.failure(declared: nil))
        expectEqual(limit.failure(declared: 11), .tooLarge(limit: ByteCount(bytes: 10), size: ByteCount(bytes: 11)))
        expectNil(limit.failure(receiving: 4, at: 6))
        expectEqual(limit.failure(receiving: 5, at: 6), .tooLarge(limit: ByteCount(bytes: 10), size: nil))
        expectNil(SizeLimit(nil).failure(declared: .max))
        expectNil(SizeLimit(nil).failure(receiving: .max, at: .max))
    }
}
