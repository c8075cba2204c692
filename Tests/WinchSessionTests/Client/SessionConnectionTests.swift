import Glibc
import TestSupport
import Testing
import WinchModel

@testable import WinchSession

@Suite(.timeLimit(.minutes(5))) struct `A connection to a session` {
    private let server: OpenFile
    private let link: SessionConnection

    init() throws {
        var pair: [Int32] = [0, 0]
        try require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        server = OpenFile(pair[0])
        let client = OpenFile(pair[1])
        client.setNonBlocking()
        link = try SessionConnection(reading: client, writing: client)
    }

    private func write(_ text: String) { _ = text.withCString { Glibc.write(server.number, $0, strlen($0)) } }

    private func begin() throws -> Greeting {
        try link.begin(client: "test", origin: UnixTime(milliseconds: 0), patience: .seconds(60))
    }

    private static let greeting = #"{"winch":"0.9","protocol":1,"session":"","pid":7,"origin":0}"# + "\n"

    @Test func `passes over what the shell of another machine prints`() throws {
        write("Welcome to far.example!\nYou have mail.\n" + Self.greeting)
        try expectEqual(begin().winch, "0.9")
    }

    @Test func `is refused where something else answers, or another version`() throws {
        write("{\"hello\":\"world\"}\n")
        #expect(throws: SessionFailure.unknownProtocol("what answers is no session of winch")) { try begin() }
        write(#"{"winch":"9.0","protocol":2,"session":"","pid":7,"origin":0}"# + "\n")
        let error = #expect(throws: SessionFailure.self) { try begin() }
        expectEqual(error?.message.contains("winch 9.0 speaks version 2 of the protocol, test version 1"), true)
    }

    @Test func `says why the session refuses it`() throws {
        write("{\"closing\":\"the session is that of another user\"}\n")
        #expect(throws: SessionFailure.closed(reason: "the session is that of another user")) { try begin() }
    }

    @Test func `waits as long as it is told, even while requests are sent`() throws {
        write(Self.greeting)
        _ = try begin()
        let start = ContinuousClock.now
        link.send(SessionRequest(.follow))
        try expect(link.receive(milliseconds: 150).isEmpty)
        expectAtLeast(start.duration(to: .now), .milliseconds(150))
        write("{\"ping\":1}\n")
        try expectEqual(link.receive(milliseconds: 10_000).count, 1)
    }

    @Test func `does not wait for ever for a session that has stopped`() throws {
        let silence = SessionFailure.silent(after: .milliseconds(100))
        #expect(throws: silence) {
            try link.begin(client: "test", origin: UnixTime(milliseconds: 0), patience: .milliseconds(100))
        }
        write(Self.greeting)
        _ = try begin()
        #expect(throws: silence) { try link.request(SessionRequest(.takeOver), patience: .milliseconds(100)) }
    }

    @Test func `says what an older session lacks`() throws {
        write(Self.greeting + "{\"reply\":{\"n\":1,\"error\":\"unknown request \\\"x\\\"\"}}\n")
        _ = try begin()
        let error = #expect(throws: SessionFailure.self) { try link.request(SessionRequest(.takeOver)) }
        expectEqual(error?.message.contains("the session runs winch 0.9; stop it"), true)
    }

    @Test func `says how a session has ended, and that another reason is that of a connection`() {
        expectEqual(
            SessionFailure.closed(reason: SessionEnd.stopped.rawValue).message,
            "the session was stopped; partial files are kept")
        expectEqual(SessionFailure.closed(reason: "x").message, "the session has closed the connection: x")
    }
}
