import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `An FTP server` {
    @Test(arguments: [
        ["421 Too many users, sorry."], ["421-Hello\r\n421 There are too many connected users, please try later."],
        ["220 hi", "421 Service not available."], ["120 Service ready in 5 minutes."],
        ["220 hi", "530 Sorry, the maximum number of clients (5) from your host are already connected."],
        ["220 hi", "331 go on", "530 Too many users of that class."],
    ])
    func `that accepts no more clients is busy, with its own message, and is retried`(replies: [String]) async throws {
        let server = try ScriptedFTPServer(replies)
        let failure = try await require(Rig().fetch(server.origin + "f").failure)
        let last = try require(replies.last?.split(separator: "\r\n").last)
        expectEqual(failure, .serverBusy(reply: String(last)))
        expectEqual(failure.exitCode, 29)
        expectEqual(RetryPolicy.treatment(of: RetryPolicy.Attempt(failure), retryWait: .seconds(1)), .again)
    }

    @Test func `that repeats the password is shown without it`() async throws {
        let server = try ScriptedFTPServer(["220 hi", "331 go on", "530 Too many users like s3cret."])
        let events = try await Rig().fetch(server.origin + "f") { ($0.user, $0.password) = ("alice", "s3cret") }
        expectEqual(events.failure, .serverBusy(reply: "530 Too many users like ***."))
    }

    /// The host lets the client in, and is not asked for fewer connections because of one file.
    @Test(arguments: ["421", "450"])
    func `that cannot give a file now is asked again, and is not full`(code: String) async throws {
        let server = try FileFTPServer([1, 2, 3], [.refused("\(code) Not now.")])
        let failure = try await require(Rig().fetch(server.url).failure)
        expect(!TooManyConnections.isSign(failure))
        expectEqual(RetryPolicy.treatment(of: RetryPolicy.Attempt(failure), retryWait: .seconds(1)), .again)
        expect(failure == (code == "421" ? .connectionLost("421 Not now.") : .remoteFile(.busy, path: "/f")))
    }

    @Test(arguments: ["530 Login incorrect.", "530 Too many failed login attempts."])
    func `that refuses a login is not busy`(reply: String) async throws {
        let server = try ScriptedFTPServer(["220 hi", "331 go on", reply])
        let origin = try TransferURL(server.origin).origin
        try await expectEqual(Rig().fetch(server.origin + "f").failure, .loginNeeded(origin: origin))
    }

    /// Its connection was idle for too long; a new one will work.
    @Test func `that ends an idle session is not busy`() async throws {
        let server = try ScriptedFTPServer(["220 hi", "421 Timeout (300 seconds): closing control connection."])
        let failure = try await require(Rig().fetch(server.origin + "f").failure)
        expectEqual(failure, .connectionLost("421 Timeout (300 seconds): closing control connection."))
        expectEqual(RetryPolicy.treatment(of: RetryPolicy.Attempt(failure), retryWait: .seconds(1)), .again)
    }
}
