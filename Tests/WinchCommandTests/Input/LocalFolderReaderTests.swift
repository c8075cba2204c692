import Glibc
import TestSupport
import Testing
import WinchBatch
import WinchModel

@testable import winch

@Suite struct `A folder that is uploaded` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["top", "top/b", "top/b/empty", "top/a", "other"] { folder.makeFolder(name) }
        for name in ["top/z", "top/a b", "top/b/x?", "top/a/é", "other/x"] { folder.write(name, [1, 2]) }
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// What is sent, relative to the folder, and where to; that of a folder ends in a slash.
    private func uploads(
        _ names: [String] = ["top"], to url: String = "http://h/in/", _ links: LocalFolderReader.Links = .leftOut,
        atMost count: Int = .max
    ) -> (uploads: [String], batches: BatchFiles) {
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.add(upload: UploadFields(), of: names.map(path), to: url, links: links)
        var specs: [TransferSpec] = []
        repeat {
            batches.read(count)
            specs += batches.takeSpecs()
        } while !batches.isAtEnd
        let uploads = specs.map { spec in
            let source = spec.upload?.folder.map { $0 + "/" } ?? spec.upload?.file ?? "-"
            return "\(source.dropFirst(folder.path.count + 1)) \(spec.urls.first?.text.dropFirst(9) ?? "-")"
        }
        return (uploads, batches)
    }

    private static let all = [
        "top/a b in/top/a%20b", "top/z in/top/z", "top/a/é in/top/a/%C3%A9", "top/b/x? in/top/b/x%3F",
        "top/b/empty/ in/top/b/empty/",
    ]

    @Test(arguments: [1, 2, 3, 100])
    func `has its files before its sub-folders, and each empty folder`(count: Int) {
        expectEqual(uploads(atMost: count).uploads, Self.all)
        expectEqual(uploads(["top/"], to: "http://h/in", atMost: count).uploads, [])
        expectEqual(uploads(["top//"], atMost: count).uploads, Self.all)
    }

    @Test func `is sent whole, with its folders made and its sizes known`() throws {
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.add(upload: UploadFields(), of: [path("top"), path("other/x")], to: "sftp://h/in/", links: .leftOut)
        batches.read()
        let specs = batches.takeSpecs()
        expect(specs.count == 6 && specs.allSatisfy { $0.upload?.createsFolders == true && $0.direction == .up })
        // A file of the command line is known before the folders are read.
        expectEqual(specs.map { $0.listedSize?.bytes }, [2, 2, 2, 2, 2, 0])
        // Rows are grouped by it; that of an empty folder is in the folder above.
        expectEqual(
            specs.map(\.folder), [".", path("top"), path("top"), path("top/a"), path("top/b"), path("top/b")])
        expectEqual(specs.last?.expectedName, "empty")
    }

    @Test func `named by a dot is what is in it`() {
        expectEqual(uploads(["top/."]).uploads.first?.hasSuffix(" in/a%20b"), true)
        expectEqual(uploads(["top/b/.."]).uploads.count, Self.all.count)
    }

    @Test func `goes to a folder only, and to one of its own`() {
        let words = "a folder goes to a folder; end the URL in /, without a query"
        for url in ["http://h/in", "http://h/in/?a=b"] {
            expectEqual(uploads(to: url).batches.problems, ["error: \(words)"])
        }
        folder.makeFolder("other/top")
        let (clash, batches) = uploads(["top", "other/top"])
        expect(clash.isEmpty && batches.problems.first?.contains("both go to http://h/in/top;") == true)
        let (once, others) = uploads(["top", "top"])
        expect(once == Self.all && others.problems.isEmpty)
        var refused = BatchFiles(folder: ".", settings: TransferSettings())
        refused.add(upload: UploadFields(), of: [path("top")], to: "http://h/in/")
        refused.read()
        expectEqual(refused.takeSpecs().map { $0.upload?.file }, [path("top")], "its row says that it is a folder")
    }

    @Test func `has no symbolic links unless they are followed, and no loop`() {
        folder.link("top/a/link", to: "../z")
        folder.link("top/a/up", to: "..")
        folder.link("top/a/gone", to: "nowhere")
        folder.link("top/b/empty/side", to: "../../../other")
        let (without, batches) = uploads()
        expectEqual(without, Self.all)
        expectEqual(batches.notices, ["\(path("top")): 4 symbolic links left out; --follow sends what they lead to"])
        let (with, followed) = uploads(["top"], .followed)
        expectEqual(
            with,
            [
                "top/a b in/top/a%20b", "top/z in/top/z", "top/a/gone in/top/a/gone", "top/a/link in/top/a/link",
                "top/a/é in/top/a/%C3%A9", "top/b/x? in/top/b/x%3F",
                "top/b/empty/side/x in/top/b/empty/side/x",
            ])
        expectEqual(followed.notices, ["\(path("top")): 1 symbolic link to a folder above left out"])
    }

    @Test(
        arguments: [(.leftOut, [1, 1, 2, 2, 2]), (.followed, [nil, nil, nil, nil, nil])]
            as [(LocalFolderReader.Links, [Int?])])
    func `says which parts of each path no link may replace`(links: LocalFolderReader.Links, parts: [Int?]) {
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.add(upload: UploadFields(), of: [path("top")], to: "http://h/in/", links: links)
        batches.read()
        expectEqual(batches.takeSpecs().map { $0.upload?.listedParts }, parts)
    }

    @Test func `has a row for what is neither a file nor a folder, which is never read`() {
        mkfifo(path("other/pipe"), 0o600)
        expectEqual(uploads(["other"]).uploads, ["other/pipe/ in/other/pipe/", "other/x in/other/x"])
    }

    @Test func `has a row for a folder that cannot be read`() throws {
        chmod(path("top/b"), 0)
        defer { chmod(path("top/b"), 0o700) }
        // Root reads it all the same.
        guard access(path("top/b"), R_OK) != 0 else { return }
        expectEqual(uploads().uploads, Array(Self.all.prefix(3)) + ["top/b/ in/top/b/"])
    }

    @Test func `has an error for a folder that became a link while it was read`() {
        var batches = BatchFiles(folder: ".", settings: TransferSettings())
        batches.add(upload: UploadFields(), of: [path("top")], to: "http://h/in/", links: .leftOut)
        batches.read(1)
        expectEqual(rename(path("top/b"), path("moved")), 0)
        folder.link("top/b", to: "../other")
        batches.read()
        expectEqual(batches.takeSpecs().map { $0.upload?.file }, ["top/a b", "top/z", "top/a/é"].map(path))
        expectEqual(batches.problems, ["error: \(path("top/b")): Not a directory"])
    }

    @Test func `keeps names that are not UTF-8`() throws {
        let name = [CChar](path("other/").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
        let file = open(name, O_WRONLY | O_CREAT, 0o600)
        try require(file >= 0)
        close(file)
        defer { unlink(name) }
        let specs = uploads(["other"]).uploads
        expect(specs.contains { $0.hasSuffix(" in/other/%E9") }, "\(specs)")
    }
}
