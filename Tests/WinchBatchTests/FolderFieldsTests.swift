import TestSupport
import Testing
import WinchModel

@testable import WinchBatch

@Suite struct `A folder that is downloaded whole` {
    private func parse(_ text: String, folders: FolderFields = FolderFields()) -> BatchParser.Batch {
        BatchParser(folder: "d", settings: TransferSettings(), folders: folders, newTree: { 7 }).parse(Array(text.utf8))
    }

    @Test(
        arguments: [
            ("http://h/a/pub", "http://h/a/pub/", "d/pub"), ("http://h/a%20b/", "http://h/a%20b/", "d/a b"),
            ("https://h:8443", "https://h:8443/", "d/h"), ("sftp://[::1]/", "sftp://[::1]/", "d/::1"),
            ("ftp://h/..", "ftp://h/../", "d/h"), ("http://h/x%2F..%2Fy", "http://h/x%2F..%2Fy/", "d/y"),
            ("http://h/pub\n out=my/own", "http://h/pub/", "d/my/own"),
            ("http://h/pub\n dir=/e/", "http://h/pub/", "/e/pub"),
        ])
    func `has a URL that ends in a slash, and a folder of its own`(entry: String, url: String, folder: String) throws {
        let batch = parse(entry + "\n recursive=true\n")
        expectEqual(batch.problems, [])
        let spec = try require(batch.specs.first)
        expectEqual(spec.urls.map(\.text), [url])
        expectEqual(spec.folder, folder)
        expectNil(spec.name)
        expectEqual(spec.namedParts, 1)
        expectEqual(spec.folderOrder?.rules.value.start.text, url)
        expectEqual(spec.folderOrder?.rules.value.tree, 7)
    }

    @Test func `keeps the login of its URL in the settings, for its own origin alone`() throws {
        let spec = try require(parse("http://me:p%40w@h/pub/\n recursive=true\n").specs.first)
        expectEqual(spec.urls.map(\.text), ["http://h/pub/"])
        expect(spec.settings.value.user == "me" && spec.settings.value.password == "p@w")
        expectEqual(spec.settings.value.loginOrigins, ["http://h"])
    }

    @Test func `has the rules of the command line before its own`() throws {
        var given = FolderFields()
        (given.depth, given.mostFiles) = (3, 9)
        given.globs = [GlobRule(includes: false, pattern: Array("*".utf8))]
        let text = """
            http://h/a/
             recursive=true
             include=*.iso
             exclude=b*
             depth=2
             no-times=true
            http://h/file
            """
        let batch = parse(text, folders: given)
        expectEqual(batch.problems, [])
        let rules = try require(batch.specs.first?.folderOrder?.rules.value)
        expectEqual(rules.globs.map { String(decoding: $0.pattern, as: UTF8.self) }, ["*", "*.iso", "b*"])
        expectEqual(rules.globs.map(\.includes), [false, true, false])
        expect(rules.depth == 2 && rules.mostFiles == 9)
        expectEqual(batch.specs.map(\.settings.value.keepsTimes), [false, nil])
        expectNil(batch.specs.last?.folderOrder)
    }

    @Test(
        arguments: [
            ("http://h/a?b=c\n recursive=true", "a folder's URL has no query"),
            ("ftp://h/a;type=i\n recursive=true", "a folder's URL has no ;type="),
            ("http://h/a\thttp://m/a\n recursive=true", "a folder has one URL"),
            ("http://h/a\n recursive=true\n checksum=d41d8cd98f00b204e9800998ecf8427e", "a checksum is that of"),
            ("http://h/a\n depth=2", "depth is about a folder"),
            ("http://h/a\n exclude=x", "exclude is about a folder"),
            ("http://h/a/\n upload=/b\n recursive=true", "recursive is about a download"),
            ("http://h/a\n recursive=true\n depth=0", "depth must be a number from 1 up"),
            ("http://h/a\n recursive=true\n include=", "include must be a pattern"),
        ])
    func `is refused with the reason where it cannot be one`(entry: String, words: String) {
        let batch = parse(entry)
        expectEqual(batch.specs, [])
        expectEqual(batch.problems.map { String($0.message.prefix(words.count)) }, [words])
    }
}
