import FaultServer
import Glibc
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `A login for a download` {
    @Test func `is used where required, and fails with a reason when it is missing`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let url = server.url("s", "size=100", "user=me", "pass=secret")
            #expect(try await rig.fetch(url).failure == .httpStatus(401))
            let withUser = try await rig.fetch(url, id: 2) {
                $0.user = "me"
                $0.password = "secret"
            }
            #expect(withUser.saved == "s", "what has failed holds no name")
            let wrong = try await rig.fetch(url, id: 3) {
                $0.user = "me"
                $0.password = "wrong"
            }
            #expect(wrong.failure == .httpStatus(401))
        }
    }

    @Test func `in the URL is used and never shown`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let url = "http://me:secret@127.0.0.1:\(server.port)/f/s?size=300K&user=me&pass=secret&dropfirst=200K"
            let first = try await rig.fetch(url)
            #expect(!"\(first)".contains("secret"))
            #expect(try await rig.fetch(url, resume: first.kept).saved == "s")
        }
    }

    @Test func `is not sent to another origin after a redirect`() async throws {
        try await FaultServer.serving { home in
            try await FaultServer.serving { away in
                let rig = try Rig()
                let url = home.url("f", "redirectto=\(away.url("f", "size=100"))")
                let cookies = rig.folder.path + "/cookies.txt"
                rig.folder.write(
                    "cookies.txt", Array("# Netscape HTTP Cookie File\nother.test\tFALSE\t/\tFALSE\t0\ta\tb\n".utf8))
                let events = try await rig.fetch(url) {
                    $0.user = "me"
                    $0.password = "secret"
                    $0.headers = ["Authorization: Bearer token", "Cookie: a=b", "X-Harmless: 1"]
                    $0.cookieFile = cookies
                }
                #expect(events.saved == "f")
                #expect(home.requests.map(\.authorization) == ["Bearer token"])
                #expect(home.requests.map(\.cookie) == ["a=b"])
                #expect(away.requests.map(\.authorization) == [nil])
                #expect(away.requests.map(\.cookie) == [nil])
                #expect(away.requests[0].request.header("X-Harmless") == "1")
            }
        }
    }

    /// A redirect to another host and back: the other host gets no credentials, the first one gets them again.
    @Test func `in the URL is sent to its own host only, before and after a redirect elsewhere`() async throws {
        try await FaultServer.serving { home in
            try await FaultServer.serving { away in
                let rig = try Rig()
                let last = "\(home.origin)/f/end?size=100"
                let between = away.url("between", "redirectto=\(last)")
                let address = home.url("start", "redirectto=\(between)")
                    .replacing("http://", with: "http://me:secret@", maxReplacements: 1)
                let events = try await rig.fetch(address) { $0.headers = ["Cookie: a=b"] }
                #expect(events.saved != nil)
                #expect(away.requests.map(\.authorization) == [nil])
                #expect(away.requests.map(\.cookie) == [nil])
                #expect(home.requests.map(\.cookie) == ["a=b", "a=b"])
                #expect(home.requests.first?.authorization != nil)
                #expect(!"\(events)".contains("secret"))
            }
        }
    }

    @Test func `by user and password is not sent to another origin either`() async throws {
        try await FaultServer.serving { home in
            try await FaultServer.serving { away in
                let rig = try Rig()
                let events = try await rig.fetch(home.url("f", "redirectto=\(away.url("f", "size=100"))")) {
                    $0.user = "me"
                    $0.password = "secret"
                }
                #expect(events.saved == "f")
                #expect(home.requests[0].authorization?.hasPrefix("Basic ") == true)
                #expect(away.requests[0].authorization == nil)
            }
        }
    }

    @Test func `by cookie file is sent to the matching host, and not by the next transfer`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let file = rig.folder.path + "/cookies.txt"
            rig.folder.write(
                "cookies.txt", Array("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tid\t42\n".utf8))
            _ = try await rig.fetch(server.url("a", "size=1")) { $0.cookieFile = file }
            _ = try await rig.fetch(server.url("b", "size=1"), id: 2)
            #expect(server.requests.map(\.cookie) == ["id=42", nil])
        }
    }
}
