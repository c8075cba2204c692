import Glibc
import TestSupport
import Testing
import WinchBatch
import WinchModel
import WinchQueue

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
        expectEqual(door.total(leftOut: 2, failed: 1), "1 file, 2.0 KiB to transfer; 2 left out; 1 folder failed")
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
        expectEqual(tree.left(of: folder, earlier: nil)?.folder, root.path + "/pub/a.2")
        expectEqual(tree.left(of: other, earlier: nil)?.folder, root.path + "/pub/a.1")
        var file = TransferSpec(urls: [try TransferURL("http://h/pub/b")], folder: root.path + "/pub")
        file.namedParts = 1
        expectEqual(PrintingDoor.line(of: file, nil), "--  \(root.path)/pub/b.1")
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
