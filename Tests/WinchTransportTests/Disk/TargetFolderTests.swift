import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A target folder` {
    @Test func `that is a file fails the transfer`() async throws {
        let rig = try Rig()
        rig.folder.write("file", [])
        try rig.start("http://127.0.0.1:9/f", below: "/file")
        await expectEqual(
            rig.settled().failure,
            .folder(rig.folder.path + "/file", reason: "there is a file where a folder is needed"))
        try rig.start("http://127.0.0.1:9/f", id: 2, name: "file/x")
        await expectEqual(
            rig.settled(2).failure,
            .folder(rig.folder.path + "/file", reason: "there is a file where a folder is needed"))
    }

    @Test func `is never reached through a link below it`() async throws {
        let rig = try Rig()
        rig.folder.makeFolder("elsewhere")
        rig.folder.link("way", to: rig.folder.path + "/elsewhere")
        try rig.start("http://127.0.0.1:9/f", name: "way/f")
        await expectEqual(
            rig.settled().failure,
            .folder(rig.folder.path + "/way", reason: "there is a symbolic link, which is not followed here"))
        let resume = ResumePoint(partPath: "way/f.part", targetPath: "way/f", have: ByteCount(bytes: 1))
        try rig.start("http://127.0.0.1:9/f", id: 2, resume: resume)
        guard case .folder = await rig.settled(2).failure else {
            Issue.record("went through the link")
            return
        }
        expectEqual(TemporaryFolder.names(in: rig.folder.path + "/elsewhere"), [])
    }

    @Test func `is never reached through a link that a server has named`() throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("elsewhere")
        folder.link("way", to: folder.path + "/elsewhere")
        folder.makeFolder("elsewhere/pub")
        // The user's own path may have links.
        let own = try TargetFolder.open(folder.path + "/way/pub", named: 1, parts: ["sub"])
        expectEqual(own.path, folder.path + "/way/pub/sub")
        expectEqual(own.below, "sub/")
        let reason = "there is a symbolic link, which is not followed here"
        #expect(throws: TransferFailure.folder(folder.path + "/way", reason: reason)) {
            try TargetFolder.open(folder.path + "/way/pub", named: 2, parts: [])
        }
        expectEqual(TemporaryFolder.names(in: folder.path + "/elsewhere/pub"), ["sub"])
    }

    /// One character with an accent, and a letter with a combining one.
    @Test func `is another one for a name that Swift takes for equal`() throws {
        let folder = try TemporaryFolder()
        let folders = FolderCache()
        let first = try folders.folder(folder.path, parts: ["\u{E9}"])
        let second = try folders.folder(folder.path, parts: ["e\u{301}"])
        expect(first.identity != second.identity)
    }

    @Test func `is opened anew when its path leads elsewhere`() throws {
        let folder = try TemporaryFolder()
        let folders = FolderCache()
        let (path, part) = (folder.path + "/a", ["sub"] as [Substring])
        let first = try folders.folder(path, parts: part)
        #expect(try folders.folder(path, parts: part) === first)
        rename(path, folder.path + "/away")
        let second = try folders.folder(path, parts: part)
        expect(second !== first && second.identity != first.identity)
        expectEqual(TemporaryFolder.names(in: path), ["sub"])
        // The user's own path may lead anywhere; what is below it may not.
        rename(path, folder.path + "/again")
        folder.link("a", to: folder.path + "/away")
        try expectEqual(folders.folder(path, parts: part).identity, first.identity)
        rename(folder.path + "/away/sub", folder.path + "/own")
        folder.link("away/sub", to: folder.path + "/own")
        let reason = "there is a symbolic link, which is not followed here"
        #expect(throws: TransferFailure.folder(path + "/sub", reason: reason)) {
            try folders.folder(path, parts: part)
        }
    }

    @Test(arguments: ["../f.part", "/tmp/f.part", "a/../../f.part", ""])
    func `cannot be left by a resume point`(path: String) async throws {
        let rig = try Rig()
        let resume = ResumePoint(partPath: path, targetPath: "f", have: ByteCount(bytes: 1))
        try rig.start("http://127.0.0.1:9/f", resume: resume)
        guard case .folder = await rig.settled().failure else {
            Issue.record("left the folder")
            return
        }
    }

    @Test func `that cannot be created fails the transfer with the reason`() async throws {
        let rig = try Rig()
        try rig.start("http://127.0.0.1:9/f", below: "/../../proc/x")
        let path = rig.folder.path + "/../../proc/x"
        await expectEqual(rig.settled().failure, .folder(path, reason: "no folder can be created there"))
    }

    @Test func `is created when it is missing, and again when it disappears`() async throws {
        try await Rig.serving { server, rig in
            for (id, size) in ["10", "300K", "10"].enumerated() {
                try rig.start(server.url("f\(id)", "size=\(size)"), id: id + 1, below: "/new/gone")
                await expectEqual(rig.settled(id + 1).saved, "f\(id)")
                unlink(rig.folder.path + "/new/gone/f\(id)")
                rmdir(rig.folder.path + "/new/gone")
            }
        }
    }

    @Test func `is asked what names it takes, and nothing is left of that`() throws {
        let folder = try TemporaryFolder()
        let target = try TargetFolder.open(folder.path, parts: [])
        expect(target.longestName <= 255 && target.longestName > 100)
        folder.write("case", [1])
        expectEqual(target.ignoresCase, (target.status(of: "CASE") != nil))
        let name = "a:b?.iso"
        let takesIt = (try? PartFile.create(for: name, in: target)) != nil
        expect(target.fitting(name) == (takesIt ? name : "a_b_.iso"))
        expectEqual(folder.names.filter { $0.hasPrefix(".winch") }, [])
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A local problem` {
    @Test func `with a folder that is removed is detected while bytes arrive`() async throws {
        try await Rig.serving { server, rig in
            let path = rig.folder.path + "/gone"
            try rig.start(server.url("f", "size=10M", "rate=200K"), below: "/gone")
            _ = await rig.events { $0.position ?? 0 > 0 }
            unlink(path + "/f.part")
            rmdir(path)
            let events = await rig.settled()
            expectEqual(events.failure, .readWrite(path, reason: "removed during the download"))
            expectNil(events.kept)
        }
    }
}
