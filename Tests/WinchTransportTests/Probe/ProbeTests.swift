import FaultServer
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `A size probe` {
    @Test(
        arguments: [
            (["size=5000"], 5000, ["HEAD"]), (["size=5000", "headlength=70"], 70, ["HEAD"]),
            (["size=5000", "redirect=2"], 5000, ["HEAD", "HEAD", "HEAD"]),
            (["size=5000", "head=405"], 5000, ["HEAD", "GET"]), (["size=5000", "head=403"], 5000, ["HEAD", "GET"]),
            (["size=9M", "head=501", "ranges=off"], 9 << 20, ["HEAD", "GET"]),
            (["size=5000", "chunked"], nil, ["HEAD"]), (["size=5000", "head=404"], nil, ["HEAD"]),
            (["status=500"], nil, ["HEAD"]), (["status=405"], nil, ["HEAD", "GET"]),
        ] as [([String], Int64?, [String])])
    func `finds the size without a body`(options: [String], size: Int64?, methods: [String]) async throws {
        try await Rig.serving { server, rig in
            let url = server.url("p") + "?" + options.joined(separator: "&")
            let events = try await rig.probe(url)
            expectEqual(events, [.probed(size.map { ByteCount(bytes: $0) })])
            expectEqual(server.requests.map(\.method), methods)
            expectNil(server.requests.first?.range)
            expect(server.requests.allSatisfy { $0.acceptEncoding == "identity" })
        }
    }

    @Test func `of a server that does not respond finds nothing`() async throws {
        let port = try await FaultServer.serving { $0.port }
        try await expectEqual(Rig().probe("http://127.0.0.1:\(port)/x"), [.probed(nil)])
    }

    @Test func `leaves its handle usable for a download`() async throws {
        try await Rig.serving { server, rig in
            for id in 1...3 {
                let url = server.url("f\(id)", "size=1000", "head=405")
                _ = try await rig.probe(url, id: id)
                try await expectEqual(rig.fetch(url, id: id).saved, "f\(id)")
            }
        }
    }
}
