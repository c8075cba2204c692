import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WinchModel

@testable import WinchSession

@Suite struct `The clients of a session` {
    private let record = SessionRecord()

    private func clients(of record: SessionRecord? = nil) -> ConnectedClients {
        ConnectedClients(greeting: .sample, ports: (record ?? self.record).actions, notices: ServerMailbox {}) {}
    }

    /// - Returns: the client's end of a connection.
    private func connect(to clients: inout ConnectedClients) throws -> OpenFile {
        var pair: [Int32] = [0, 0]
        try require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let (server, client) = (OpenFile(pair[0]), OpenFile(pair[1]))
        server.setNonBlocking()
        client.setNonBlocking()
        clients.admit(server)
        return client
    }

    private func read(_ file: OpenFile) -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = max(0, recv(file.number, &bytes, bytes.count, 0))
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func write(_ text: String, to file: OpenFile) {
        _ = text.withCString { Glibc.write(file.number, $0, strlen($0)) }
    }

    private func serve(_ clients: inout ConnectedClients) {
        clients.serve(clients.interests.map { pollfd(fd: $0.fd, events: $0.events, revents: $0.events) })
    }

    @Test func `are greeted, and polled for what they send`() throws {
        var clients = clients()
        let client = try connect(to: &clients)
        expect(read(client).hasPrefix(#"{""#))
        expectEqual(clients.interests.count, 1)
        expectEqual(clients.interests[0].events, Int16(POLLIN))
    }

    private func introduce(_ client: OpenFile) { write(#"{"hello":1,"client":"test"}"# + "\n", to: client) }

    private func connectIntroduced(to clients: inout ConnectedClients) throws -> OpenFile {
        let client = try connect(to: &clients)
        introduce(client)
        return client
    }

    @Test func `are at most 64; a further one is told why and closed`() throws {
        var clients = clients()
        let all = try (0..<64).map { _ in try connect(to: &clients) }
        all.forEach(introduce)
        serve(&clients)
        expectEqual(clients.peers.count, 64)
        let further = try connect(to: &clients)
        expect(read(further).contains("the session has 64 clients already"))
        expectEqual(clients.peers.count, 64)
        expect(!clients.isFull)
        withExtendedLifetime(all) {}
    }

    @Test func `that have not introduced themselves make room for others, the first of them first`() throws {
        var clients = clients()
        let strangers = try (0..<64).map { _ in try connect(to: &clients) }
        let owner = try connect(to: &clients)
        expect(read(strangers[0]).contains("no introduction has come, and the session has 64 clients already"))
        expect(!read(strangers[1]).contains("closing"))
        introduce(owner)
        write(#"{"n":1,"do":"unfollow"}"# + "\n", to: owner)
        serve(&clients)
        expect(read(owner).contains(#"{"reply":{"n":1}}"#))
        withExtendedLifetime(strangers) {}
    }

    /// A long reply is no sign of a client that does not read.
    @Test func `get a reply of any length`() throws {
        var clients = clients()
        let client = try connect(to: &clients)
        _ = read(client)
        clients.peers[0].write(ServerLine(reply: SessionReply(to: 1, words: String(repeating: "x", count: 2 << 20))))
        expect(!clients.peers[0].isClosing)
        clients.peers[0].write(ServerLine(reply: SessionReply(to: 2)))
        expect(clients.peers[0].isClosing)
    }

    @Test func `are told the origin of the clock anew`() throws {
        let record = record
        var actions = record.actions
        actions.origin = { UnixTime(milliseconds: 2500) }
        var clients = ConnectedClients(greeting: .sample, ports: actions, notices: ServerMailbox {}) {}
        expect(read(try connect(to: &clients)).contains(#""origin":2.5"#))
    }

    @Test(arguments: ["follow", "limit", "stop"])
    func `are told with each reply that the queue cannot be saved`(request: String) throws {
        var actions = record.actions
        actions.unsaved = { "disk full" }
        var clients = ConnectedClients(greeting: .sample, ports: actions, notices: ServerMailbox {}) {}
        let client = try connectIntroduced(to: &clients)
        write(#"{"n":1,"do":"\#(request)"}"# + "\n", to: client)
        serve(&clients)
        let said = read(client)
        expect(said.contains(#""unsaved":"disk full""#), "\(said)")
        expectEqual(said.contains(#"{"notice":"disk full"}"#), request == "follow")
    }

    private func snapshot(_ phases: [TransferPhase]) -> QueueSnapshot {
        QueueSnapshot(
            number: 1, at: Moment(seconds: 1), origin: UnixTime(milliseconds: 0),
            rows: phases.enumerated().map { index, phase in
                TransferSnapshot(id: TransferID(index + 1), name: "f\(index + 1)", host: "h", phase: phase)
            }, totals: QueueTotals(), settings: QueueSettings(), seconds: [])
    }

    /// What `winch pause` and its kin say.
    @Test(
        arguments: [
            (#""do":"pause","which":"all""#, #""words":"2 transfers""#),
            (#""do":"retry","which":"failed""#, #""words":"1 transfer""#),
            (#""do":"retry","ids":[1]"#, "nothing to retry: transfer 1 runs"),
            (#""do":"pause","ids":[2]"#, "nothing to pause: transfer 2 is finished"),
            (#""do":"cancel","ids":[2]"#, "nothing to cancel: transfer 2 is finished"),
            (#""do":"remove","ids":[1,4]"#, "nothing to remove: transfer 1 runs, transfer 4 waits"),
            (#""do":"pause","ids":[]"#, "nothing to pause: no transfer is named"),
            (#""do":"remove","ids":[1,2]"#, #""words":"1 transfer""#),
            (#""do":"pause","ids":[1099511627776]"#, "there is no transfer 1099511627776"),
        ])
    func `are told what a request has changed, or why nothing`(request: String, words: String) throws {
        let feed = record.queue.feed
        feed.answer {}
        var clients = clients()
        let client = try connectIntroduced(to: &clients)
        write("{\"n\":1,\(request)}\n", to: client)
        serve(&clients)
        feed.post(snapshot([.moving, .finished(.saved(path: "f2")), .failed(.httpStatus(404)), .waiting(.slot)]))
        serve(&clients)
        // What the queue says follows.
        serve(&clients)
        let answer = read(client)
        expect(answer.contains(words), "\(answer)")
        expectEqual(record.queue.sent.isEmpty, words.contains("no"))
    }

    @Test(
        arguments: [
            (#""do":"add","batch":"http://h/a","folder":"/a\u0000/b""#, true),
            (#""do":"add","batch":"http://h/a\n dir=/a\u0000","folder":"/a""#, true),
            (#""do":"add","batch":"http://h/a","folder":"/a\\\u0000""#, true),
            (#""do":"remove","names":["\u0000"]"#, true),
            (#""do":"add","batch":"http://h/a","folder":"/a\\u0000""#, false),
        ])
    func `are refused a NUL, which would end a path`(request: String, isRefused: Bool) throws {
        var clients = clients()
        let client = try connectIntroduced(to: &clients)
        write("{\"n\":1,\(request)}\n", to: client)
        serve(&clients)
        serve(&clients)
        let answer = read(client)
        expect(answer.contains(isRefused ? #""error":"no text of a request may have a NUL""# : "0 added"), "\(answer)")
        expect(answer.contains(#""n":1"#), "\(answer)")
    }

    @Test func `are refused a NUL in every path of an entry`() throws {
        let url = try TransferURL("http://h/a")
        var settings = TransferSettings()
        settings.cookieFile = "/a\0b"
        let specs = [
            TransferSpec(urls: [url], folder: "/a\0b"), TransferSpec(upload: UploadOrder(.file("/a\0b")), to: url),
            TransferSpec(urls: [url], settings: Shared(settings)),
        ]
        for spec in specs {
            var clients = clients()
            let client = try connectIntroduced(to: &clients)
            let requests = try SessionRequest.adding([spec])
            let line = try JSONEncoder().encode(requests[0])
            write(String(decoding: line, as: UTF8.self) + "\n", to: client)
            serve(&clients)
            let answer = read(client)
            expect(answer.contains("no text of a request may have a NUL"), "\(answer)")
        }
        expectEqual(record.queue.added, [])
    }

    @Test func `are told which entries are in the list, and which of them were started anew`() throws {
        let record = SessionRecord(reply: .added(1, startedAnew: 1))
        var clients = clients(of: record)
        let client = try connectIntroduced(to: &clients)
        let specs = try ["a", "b", "c"].map { TransferSpec(urls: [try TransferURL("http://h/\($0)")]) }
        let request = try JSONEncoder().encode(SessionRequest.adding(specs)[0])
        write(String(decoding: request, as: UTF8.self) + "\n", to: client)
        serve(&clients)
        serve(&clients)
        let answer = read(client)
        expect(answer.contains(#""words":"1 added, 1 started anew, 1 in the list already""#), "\(answer)")
        expect(answer.contains(#""startedAnew":1"#), "\(answer)")
    }

    /// Another upload replaces the same file: nothing is sent again.
    @Test(
        arguments: [
            (#""do":"retry","ids":[1]"#, [#""error":"x""#]),
            (#""do":"retry","ids":[1,2]"#, [#""words":"1 transfer""#, #""problems":["x"]"#]),
            (#""do":"retry","which":"failed""#, [#""words":"1 transfer""#, #""problems":["x"]"#]),
            (#""do":"take-over""#, [#""words":"1 unfinished transfer""#, #""problems":["x"]"#]),
        ])
    func `are told what the queue refuses, which is not counted`(request: String, words: [String]) throws {
        let record = SessionRecord(refused: ["x"])
        record.queue.feed.answer {}
        var clients = clients(of: record)
        let client = try connectIntroduced(to: &clients)
        write("{\"n\":1,\(request)}\n", to: client)
        serve(&clients)
        record.queue.feed.post(snapshot([.failed(.httpStatus(404)), .failed(.httpStatus(404))]))
        serve(&clients)
        serve(&clients)
        let answer = read(client)
        expect(words.allSatisfy { answer.contains($0) }, "\(answer)")
    }

    /// The copy of the queue shows the effect of a command only when the engine has carried it out.
    @Test func `have requests carried out that follow at once on one another`() throws {
        let feed = record.queue.feed
        feed.answer {}
        var clients = clients()
        let client = try connectIntroduced(to: &clients)
        write("{\"n\":1,\"do\":\"pause\",\"ids\":[1]}\n{\"n\":2,\"do\":\"resume\",\"ids\":[1]}\n", to: client)
        serve(&clients)
        feed.post(snapshot([.moving]))
        serve(&clients)
        expect(!read(client).contains("nothing to"))
        expectEqual(record.queue.sent.count, 2)
    }

    @Test(arguments: [("cancel", "resume"), ("pause", "retry")])
    func `are told that a request changes nothing after the one before`(first: String, second: String) throws {
        let feed = record.queue.feed
        feed.answer {}
        var clients = clients()
        let client = try connectIntroduced(to: &clients)
        let requests = [first, second].enumerated().map { #"{"n":\#($0),"do":"\#($1)","ids":[1]}"# + "\n" }
        write(requests.joined(), to: client)
        serve(&clients)
        feed.post(snapshot([.moving]))
        serve(&clients)
        expect(read(client).contains("nothing to \(second)"))
        expectEqual(record.queue.sent.count, 1)
    }

    @Test func `are closed when no introduction comes`() throws {
        var clients = clients()
        let client = try connect(to: &clients)
        expectEqual(clients.nextTime, Moment(seconds: 5))
        record.wait(.seconds(5))
        clients.serve([])
        expect(clients.peers.isEmpty)
        expect(read(client).contains("no introduction came within 5 seconds"))
    }

    @Test func `are forgotten when they have hung up`() throws {
        var clients = clients()
        var client: OpenFile? = try connect(to: &clients)
        expect(client != nil)
        client = nil
        clients.serve(clients.interests.map { pollfd(fd: $0.fd, events: $0.events, revents: Int16(POLLIN | POLLHUP)) })
        expect(clients.peers.isEmpty)
    }

    @Test func `are told why when the session ends`() throws {
        var clients = clients()
        let client = try connectIntroduced(to: &clients)
        serve(&clients)
        expectNil(clients.nextTime)
        clients.close("the session ends")
        expect(read(client).contains(#"{"closing":"the session ends"}"#))
    }

    @Test func `have the last state before they are told that the session ends`() throws {
        let feed = record.queue.feed
        var clients = clients()
        let client = try connectIntroduced(to: &clients)
        write(#"{"n":1,"do":"follow"}"# + "\n", to: client)
        serve(&clients)
        let origin = UnixTime(milliseconds: 0)
        feed.post(
            QueueSnapshot(
                number: 1, at: Moment(seconds: 0), origin: origin, rows: [], totals: QueueTotals(),
                settings: QueueSettings()))
        serve(&clients)
        for number in 1...3 {
            var totals = QueueTotals()
            totals.fetched = Int64(number)
            feed.post(Update(base: number, number: number + 1, totals: totals, at: Moment(seconds: 0)))
            serve(&clients)
        }
        expect(!read(client).contains(#""number":4"#), "it waits for its time")
        clients.close("the session ends")
        let lines = read(client).split(separator: "\n")
        expectEqual(lines.first?.contains(#""number":4"#), true)
        expectEqual(lines.last, #"{"closing":"the session ends"}"#)
    }

    @Test func `have the replies that are ready before they are told that the session ends`() throws {
        var clients = clients()
        let client = try connectIntroduced(to: &clients)
        serve(&clients)
        write(#"{"n":1,"do":"add","specs":[]}"# + "\n", to: client)
        serve(&clients)
        expect(!read(client).contains("reply"))
        clients.close("the session ends")
        let lines = read(client).split(separator: "\n")
        expectEqual(lines.count, 2)
        expectEqual(lines.first?.hasPrefix(#"{"reply":"#), true)
        expectEqual(lines.last, #"{"closing":"the session ends"}"#)
    }
}
