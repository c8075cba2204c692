import FaultServer
import Hashing
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite struct `An existing file and a checksum` {
    private static func checksum(_ content: [UInt8]) -> Checksum? {
        let hash = HashFunction.sha256.hash(content)
        return Checksum("sha-256=" + hash.hex)
    }

    @Test(arguments: [NameConflict.rename, .overwrite, .fail])
    func `are accepted without a request when they match`(conflict: NameConflict) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let content = FaultServer.content("a.bin", 300_000)
            rig.folder.write("a.bin", content)
            let events = try await rig.fetch(server.url("a.bin", "size=300000")) {
                $0.checksum = Self.checksum(content)
                $0.onConflict = conflict
            }
            #expect(events == [.finished(.alreadyComplete(path: "a.bin"), size: ByteCount(bytes: 300_000))])
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `lead to a second file when they do not match`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let content = FaultServer.content("a.bin", 5000)
            rig.folder.write("a.bin", Array(repeating: 7, count: 5000))
            let events = try await rig.fetch(server.url("a.bin", "size=5000")) {
                $0.checksum = Self.checksum(content)
            }
            #expect(events.saved == "a.1.bin")
            #expect(try rig.folder.bytes("a.1.bin") == content)
        }
    }

    @Test func `are abandoned when the transfer is stopped meanwhile`() async throws {
        let rig = try Rig()
        // No server listens there: a request would fail, and would not be stopped.
        rig.folder.write("a.bin", Array(repeating: 7, count: 30_000_000))
        try rig.start("http://127.0.0.1:1/a.bin") { $0.checksum = Self.checksum([]) }
        rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
        #expect(await rig.settled() == [.stopped(kept: nil)])
    }
}
