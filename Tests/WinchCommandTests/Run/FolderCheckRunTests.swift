import Glibc
import TestSupport
import Testing
import WinchBatch
import WinchModel
import WinchQueue
import WinchTransport

@testable import winch

@Suite struct `A check of folders` {
    @Test func `lists folders, and counts files without letting them in`() async throws {
        let sums = try ChecksumListFiles([], settings: TransferSettings())
        let door = PrintingDoor(RunEntries(sums, folder: nil))
        var fields = FolderFields()
        fields.isRecursive = true
        let folder = try fields.listing(TransferSpec(urls: [try TransferURL("http://h/pub/")]), tree: 1)
        var file = TransferSpec(urls: [try TransferURL("http://h/pub/a")], folder: "pub")
        file.listedVersion = ListedVersion(size: ListedSize(bytes: 2048))
        let specs = [file, folder]
        let admitted = await withCheckedContinuation { done in
            door.admitFound(specs) { done.resume(returning: $0) }
        }
        expectEqual(admitted.additions.map(\.spec), [folder])
        expectEqual(
            door.total(leftOut: 2, failed: 1, unlisted: 1),
            "1 file, 2.0 KiB to transfer; 2 left out; 1 folder failed; interrupted: 1 folder not listed to the end")
    }

    @Test(arguments: [NameConflict.rename, .overwrite, .skip, .fail])
    func `counts apart what the options of the run keep out`(way: NameConflict) async throws {
        let root = try TemporaryFolder()
        root.write("taken", [1])
        var settings = TransferSettings()
        (settings.maxSize, settings.onConflict) = (ByteCount(1000), way)
        let specs = try [("taken", 1000), ("large", 1001), ("new", 24)].map { name, size in
            var file = TransferSpec(
                urls: [try TransferURL("http://h/\(name)")], folder: root.path, settings: Shared(settings))
            file.listedVersion = ListedVersion(size: ListedSize(bytes: Int64(size)))
            return file
        }
        let door = PrintingDoor(RunEntries(try ChecksumListFiles([], settings: settings), folder: nil))
        _ = await withCheckedContinuation { done in door.admitFound(specs) { done.resume(returning: $0) } }
        let keepsOut = way == .skip || way == .fail
        expectEqual(
            door.total(leftOut: 0, failed: 0),
            keepsOut
                ? "1 file, 24 B to transfer; 2 not to be fetched" : "2 files, 1.0 KiB to transfer; 1 not to be fetched")
    }

    @Test func `names the places that files and folders get beside others of their names`() throws {
        let root = try TemporaryFolder()
        root.makeFolder("pub")
        root.write("pub/a", [1])
        root.makeFolder("pub/b")
        var fields = FolderFields()
        fields.isRecursive = true
        var folder = try fields.listing(TransferSpec(urls: [try TransferURL("http://h/pub/a/")]), tree: 1)
        (folder.folder, folder.namedParts) = (root.path + "/pub/a", 2)
        var other = folder
        other.folder += ".1"
        var tree = LocalTree([folder, other])
        var claims = NameClaims()
        expectEqual(tree.left(of: folder, earlier: nil, &claims)?.folder, root.path + "/pub/a.2")
        expectEqual(tree.left(of: other, earlier: nil, &claims)?.folder, root.path + "/pub/a.1")
        var file = TransferSpec(urls: [try TransferURL("http://h/pub/b")], folder: root.path + "/pub")
        file.namedParts = 1
        expectEqual(PrintingDoor.line(of: file, nil), "--  \(root.path)/pub/b.1")
    }

    /// A file as an earlier run has finished it, of 3 bytes, with `--no-times`.
    private func finished(_ spec: TransferSpec, _ validator: Validator?) -> LedgerEntry {
        let name = spec.expectedName
        return LedgerEntry(
            key: LedgerKey(1), rank: 1, spec: spec, standing: .finished(.saved(path: name)), name: name,
            size: .exact(ByteCount(bytes: 3)), addedAt: UnixTime(milliseconds: 1),
            settledAt: UnixTime(milliseconds: Int64.max / 1_000_000), validator: validator)
    }

    @Test func `judges by what the ledger has, and counts apart what only the server can judge`() async throws {
        let root = try TemporaryFolder()
        root.makeFolder("pub")
        func file(_ name: String, _ version: ListedVersion) throws -> TransferSpec {
            root.write("pub/" + name, [1, 2, 3])
            var file = TransferSpec(urls: [try TransferURL("http://h/pub/" + name)], folder: root.path + "/pub")
            file.namedParts = 1
            file.listedVersion = version
            return file
        }
        let time = ListedTime(seconds: 5, precision: .second, isZoned: true)
        let timed = try file("timed", ListedVersion(size: ListedSize(bytes: 3), time: time))
        let untimed = try file("untimed", ListedVersion())
        let unnamed = try file("unnamed", ListedVersion())
        root.write("pub/timed.part", [1])
        root.set("user.winch.url", to: "http://h/pub/timed", of: "pub/timed.part")
        let entries = RunEntries(try ChecksumListFiles([], settings: TransferSettings()), folder: nil)
        entries.open(finished: [finished(timed, nil), finished(untimed, .strongETag("\"v\"")), finished(unnamed, nil)])
        let door = PrintingDoor(entries)
        var sized = try file("new", ListedVersion(size: ListedSize(bytes: 2048)))
        sized.folder = root.path + "/new"
        let specs = [timed, untimed, unnamed, sized]
        let admitted = await withCheckedContinuation { done in
            door.admitFound(specs) { done.resume(returning: $0) }
        }
        expectEqual(admitted.additions.count, 0)
        expectEqual(
            door.total(leftOut: 0, failed: 0),
            "2 files, at least 2.0 KiB, 1 of unknown size, to transfer; 1 to be asked for; 1 unchanged")
        expectEqual(access(root.path + "/pub/timed.part", F_OK), 0, "a check removes nothing")
    }

    @Test func `takes no file for unchanged that another URL of the run has brought`() async throws {
        let root = try TemporaryFolder()
        let entries = RunEntries(try ChecksumListFiles([], settings: TransferSettings()), folder: nil)
        func unchanged(_ name: String) async throws -> Int {
            var file = TransferSpec(urls: [try TransferURL("http://h/pub/" + name)], folder: root.path + "/pub")
            file.namedParts = 1
            file.listedVersion = ListedVersion(
                size: ListedSize(bytes: 3), time: ListedTime(seconds: 5, precision: .second, isZoned: true))
            let spec = file
            return await withCheckedContinuation { done in
                entries.admitFound([spec]) { done.resume(returning: $0.unchanged) }
            }
        }
        try await expectEqual(unchanged("-a"), 0)
        root.makeFolder("pub")
        root.write("pub/_a", [1, 2, 3])
        let time = timespec(tv_sec: 5, tv_nsec: 0)
        expectEqual(utimensat(AT_FDCWD, root.path + "/pub/_a", [time, time], 0), 0)
        try await expectEqual(unchanged("~a"), 0)
        try await expectEqual(unchanged("-a"), 1)
    }

    @Test func `is what winch check does with -r`() {
        expect(CheckCommand.isOfFolders(["check", "http://h/", "-r"]))
        for arguments in [["check", "list"], ["check", "--", "-r"], ["-r", "http://h/"]] {
            expect(!CheckCommand.isOfFolders(arguments), "\(arguments)")
        }
    }
}
