import FaultServer
import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `Mirrors that a server names` {
    private static let links =
        "Link: <http://last/f>; rel=duplicate, <ftp://m/f>; rel=duplicate; pri=2, <//first/f>; rel=duplicate; pri=1, "
        + "<sftp://m/f>; rel=duplicate, <http://u:p@m/f>; rel=duplicate, <http://>; rel=duplicate, <f>; rel=next, "
        + "</f.meta4>; rel=describedby; type=\"application/metalink4+xml\""

    private static func mirrors(in events: [TransportEvent]) -> [String] {
        events.compactMap { event in
            if case .mirrors(let urls, let metalink) = event {
                (urls + [metalink].compactMap { $0 }).map(\.text).joined(separator: " ")
            } else {
                nil
            }
        }
    }

    @Test func `are reported once, in their order, before the body begins`() async throws {
        try await Rig.serving { server, rig in
            let events = try await rig.fetch(
                server.rawURL("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\(Self.links)\r\n\r\nabc"))
            expectEqual(
                Self.mirrors(in: events), ["http://first/f ftp://m/f http://last/f \(server.origin)/f.meta4"])
            let place = events.firstIndex { if case .mirrors = $0 { true } else { false } }
            let opening = events.firstIndex { if case .opened = $0 { true } else { false } }
            try expectLess(require(place), than: try require(opening))
            expect(events.saved != nil)
        }
    }

    @Test(arguments: ["", "hold"]) func `count when a redirect names them`(how: String) async throws {
        try await Rig.serving { server, rig in
            let length = how.isEmpty ? "Content-Length: 0\r\n" : ""
            let answer = "HTTP/1.1 302 Found\r\nLocation: /f/x?size=7\r\n\(length)\(Self.links)\r\n\r\n"
            let events = try await rig.fetch(how.isEmpty ? server.rawURL(answer) : server.rawURL(answer, how))
            expectEqual(
                Self.mirrors(in: events), ["http://first/f ftp://m/f http://last/f \(server.origin)/f.meta4"])
            expect(events.saved != nil, "\(String(describing: events.last))")
        }
    }

    @Test func `are not taken from an error, and none are reported without a link`() async throws {
        try await Rig.serving { server, rig in
            let failed = try await rig.fetch(
                server.rawURL("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\(Self.links)\r\n\r\n"))
            expect(Self.mirrors(in: failed).isEmpty)
            try await expect(Self.mirrors(in: rig.fetch(server.url("f", "size=3"), id: 2)).isEmpty)
        }
    }

    @Test func `of an encrypted file are encrypted, unless the user allows others`() throws {
        let links = LinkField.links("<http://m/f>; rel=duplicate, <https://m/f>; rel=duplicate, <g>; rel=duplicate")
        var request = try ConnectionRequest("https://h/f")
        var mirrors = NamedMirrors()
        mirrors.take(links, from: "https://h/f", of: request)
        expectEqual(mirrors.urls.map(\.text), ["https://m/f", "https://h/g"])
        var settings = TransferSettings()
        settings.allowsDowngrade = true
        request.settings = Shared(settings)
        mirrors = NamedMirrors()
        mirrors.take(links, from: "https://h/f", of: request)
        expectEqual(mirrors.urls.map(\.text), ["http://m/f", "https://m/f", "https://h/g"])
    }
}
