import FaultServer
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `A cookie that a server sets` {
    private static func setting(_ server: FaultServer, thenTo url: String) -> String {
        server.rawURL(
            "HTTP/1.1 302 Found\r\nSet-Cookie: seen=1; Path=/\r\nLocation: \(url)\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `is sent in the rest of the transfer, its resumes included, and by no other transfer`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(threads: 1)
            let url = Self.setting(server, thenTo: server.url("x", "size=300K", "dropfirst=200K"))
            let first = try await rig.fetch(url, name: "x")
            expect(first.kept != nil, "\(first)")
            try await expectEqual(rig.fetch(url, name: "x", resume: first.kept).saved, "x")
            expectEqual(server.requests.map(\.cookie), [nil, "seen=1", "seen=1", "seen=1"])
            server.forget()
            // The first transfer has ended: it begins with none as well.
            for id in [2, 1] { _ = try await rig.fetch(server.url("y\(id)", "size=10"), id: id) }
            expectEqual(server.requests.map(\.cookie), [nil, nil])
        }
    }

    /// libcurl follows none of their redirects.
    @Test func `is sent where the redirect of an upload leads`() async throws {
        try await Rig.serving { server, rig in
            rig.folder.write("x", [1])
            let url = server.uploadURL("x", "redirect=2", "redirectcode=307", "header=Set-Cookie: seen=1; Path=/")
            try rig.start(url, upload: UploadOrder(.file(rig.folder.path + "/x")))
            guard case .finished(.sent, _)? = await rig.settled().last else {
                Issue.record("not sent")
                return
            }
            expectEqual(server.uploads.map { $0.request.header("Cookie") }, [nil, "seen=1", "seen=1"])
        }
    }

    @Test func `is sent where the redirect of a folder leads`() async throws {
        let fields = "Location: /b/\r\nSet-Cookie: seen=1; Path=/\r\n"
        let server = try ScriptedWebServer([
            "GET /a/": ScriptedWebServer.page("", status: "302 Found", fields: fields)
        ])
        let rig = try Rig()
        let start = try TransferURL(server.origin + "/a/")
        let order = FolderOrder(rules: Shared(FolderRules(tree: 1, start: start)))
        try rig.start(start.text, below: "/a", listing: order, namedParts: 1)
        _ = await rig.settled()
        expectEqual(server.requests.prefix(2), ["GET /a/", "GET /b/"])
        expectEqual(server.cookies.prefix(2), [nil, "seen=1"])
    }

    /// libcurl takes the host of a Host line for that of the cookies, in that transfer and in those after it.
    @Test(arguments: [[[]], [["Host: shop.example"]], [["Host: shop.example"], []]])
    func `is not sent to another host`(headers: [[String]]) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(threads: 1)
            for (index, headers) in headers.enumerated() {
                let elsewhere = server.url("x\(index)", "size=7")
                    .replacing("127.0.0.1", with: "localhost", maxReplacements: 1)
                let url = Self.setting(server, thenTo: elsewhere)
                try await expect(rig.fetch(url, id: index + 1) { $0.headers = headers }.saved != nil)
                expectEqual(server.requests(for: "x\(index)").map(\.cookie), [nil])
            }
        }
    }

    @Test func `is not sent where the redirect of an upload with a Host line leads`() async throws {
        try await Rig.serving { server, rig in
            rig.folder.write("x", [1])
            let elsewhere = server.uploadURL("y").replacing("127.0.0.1", with: "localhost", maxReplacements: 1)
            let url = server.rawURL(
                "HTTP/1.1 307 Elsewhere\r\nSet-Cookie: seen=1; Path=/\r\nLocation: \(elsewhere)\r\nContent-Length: 0\r\n\r\n"
            )
            try rig.start(url, upload: UploadOrder(.file(rig.folder.path + "/x"))) {
                $0.headers = ["Host: shop.example"]
            }
            guard case .finished(.sent, _)? = await rig.settled().last else {
                Issue.record("not sent")
                return
            }
            expectEqual(server.uploads(to: "y", method: "PUT").map { $0.request.header("Cookie") }, [nil])
        }
    }

    /// libcurl keeps what a handle has got in a transfer before.
    @Test func `is not added to the header line of another transfer`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(threads: 1)
            let first = try await rig.fetch(Self.setting(server, thenTo: server.url("x", "size=7")))
            expect(first.saved != nil, "\(first)")
            try await expect(
                rig.fetch(server.url("y", "size=7"), id: 2) { $0.headers = ["Cookie: a=b"] }.saved != nil)
            expectEqual(server.requests(for: "y").map(\.cookie), ["a=b"])
        }
    }

    /// What browsers give as the command of a download: the server sets a cookie besides, and wants to see that one as well.
    @Test(arguments: [
        ("Cookie: sid=abc", "seen=1; sid=abc", "seen=1"), ("Cookie: seen=0; sid=abc", "seen=1; sid=abc", "seen=1"),
    ])
    func `is sent beside the user's header line, which stays at its origin`(
        line: String, own: String, other: String
    ) async throws {
        try await FaultServer.serving { home in
            try await FaultServer.serving { away in
                let rig = try Rig()
                for (id, server) in [home, away].enumerated() {
                    let url = Self.setting(home, thenTo: server.url("x", "size=7"))
                    try await expect(rig.fetch(url, id: id + 1, name: "x\(id)") { $0.headers = [line] }.saved != nil)
                }
                expectEqual(home.requests.map(\.cookie), [String(line.dropFirst(8)), own, String(line.dropFirst(8))])
                expectEqual(away.requests.map(\.cookie), [other])
            }
        }
    }
}
