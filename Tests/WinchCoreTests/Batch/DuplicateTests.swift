import Testing

@testable import WinchCore

@Suite struct `An entry that is there already` {
    private static func spec(_ url: String, folder: String = ".", out: String? = nil) throws -> TransferSpec {
        TransferSpec(urls: [try TransferURL(url)], folder: folder, name: try out.map { try TargetPath($0) })
    }

    /// What is left of a list.
    private static func kept(_ specs: [TransferSpec]) -> [TransferSpec] {
        var filter = DuplicateFilter()
        return specs.reduce(into: []) { kept, spec in
            if filter.earlier(than: spec, in: kept) == nil { kept.append(spec) }
        }
    }

    @Test(arguments: [
        "http://h/a", "HTTP://h/a", "http://H/a", "http://h:80/a", "http://h/./a", "http://h/x/../a", "http://h/a#part",
    ])
    func `is left out, however its address is written`(url: String) throws {
        let kept = Self.kept([try Self.spec("http://h/a"), try Self.spec(url), try Self.spec("http://h/b")])
        #expect(kept.map { $0.urls[0].text } == ["http://h/a", "http://h/b"])
    }

    @Test func `is another one where another file is asked for`() throws {
        let specs = [
            try Self.spec("http://h/a"), try Self.spec("https://h/a"), try Self.spec("http://h/A"),
            try Self.spec("http://h/a", out: "x"), try Self.spec("http://h/a", folder: "d"),
            try Self.spec("http://h/a?b"),
            try Self.spec("http://me@h/a"),
        ]
        #expect(Self.kept(specs) == specs)
    }

    @Test func `is told by the first of its mirrors`() throws {
        let mirrors = TransferSpec(urls: [try TransferURL("http://h/a"), try TransferURL("http://m/a")])
        #expect(Self.kept([mirrors, try Self.spec("http://h/a"), mirrors]).count == 1)
        #expect(Self.kept([try Self.spec("http://m/a"), mirrors]).count == 2)
    }

    /// A hundred thousand entries in well under a second on any machine: no pass over the list for each of them.
    @Test func `costs the same in a long list`() throws {
        let specs = try (0..<100_000).map { try Self.spec("http://h/\($0 % 50_000)") }
        #expect(Self.kept(specs).count == 50_000)
    }
}

@Suite struct `An entry that is added while the queue runs` {
    private static let other = TransferSpec.sample(hosts: ["b.example"])

    private func count(_ run: QueueRun) -> Int { run.queue.transfers.count { _ in true } }

    @Test func `and is in the list is not added, and said`() {
        var run = QueueRun()
        run.command(.add([.sample()]))
        #expect(run.addedAgain == [])
        run.command(.add([.sample(), Self.other]))
        #expect(run.addedAgain == [Update.AddedAgain(id: TransferID(1), isStartedAnew: false)])
        #expect(count(run) == 2)
    }

    @Test func `and has failed or was cancelled is retried`() {
        var run = QueueRun()
        run.command(.add([.sample(), Self.other]))
        run.fail(1, .httpStatus(404))
        run.command(.cancel([TransferID(2)]))
        run.command(.add([.sample(), Self.other]))
        #expect(run.addedAgain.map(\.isStartedAnew) == [true, true])
        #expect(count(run) == 2)
        #expect(run.started == [1])
        #expect(run.phase(2) != .cancelled)
    }

    /// The server is asked whether the file that is there has changed; nothing gets a number.
    @Test func `and is finished is looked at once more, under its own name`() {
        var run = QueueRun()
        run.command(.add([.sample()]))
        run.open(1, of: 100)
        run.finish(1, with: 100)
        run.command(.add([.sample()]))
        #expect(run.addedAgain == [Update.AddedAgain(id: TransferID(1), isStartedAnew: true)])
        #expect(run.started == [1])
        #expect(count(run) == 1)
        run.report(1, .finished(.alreadyComplete(path: "file"), size: ByteCount(bytes: 100)))
        #expect(run.phase(1) == .finished(.alreadyComplete(path: "file")))
        #expect(run.bar == "100/100")
    }

    @Test func `twice in one step is added once for each that is no duplicate of the list`() {
        var run = QueueRun()
        run.apply(.added((0..<1000).map { Addition(spec: .sample(hosts: ["h\($0).example"])) }))
        run.command(.add((0..<2000).map { .sample(hosts: ["h\($0).example"]) }))
        #expect(count(run) == 2000)
        #expect(run.addedAgain.count == 1000)
    }
}
