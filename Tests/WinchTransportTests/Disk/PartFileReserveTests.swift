import CTransport
import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5)), .serialized) struct `The space for a file of known size` {
    /// Bytes of the disk that a file takes.
    private func space(of name: String, in folder: TemporaryFolder) -> Int64 {
        var status = stat()
        return stat(folder.path + "/" + name, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
    }

    private static func canReserve(in folder: TemporaryFolder) throws -> Bool {
        let part = try PartFile.create(for: "probe", in: try TargetFolder.open(folder.path, parts: []))
        defer { part.unlink() }
        return try part.reserve(to: 1 << 20)
    }

    @Test func `is reserved until the download stops, and the length says which bytes have come`() async throws {
        let folder = try TemporaryFolder()
        guard try Self.canReserve(in: folder) else { return }
        try await FaultServer.serving { server in
            let rig = try Rig(folder: folder)
            let url = server.url("r", "size=8M", "etag=v", "stall=1M")
            try rig.start(url)
            let events = await rig.events { $0.position == 1 << 20 }
            expectEqual(events.openings.map(\.part.isReserved), [true])
            expectEqual(folder.size("r.part"), 1 << 20)
            expectAtLeast(space(of: "r.part", in: folder), 8 << 20)
            rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
            let kept = try await require(rig.settled().kept)
            expect(kept.onDisk == ByteRanges(0..<1 << 20) && !kept.isReserved)
            expectLess(space(of: "r.part", in: folder), than: 2 << 20)
            let again = try await rig.fetch(server.url("r", "size=8M", "etag=v"), resume: kept)
            expectEqual(again.openings.map(\.offset.bytes), [1 << 20])
            try expectEqual(folder.bytes("r"), FaultServer.content("r", 8 << 20))
        }
    }

    @Test func `that a killed run has reserved is given back by the next one, also when that reserves none`()
        async throws
    {
        let folder = try TemporaryFolder()
        guard try Self.canReserve(in: folder) else { return }
        try await FaultServer.serving { server in
            let url = server.url("r", "size=8M", "etag=v", "stall=2M")
            let attributes = PartAttributes(
                url: try TransferURL(url).redacted,
                version: FileVersion(total: 8 << 20, validator: .strongETag("\"v\"")))
            let part = try PartFile.create(for: "r", in: try TargetFolder.open(folder.path, parts: []), attributes)
            try expect(part.reserve(to: 8 << 20))
            try PartWriter(part, at: 0).append(FaultServer.content("r", 1 << 20))
            part.release()
            expectAtLeast(space(of: "r.part", in: folder), 8 << 20)
            let rig = try Rig(folder: folder)
            try rig.start(url) { $0.fileAllocation = .none }
            let events = await rig.events { $0.position ?? 0 > 1 << 20 }
            expectEqual(events.openings.map(\.offset.bytes), [1 << 20])
            rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
            await expectMore(rig.settled().kept?.onDisk.prefixEnd ?? 0, than: 1 << 20)
            expectLess(space(of: "r.part", in: folder), than: 5 << 20)
        }
    }

    @Test(arguments: [("size=8M", FileAllocation.none), ("size=8M&chunked", .falloc), ("size=600K", .falloc)])
    func `is not reserved when that is not wanted, the size is not known, or the file is small`(
        options: String, allocation: FileAllocation
    ) async throws {
        try await Rig.serving { server, rig in
            try rig.start(server.url("n") + "?stall=300K&" + options) { $0.fileAllocation = allocation }
            let events = await rig.events { $0.position == 300 << 10 }
            expectEqual(events.openings.map(\.part.isReserved), [false])
            expectLess(space(of: "n.part", in: rig.folder), than: 600 << 10)
        }
    }

    @Test func `that the gaps of a split file take is not needed once more`() throws {
        let folder = try TemporaryFolder()
        guard try Self.canReserve(in: folder) else { return }
        let part = try PartFile.create(for: "f", in: try TargetFolder.open(folder.path, parts: []))
        expectEqual(part.neededSpace(for: 8 << 20), 8 << 20)
        try expect(part.reserve(to: 8 << 20))
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        for start: Int64 in [0, 7 << 20] {
            var position = start
            try bytes.withUnsafeBytes { (bytes) throws in try part.write(bytes, at: &position) }
        }
        expectEqual(part.neededSpace(for: 8 << 20), 0)
        expectAtMost(part.neededSpace(for: 9 << 20), 1 << 20)
        // What a run that stops gives back is behind the last byte.
        part.giveBackReserve()
        expectEqual(part.neededSpace(for: 8 << 20), 0)
        // The bytes held need nothing where no more than they is allocated.
        let sparse = try PartFile.create(for: "g", in: try TargetFolder.open(folder.path, parts: []))
        for start: Int64 in [0, 7 << 20] {
            var position = start
            try bytes.withUnsafeBytes { (bytes) throws in try sparse.write(bytes, at: &position) }
        }
        expect((5 << 20...6 << 20).contains(sparse.neededSpace(for: 8 << 20)))
    }

    @Test func `that cannot be reserved means that the disk is full, and nothing of it stays reserved`() throws {
        let folder = try TemporaryFolder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=2m") == 0 else { return }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let part = try PartFile.create(for: "f", in: try TargetFolder.open(folder.path, parts: []))
        var position: Int64 = 0
        try [UInt8](repeating: 1, count: 4096).withUnsafeBytes { (bytes) throws in try part.write(bytes, at: &position)
        }
        #expect(throws: TransferFailure.diskFull(folder: folder.path)) { try part.reserve(to: 5 << 20) }
        expectEqual(space(of: "f.part", in: folder), 4096)
        try expect(part.reserve(to: 1 << 20))
        expectEqual(space(of: "f.part", in: folder), 1 << 20)
        expectEqual(part.spare, 1 << 20 - 4096)
        part.giveBackReserve()
        expectEqual(space(of: "f.part", in: folder), 4096)
    }
}
