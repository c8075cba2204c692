import FaultServer
import Glibc
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `A login for a download` {
    @Test func `is used where required, and fails with a reason when it is missing`() async throws {
        try await Rig.serving { server, rig in
            let url = server.url("s", "size=100", "user=me", "pass=secret")
            try await expectEqual(rig.fetch(url).failure, .loginNeeded(origin: server.origin))
            let withUser = try await rig.fetch(url, id: 2) { ($0.user, $0.password) = ("me", "secret") }
            expectEqual(withUser.saved, "s", "what has failed holds no name")
            let wrong = try await rig.fetch(url, id: 3) { ($0.user, $0.password) = ("me", "wrong") }
            expectEqual(wrong.failure, .loginRefused(origin: server.origin, user: "me", details: nil))
        }
    }

    @Test func `is not called refused by a server that takes it in no way that is known`() async throws {
        try await Rig.serving { server, rig in
            let url = server.rawURL(
                "HTTP/1.1 401 x\r\nWWW-Authenticate: NTLM\r\nWWW-Authenticate: Negotiate\r\nContent-Length: 0\r\n\r\n")
            let events = try await rig.fetch(url) { ($0.user, $0.password) = ("me", "secret") }
            expectEqual(events.failure, .loginNeeded(origin: server.origin, offers: "NTLM, Negotiate"))
        }
    }

    @Test func `that the user typed is used for its origin only, instead of a wrong one`() async throws {
        try await FaultServer.serving { home in
            try await FaultServer.serving { away in
                let rig = try Rig()
                rig.transport.logIn(at: home.origin, user: "me", Secret("secret"), instead: ["you"])
                let wrong = home.url("s", "size=100", "user=me", "pass=secret")
                    .replacing("http://", with: "http://you:wrong@", maxReplacements: 1)
                let events = try await rig.fetch(wrong) {
                    $0.headers = ["Authorization: Bearer x", "X-Api-Key: 1"]
                }
                expectEqual(events.saved, "s")
                expectEqual(home.requests.last?.request.header("X-Api-Key"), "1")
                let other = try await rig.fetch(away.url("t", "size=100", "user=me", "pass=secret"), id: 2)
                expectEqual(other.failure, .loginNeeded(origin: away.origin))
                expectEqual(away.requests.map(\.authorization), [nil])
                let account = home.url("u", "size=100", "user=she", "pass=hers")
                    .replacing("http://", with: "http://she:hers@", maxReplacements: 1)
                try await expectEqual(rig.fetch(account, id: 3).saved, "u", "it has another account")
            }
        }
    }

    @Test func `at a proxy is not sent to a server without one`() async throws {
        try await Rig.serving { server, rig in
            let events = try await rig.fetch(server.url("p", "size=10")) {
                $0.headers = ["Proxy-Authorization: Basic eDp5"]
            }
            expectEqual(events.saved, "p")
            expectEqual(server.requests.map { $0.request.header("Proxy-Authorization") }, [nil])
        }
    }

    /// A redirect to another host and back: the other host gets no credentials, the first one gets them again.
    @Test func `in the URL is sent to its own host only, before and after a redirect elsewhere`() async throws {
        try await FaultServer.serving { home in
            try await FaultServer.serving { away in
                let rig = try Rig()
                let last = "\(home.origin)/f/end?size=100&user=me&pass=secret"
                let between = away.url("between", "redirectto=\(last)")
                let address = home.url("start", "redirectto=\(between)")
                    .replacing("http://", with: "http://me:secret@", maxReplacements: 1)
                let page = home.origin + "/page?key=1"
                let events = try await rig.fetch(address) { ($0.headers, $0.referer) = (["Cookie: a=b"], page) }
                expect(events.saved != nil)
                expectEqual(away.requests.map(\.referer), [home.origin + "/"])
                expect(home.requests.allSatisfy { $0.referer == page })
                expectEqual(away.requests.map(\.authorization), [nil])
                expectEqual(away.requests.map(\.cookie), [nil])
                expect(home.requests.allSatisfy { $0.cookie == "a=b" })
                expect(home.requests.last?.authorization != nil)
                expect(!"\(events)".contains("me:secret"))
            }
        }
    }

    @Test func `is not sent in clear text before the server asks, and then by its best method`() async throws {
        try await Rig.serving { server, rig in
            let urls = [
                server.url("f0", "size=10"), server.url("f1", "size=10", "user=me", "pass=secret"),
                server.url("f2", "size=10", "user=me", "pass=secret", "digest"),
            ]
            for (id, url) in urls.enumerated() {
                let events = try await rig.fetch(url, id: id + 1) { ($0.user, $0.password) = ("me", "secret") }
                expectEqual(events.saved, "f\(id)")
            }
            let sent = server.requests.map { $0.authorization?.prefix { $0 != " " } }
            expectEqual(sent, [nil, nil, "Basic", nil, "Digest"])
        }
    }

    @Test func `by cookie file is sent to the matching host, and not by the next transfer`() async throws {
        try await Rig.serving { server, rig in
            let file = rig.folder.path + "/cookies.txt"
            rig.folder.write(
                "cookies.txt", Array("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tid\t42\n".utf8))
            _ = try await rig.fetch(server.url("a", "size=1")) { $0.cookieFile = file }
            _ = try await rig.fetch(server.url("b", "size=1"), id: 2)
            expectEqual(server.requests.map(\.cookie), ["id=42", nil])
        }
    }
}
