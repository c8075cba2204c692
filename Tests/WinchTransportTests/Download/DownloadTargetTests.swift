import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `The file name of a download` {
    @Test func `of a paused part is free again when the part is discarded`() async throws {
        try await Rig.serving { server, rig in
            let kept = try await require(rig.fetch(server.url("d", "size=1M", "drop=500K")).kept)
            expectEqual(rig.folder.names, ["d.part"])
            rig.transport.discard(TransferID(1), kept, folder: rig.folder.path, addresses: [])
            try await expectEqual(rig.fetch(server.url("d", "size=10"), id: 2).saved, "d")
            expectEqual(rig.folder.names, ["d"])
        }
    }
}

@Suite struct `The target of a download` {
    private let folder: TemporaryFolder
    private let files: FileServices

    init() throws {
        folder = try TemporaryFolder()
        files = try FileServices()
    }

    private func target(
        _ id: Int = 1, name: String? = nil, _ conflict: NameConflict = .rename
    ) throws -> DownloadTarget {
        var settings = TransferSettings()
        settings.onConflict = conflict
        var request = try ConnectionRequest("http://h/\(id)/f", id: id, in: folder.path, settings)
        request.name = try name.map { try TargetPath($0) }
        return try DownloadTarget(request, files: files, parts: request.name?.folders ?? [])
    }

    private func head(_ disposition: String) -> ResponseHead {
        ResponseHead("HTTP/1.1 200 OK", "Content-Disposition: \(disposition)")
    }

    private func attributes(_ id: Int) -> PartAttributes {
        PartAttributes(url: "http://h/\(id)/f", version: FileVersion())
    }

    @Test func `has the URL's name, with a number for the second transfer`() throws {
        let names = try (1...3).map { try target($0).name }
        expectEqual(names, ["f", "f.1", "f.2"])
        let below = try target(4, name: "a/b/c")
        expect((below.name, below.path, below.preferredName) == ("c", "a/b/c", "c"))
        expectEqual(folder.names, ["a"])
    }

    @Test func `has the server's name unless the user gave one`() throws {
        var own = try target(1)
        let isTaken = own.takeServersName(head("attachment; filename=real.bin"))
        expect(isTaken)
        expectEqual(own.name, "real.bin")
        var second = try target(2)
        _ = second.takeServersName(head("attachment; filename=real.bin"))
        expect((second.name, second.preferredName) == ("real.1.bin", "real.bin"))
        let isNone = second.takeServersName(head("inline"))
        expect(!isNone)
        var given = try target(3, name: "given")
        let isGiven = given.takeServersName(head("attachment; filename=other"))
        expect(!isGiven)
        expectEqual(given.name, "given")
    }

    @Test func `conflicts with an existing file only if the policy is skip or fail`() throws {
        folder.write("f", [1, 2, 3])
        for conflict in [NameConflict.rename, .overwrite] {
            try expectNil(target(1, conflict).conflict(isNameKnown: true, hasHashes: false))
        }
        let skipped = try target(1, .skip).conflict(isNameKnown: false, hasHashes: false)
        expectEqual(skipped?.0, .skipped(path: "f"))
        expectEqual(skipped?.1, 3)
        let failing = try target(1, .fail)
        #expect(throws: TransferFailure.nameTaken(folder.path + "/f")) {
            _ = try failing.conflict(isNameKnown: false, hasHashes: false)
        }
        folder.makeFolder("g")
        let blocked = try target(2, name: "g", .skip)
        #expect(throws: TransferFailure.folder(folder.path + "/g", reason: "a folder has this name")) {
            _ = try blocked.conflict(isNameKnown: false, hasHashes: false)
        }
        folder.makeFolder("h")
        let replacing = try target(3, name: "h", .overwrite)
        try expectNil(replacing.conflict(isNameKnown: false, hasHashes: false))
        #expect(throws: TransferFailure.nameTaken(folder.path + "/h")) {
            _ = try replacing.conflict(isNameKnown: true, hasHashes: false)
        }
    }

    @Test func `finds the part of an earlier run among unrelated ones`() throws {
        let earlier = try TargetFolder.open(folder.path, parts: [])
        for id in [7, 8, 1] {
            let part = try PartFile.create(for: "f", in: earlier, attributes(id))
            try PartWriter(part, at: 0).append([UInt8(id)])
            part.release()
        }
        try expectEqual(target(1).ownPart()?.part.name, "f.2.part")
        try expectNil(target(9).ownPart())
    }
}
