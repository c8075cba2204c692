import Foundation
import TestSupport
import Testing
import WinchCore

@testable import winch

@Suite struct `What is typed to be added` {
    private let folder: TemporaryFolder
    private let parser = BatchParser(folder: "got", settings: TransferSettings())

    init() throws {
        folder = try TemporaryFolder()
        folder.write("more.txt", Array("http://h/1\nhttp://h/2\n out=two.bin\n".utf8))
    }

    @Test(
        arguments: [
            ("http://h/a", ["http://h/a"], "added 1"),
            ("http://h/a http://h/b", ["http://h/a", "http://h/b"], "added 2"),
            ("http://h/a\nhttp://h/b\n", ["http://h/a", "http://h/b"], "added 2"), ("   ", [], nil),
            ("http://h/a\tftp://m/a", ["http://h/a"], "added 1"),
        ] as [(String, [String], String?)])
    func `is one or many URLs`(text: String, urls: [String], words: String?) {
        let typed = TypedBatch(text, parser: parser)
        #expect(typed.batch.specs.map { $0.urls[0].text } == urls)
        #expect(typed.words == words)
    }

    @Test(arguments: ["@", "", "  @"])
    func `may be a batch file's name`(prefix: String) {
        let typed = TypedBatch(prefix + folder.path + "/more.txt", parser: parser)
        #expect(typed.batch.specs.count == 2)
        #expect(typed.batch.specs.last?.name?.text == "two.bin")
        #expect(typed.words == "added 2")
    }

    @Test func `names what is wrong with it, and where`() {
        #expect(TypedBatch("@/nowhere/x", parser: parser).words == "/nowhere/x: No such file or directory")
        #expect(TypedBatch("nonsense", parser: parser).words?.hasPrefix("not a URL") == true)
        #expect(TypedBatch("http://h/a\nnonsense", parser: parser).words?.hasPrefix("line 2: not a URL") == true)
        folder.write("bad.txt", Array("http://h/1\nnonsense\nworse\n".utf8))
        let words = TypedBatch("@\(folder.path)/bad.txt", parser: parser).words
        #expect(words?.contains("bad.txt:2: not a URL") == true)
        #expect(words?.hasSuffix("(and 1 more)") == true)
    }
}
