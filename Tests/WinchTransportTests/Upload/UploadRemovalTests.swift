import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `The removal of what an upload has left at its server` {
    private static func request(
        _ url: String, _ name: String, waiting wait: Duration = .zero
    ) throws -> ConnectionRequest {
        var settings = TransferSettings()
        settings.retryWait = wait
        var request = try ConnectionRequest(url, settings)
        var order = UploadOrder(.file("/x"))
        order.httpProtocol = .tus
        request.upload = order
        request.resume = ResumePoint(
            upload: UploadPlace(name: name, source: nil), have: .zero, total: nil, name: "x")
        return request
    }

    @Test func `is tried again a few times, and then said to have failed`() async throws {
        let server = try ScriptedWebServer(["DELETE /up?token=secret": ScriptedWebServer.page("", status: "500 No")])
        let rig = try Rig()
        let name = server.origin + "/up?token=secret"
        rig.transport.withdraw(try Self.request(server.origin + "/", name))
        let events = await rig.events { if case .warned = $0 { true } else { false } }
        expectEqual(events, [.warned(.leftAtServer(TransferURL.withoutSecrets(name)))])
        expectEqual(server.requests, Array(repeating: "DELETE /up?token=secret", count: 5))
        await rig.transport.shutDown()
    }

    @Test(arguments: ["204 Gone", "404 Not Found", "410 Gone"])
    func `ends when nothing is there any more`(status: String) async throws {
        let server = try ScriptedWebServer(["DELETE /up": ScriptedWebServer.page("", status: status)])
        let rig = try Rig()
        rig.transport.withdraw(try Self.request(server.origin + "/", server.origin + "/up"))
        await rig.transport.shutDown()
        expectEqual(server.requests, ["DELETE /up"])
    }

    /// No server listens there. The first attempt may have failed before the end of the transport makes the last.
    @Test func `does not keep a transport that ends`() async throws {
        let rig = try Rig()
        rig.transport.withdraw(
            try Self.request("ftp://me:x@127.0.0.1:1/a/f", ".winch-1.part", waiting: .seconds(3600)))
        await rig.transport.shutDown()
        let events = await rig.events { if case .warned = $0 { true } else { false } }
        expectEqual(events, [.warned(.leftAtServer("ftp://127.0.0.1:1/a/.winch-1.part"))])
    }

    /// The user has sent the file again meanwhile.
    @Test func `is given up when an upload has the same temporary name`() async throws {
        let rig = try Rig()
        rig.folder.write("f", [1])
        let (url, order) = ("ftp://127.0.0.1:1/f", UploadOrder(.file(rig.folder.path + "/f")))
        func place() async throws -> ResumePoint? {
            try rig.start(url, upload: order)
            let events = await rig.events { if case .placed = $0 { true } else { $0.endsAttempt } }
            rig.transport.close(ConnectionID(transfer: TransferID(1)), discarding: false)
            _ = await rig.settled()
            return if case .placed(let point, isHeld: true)? = events.last { point } else { nil }
        }
        let point = try require(await place())
        rig.transport.withdraw(try Self.request(url, try require(point.upload).name, waiting: .seconds(3600)))
        let again = try await place()
        expectEqual(again, point)
        await rig.transport.shutDown()
        // It is stopped at once, after all other reports.
        try rig.start("http://127.0.0.1:1/x", id: 9)
        var warnings: [TransportEvent] = []
        for await report in rig.reports {
            if case .warned = report.event { warnings.append(report.event) }
            if report.id == TransferID(9) { break }
        }
        expectEqual(warnings, [])
    }

    /// vsftpd, ProFTPD and OpenSSH, the latter in libcurl's words.
    @Test(arguments: [
        ("550 Delete operation failed.", true), ("550 .x: No such file or directory", true),
        ("550 .x: Permission denied", false), ("550 Permission denied.", false), ("450 .x: busy", false),
        ("rm command failed: No such file or directory", true),
        ("rm command failed: File or directory does not exist", true), ("rm command failed: Permission denied", false),
        ("rm command failed: Operation failed", false),
    ])
    func `counts as done where the server says that there is no such file`(words: String, isGone: Bool) {
        expectEqual(UploadRemoval.isGone(words), isGone)
    }
}
