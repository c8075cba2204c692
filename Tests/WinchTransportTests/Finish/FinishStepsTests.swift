import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `A name on a file system without hard links` {
    @Test func `is free again when the file could not be moved there`() throws {
        let folder = try TemporaryFolder()
        let target = try TargetFolder.open(folder.path, parts: [])
        expectEqual(FinishSteps.rename("missing.part", toPlaceholder: "x", in: target), ENOENT)
        expectEqual(folder.names, [])
        folder.write("a.part", [1])
        expectEqual(FinishSteps.rename("a.part", toPlaceholder: "a", in: target), 0)
        expectEqual(folder.names, ["a"])
        folder.write("b.part", [2])
        expectEqual(FinishSteps.rename("b.part", toPlaceholder: "a", in: target), EEXIST)
        try expectEqual(folder.bytes("a"), [1])
    }
}

@Suite struct `A complete part` {
    /// A small one is closed by then.
    @Test(arguments: [true, false]) func `whose name is that of another file is not finished`(isOpen: Bool) throws {
        let folder = try TemporaryFolder()
        let target = try TargetFolder.open(folder.path, parts: [])
        let attributes = PartAttributes(url: "http://h/f", version: FileVersion(total: 1))
        let part = try PartFile.create(for: "f", in: target, attributes)
        var job = FinishJob(
            connection: ConnectionID(transfer: TransferID(1)), client: NoClient(), folder: target, targetName: "f",
            body: .part("f.part", isOpen ? part.file : nil, part.identity), size: 1, conflict: .rename,
            attributes: attributes, claim: FinishClaim())
        rename(folder.path + "/f.part", folder.path + "/mine")
        folder.write("f.part", [7])
        let failure = TransferFailure.readWrite(
            folder.path + "/f.part", reason: "moved or replaced during the download")
        #expect(throws: failure) { try FinishSteps(names: NameRegistry()).name(&job) }
        expectEqual(folder.names.sorted(), ["f.part", "mine"])
    }

    @Test func `of a small file is checked also when the program ends`() throws {
        let folder = try TemporaryFolder()
        let target = try TargetFolder.open(folder.path, parts: [])
        let attributes = PartAttributes(url: "http://h/f", version: FileVersion(total: 1))
        let part = try PartFile.create(for: "f", in: target, attributes)
        try PartWriter(part, at: 0).append([7])
        let wrong = try require(Checksum("md5=" + String(repeating: "0", count: 32)))
        var job = FinishJob(
            connection: ConnectionID(transfer: TransferID(1)), client: NoClient(), folder: target, targetName: "f",
            body: .part("f.part", part.file, part.identity), size: 1,
            demands: [ExpectedChecksum(wrong, origin: .list)], conflict: .rename, attributes: attributes,
            claim: FinishClaim())
        job.claim.interrupt()
        guard case .failed(.checksum, partName: "f.part") = FinishSteps(names: NameRegistry()).finish(&job) else {
            Issue.record("not checked")
            return
        }
        expectEqual(folder.names, ["f.part"])
    }

    /// Something has got the name since the download began.
    @Test(arguments: [(7, true), (8, false)] as [(UInt8, Bool)])
    func `with the hash that is demanded is not skipped for other bytes`(existing: UInt8, isSame: Bool) throws {
        let folder = try TemporaryFolder()
        folder.write("f", [existing])
        let target = try TargetFolder.open(folder.path, parts: [])
        let attributes = PartAttributes(url: "http://h/f", version: FileVersion(total: 1))
        let part = try PartFile.create(for: "f", in: target, attributes)
        try PartWriter(part, at: 0).append([7])
        let right = try require(Checksum("md5=89e74e640b8c46257a29de0616794d5d"))
        var job = FinishJob(
            connection: ConnectionID(transfer: TransferID(1)), client: NoClient(), folder: target, targetName: "f",
            body: .part("f.part", part.file, part.identity), size: 1,
            demands: [ExpectedChecksum(right, origin: .list)], conflict: .skip, attributes: attributes,
            claim: FinishClaim())
        let differs = TransferFailure.existingFileDiffers(folder.path + "/f")
        switch FinishSteps(names: NameRegistry()).finish(&job) {
        case .done(.skipped(path: "f"), size: 1): expect(isSame)
        case .failed(differs, partName: "f.part"): expect(!isSame)
        case let other: Issue.record("\(other)")
        }
        expectEqual(folder.names.sorted(), isSame ? ["f"] : ["f", "f.part"])
        try expectEqual(folder.bytes("f"), [existing])
    }

    /// The next attempt's sync of what is left would succeed.
    @Test(arguments: [0, 400])
    func `is cut to the bytes that were synced when the sync has failed`(synced: Int64) throws {
        let folder = try TemporaryFolder()
        let target = try TargetFolder.open(folder.path, parts: [])
        let attributes = PartAttributes(url: "http://h/f", version: FileVersion(total: 1000))
        let part = try PartFile.create(for: "f", in: target, attributes)
        guard Attribute.url.get(from: part.file) != nil else { return }
        try PartWriter(part, at: 0).append([UInt8](repeating: 7, count: 1000))
        part.durable.synced(ByteRanges(0..<synced), age: part.durable.age)
        part.file.failSync()
        var job = FinishJob(
            connection: ConnectionID(transfer: TransferID(1)), client: NoClient(), folder: target, targetName: "f",
            body: .part("f.part", part.file, part.identity), size: 1000, conflict: .rename, attributes: attributes,
            claim: FinishClaim())
        guard case .failed(.readWrite, let partName) = FinishSteps(names: NameRegistry()).finish(&job) else {
            Issue.record("finished")
            return
        }
        expectEqual(partName, synced > 0 ? "f.part" : nil)
        expectEqual(folder.names, synced > 0 ? ["f.part"] : [])
        if synced > 0 { expectEqual(folder.size("f.part"), synced) }
    }
}

@Suite struct `The attributes of a finished file` {
    /// U+0301 joins the slash before it: together they are one character.
    @Test(arguments: ["x", "\u{301}x"]) func `are those of no part, also below the target folder`(name: String) throws {
        let folder = try TemporaryFolder()
        folder.makeFolder("a")
        folder.write("a/" + name, [1])
        let target = try TargetFolder.open(folder.path, parts: ["a"])
        let file = try require(target.opened(name))
        Attribute.url.set("http://h/x", on: file)
        let ending = FinishResult.Ending.done(.saved(path: "a/" + name), size: 1)
        FinishSteps(names: NameRegistry()).settle(ending, in: target)
        expectNil(Attribute.url.get(from: file))
    }
}
