import ArgumentParser
import TestSupport
import Testing
import WinchModel
import WinchSession

@testable import winch

@Suite(.timeLimit(.minutes(5))) struct `A command to the session` {
    private let folder: TemporaryFolder
    private let access: SessionAccess

    init() throws {
        folder = try TemporaryFolder()
        access = SessionAccess(folder: folder.path + "/state")
    }

    private func serve() throws -> SessionServer {
        let actions = SessionActions(
            RecordingQueue(), parseBatch: { _, _ in SessionActions.Batch([], problems: []) },
            retry: { _, reply in reply([]) }, takeOver: { reply in reply(0, []) }, now: { Moment(seconds: 0) })
        let greeting = Greeting(winch: "1", session: "", pid: 7, origin: UnixTime(milliseconds: 0))
        let server = try SessionServer(try access.place.listen(), greeting: greeting, ports: actions)
        server.start()
        return server
    }

    @Test func `goes to the next session when one ends at this moment`() throws {
        var server: SessionServer? = try serve()
        var (asked, started) = (0, 0)
        try access.withSession(
            patience: .seconds(60), endTime: .seconds(60),
            start: {
                started += 1
                server = try serve()
            },
            undone: { "" },
            { link throws(SessionFailure) in
                asked += 1
                if asked == 1 {
                    server?.stop(.done)
                    server = nil
                }
                try link.request(SessionRequest(.takeOver), patience: .seconds(60))
            })
        expectEqual(asked, 2)
        expectEqual(started, 1)
        server?.stop()
    }

    @Test func `does not start the next session when the user stops this one`() throws {
        let server = try serve()
        var (asked, started, told) = (0, 0, 0)
        #expect(throws: ExitCode(69)) {
            try access.withSession(
                patience: .seconds(60), start: { started += 1 },
                undone: {
                    told += 1
                    return "nothing was added"
                },
                { link throws(SessionFailure) in
                    asked += 1
                    server.stop()
                    try link.request(SessionRequest(.takeOver), patience: .seconds(60))
                })
        }
        expectEqual(asked, 1)
        expectEqual(started, 0)
        expectEqual(told, 1)
    }

    @Test func `waits for a session that another process has just started`() throws {
        var server: SessionServer?
        var started = 0
        _ = try access.withSession(
            patience: .seconds(60),
            start: {
                started += 1
                // The first one was taken by a session that has ended before it could be reached.
                if started == 2 { server = try serve() }
            },
            undone: { "" },
            { link throws(SessionFailure) in try link.request(SessionRequest(.takeOver), patience: .seconds(60)) })
        expectEqual(started, 2)
        server?.stop()
    }

    @Test func `is not tried for ever, and ends with the code of a service that does not answer`() {
        var started = 0
        let failure = #expect(throws: SessionFailure.self) {
            try access.withSession(patience: .seconds(60), start: { started += 1 }, undone: { "" }, { _ in })
        }
        expectEqual(failure?.exitCode, 69)
        expectEqual(started, 4)
    }

    /// The process that answers is stopped.
    @Test func `ends with the same code where a session holds the connection and says nothing`() throws {
        let listener = try access.place.listen()
        let failure = #expect(throws: SessionFailure.self) { _ = try access.open(patience: .milliseconds(100)) }
        expectEqual(failure?.exitCode, 69)
        withExtendedLifetime(listener) {}
    }
}
