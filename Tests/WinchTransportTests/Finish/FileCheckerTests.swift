import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// Sparse files: the disk is not filled, but hashing them takes seconds.
@Suite(.timeLimit(.minutes(2))) struct `A hash computation of several seconds` {
    private let size: Int64 = 4_000_000_000

    private func make(_ name: String, in folder: TemporaryFolder) {
        folder.write(name, [])
        truncate(folder.path + "/" + name, off_t(size))
    }

    private static let anyChecksum = Checksum("md5=" + String(repeating: "0", count: 32))

    @Test func `is left to the next run when the program ends`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            make("big.part", in: rig.folder)
            let url = server.url("big", "size=\(size)", "etag=v")
            rig.folder.sign("big.part", url, total: size, etag: "v")
            try rig.start(url) { $0.checksum = Self.anyChecksum }
            _ = await rig.events { if case .verified = $0 { true } else { false } }
            await rig.transport.shutDown()
            let kept = try #require(await rig.settled().kept)
            #expect(kept.have.bytes == size)
            #expect(kept.partPath == "big.part")
            #expect(rig.folder.names == ["big.part"])
            #expect(rig.folder.attribute("user.winch.url", of: "big.part") == url)
        }
    }

    @Test func `of an existing file reports its progress and does not delay others`() async throws {
        let rig = try Rig()
        make("big", in: rig.folder)
        rig.folder.write("small", [1, 2, 3])
        // No server listens there: a request would fail.
        try rig.start("http://127.0.0.1:1/big", id: 1) { $0.checksum = Self.anyChecksum }
        let told = await rig.events(of: 1) { if case .verified = $0 { true } else { false } }
        guard case .verified(let count, let whole)? = told.last else { return }
        #expect(whole.bytes == size && count < whole)
        try rig.start("http://127.0.0.1:1/small", id: 2) {
            $0.checksum = Checksum("md5=5289df737df57326fcdd22597afb1fac")
        }
        #expect(await rig.settled(2).last == .finished(.alreadyComplete(path: "small"), size: ByteCount(bytes: 3)))
        rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
        #expect(await rig.settled(1).last == .stopped(kept: nil))
    }
}
