import Foundation
import TestSupport
import Testing
import WinchScreen
import WinchTerminal

@testable import WinchBatch
@testable import WinchModel
@testable import winch

@Suite struct `Text typed to add downloads` {
    private let folder: TemporaryFolder
    private let parser = BatchParser(folder: "got", settings: TransferSettings())

    init() throws {
        folder = try TemporaryFolder()
        folder.write("more.txt", Array("http://h/1\nhttp://h/2\n out=two.bin\n".utf8))
    }

    private func typed(_ text: String) -> TypedEntries {
        TypedEntries(text, parser: parser, places: Places(homes: HomeFolders { [folder] _ in folder.path }))
    }

    @Test(
        arguments: [
            ("http://h/a", ["http://h/a"], "1 download added"),
            ("http://h/a http://h/b", ["http://h/a", "http://h/b"], "2 downloads added"),
            ("http://h/a\nhttp://h/b\n", ["http://h/a", "http://h/b"], "2 downloads added"), ("   ", [], nil),
            ("http://h/a\tftp://m/a", ["http://h/a"], "1 download added"),
            ("http://h/a b.zip", ["http://h/a%20b.zip"], "1 download added"),
            ("<http://h/a> \"http://h/b\"", ["http://h/a", "http://h/b"], "2 downloads added"),
            ("http://h/a HTTP://H:80/./a", ["http://h/a"], "1 download added, 1 duplicate left out"),
            ("http://h/a\n upload=/etc/hosts", ["http://h/a"], "1 upload added"),
        ] as [(String, [String], String?)])
    func `may be one or more URLs`(text: String, urls: [String], words: String?) {
        let typed = typed(text)
        expectEqual(typed.specs.map { $0.urls[0].text }, urls)
        expectEqual(typed.words(added: urls.count), words)
        expectEqual(typed.problems, [])
    }

    @Test(arguments: ["@", "", "  @"])
    func `may be the name of a batch file`(prefix: String) {
        for path in [folder.path + "/more.txt", "~/more.txt"] {
            let typed = typed(prefix + path)
            expectEqual(typed.specs.count, 2)
            expectEqual(typed.specs.last?.name?.text, "two.bin")
            expectEqual(typed.words(added: 1), "1 download added, 1 in the list already")
            expectEqual(typed.words(added: 1, startedAnew: 1), "1 download added, 1 started anew")
        }
    }

    @Test func `is reported with the line of each problem, and its valid entries are added`() {
        expectEqual(typed("@/nowhere/x").problems, ["/nowhere/x: No such file or directory"])
        expectEqual(typed("nonsense").problems.first?.hasPrefix("not a URL"), true)
        let lines = typed("http://h/a\nnonsense")
        expectEqual(lines.problems.first?.hasPrefix("line 2: not a URL"), true)
        expectEqual(lines.words(added: 1), "1 download added")
        folder.write("bad.txt", Array("http://h/1\nnonsense\nworse\n".utf8))
        let file = typed("@\(folder.path)/bad.txt")
        expectEqual(file.problems.map { $0.contains("bad.txt:2: not a URL") }, [true, false])
        expectEqual(file.words(added: 1), "1 download added")
    }

    /// In a dashboard it is the keyboard, and a session has none.
    @Test func `cannot upload standard input`() {
        let typed = typed("http://h/a\n  upload=-\nhttp://h/b\n")
        expectEqual(typed.specs.map { $0.urls[0].text }, ["http://h/b"])
        expectEqual(typed.problems, ["line 1: standard input is not to be had here; name a file or a FIFO to upload"])
    }

    /// Reading anything else could block the dashboard, with its keys, for ever.
    @Test func `may name a regular file only`() throws {
        let fifo = folder.path + "/fifo"
        expectEqual(mkfifo(fifo, 0o600), 0)
        expectEqual(typed("@-").problems.first?.hasPrefix("standard input is the keyboard"), true)
        expectEqual(typed("@" + fifo).problems, ["\(fifo) is not a regular file; give a batch file"])
        expectEqual(typed("@/dev/zero").problems, ["/dev/zero is not a regular file; give a batch file"])
        expectEqual(typed("@" + folder.path).problems, ["\(folder.path) is a folder; give a batch file"])
        var comments = Array(repeating: UInt8(ascii: "#"), count: 65 << 20)
        for end in stride(from: 65_535, to: comments.count, by: 65_536) { comments[end] = UInt8(ascii: "\n") }
        folder.write("more.txt", comments)
        expectEqual(typed("@\(folder.path)/more.txt").problems.first?.contains("more than 64 MiB"), true)
    }

    /// The thread that reads the keys must not access a file system, which may block.
    @Test func `is read on another thread when it names a file, and answered when the queue has it`() async throws {
        let (queue, mailbox) = (RecordingQueue(), try LoopMailbox())
        let adder = BatchAdder(parser: parser, places: Places(), queue: queue, mailbox: mailbox)
        expectNil(adder.take("http://h/a"))
        try await expectAdded("1 download added", [], mailbox)
        expectNil(adder.take("@\(folder.path)/more.txt"))
        try await expectAdded("2 downloads added", [], mailbox)
        expectEqual(queue.added.map { $0.urls[0].text }, ["http://h/a", "http://h/1", "http://h/2"])
    }

    @Test func `is not said to be added when the queue refuses it or has it`() async throws {
        let (queue, mailbox) = (RecordingQueue(reply: .refused("there is no connection")), try LoopMailbox())
        let adder = BatchAdder(parser: parser, places: Places(), queue: queue, mailbox: mailbox)
        expectNil(adder.take("http://h/a\nnonsense"))
        try await expectAdded(nil, ["not added: there is no connection", "line 2: not a URL"], mailbox)
        let known = BatchAdder(
            parser: parser, places: Places(), queue: RecordingQueue(reply: .added(0)), mailbox: mailbox)
        expectNil(known.take("http://h/a"))
        try await expectAdded(nil, [], mailbox)
        let clashing = BatchAdder(
            parser: parser, places: Places(), queue: RecordingQueue(reply: .added(1, refused: ["both go to f"])),
            mailbox: mailbox)
        expectNil(clashing.take("http://h/a http://h/b"))
        try await expectAdded("1 download added", ["not added: both go to f"], mailbox)
    }

    private func expectAdded(
        _ words: String?, _ problems: [String], _ mailbox: LoopMailbox, location: SourceLocation = #_sourceLocation
    ) async throws {
        var results: [ScreenEvent] = []
        for _ in 0..<2000 where results.isEmpty {
            results = mailbox.takeEvents()
            try await Task.sleep(for: .milliseconds(10))
        }
        guard case .added(let found, let others)? = results.first else {
            Issue.record("\(results)", sourceLocation: location)
            return
        }
        expectEqual(found, words, sourceLocation: location)
        expect(zip(others, problems).allSatisfy { $0.hasPrefix($1) } && others.count == problems.count, "\(others)")
    }
}
