import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A download` {
    @Test(arguments: [0, 1, 4096, 300_000, 5_000_003] as [Int64])
    func `writes every byte and reports each step in order`(size: Int64) async throws {
        try await Rig.serving { server, rig in
            let events = try await rig.fetch(server.url("whole.bin", "size=\(size)"))
            expectEqual(events.first, .requested)
            expectEqual(events.openings.map(\.total), [ByteCount(bytes: size)])
            expectEqual(events.suffix(2).first, .bodyEnded(size: ByteCount(bytes: size)))
            expectEqual(events.last, .finished(.saved(path: "whole.bin"), size: ByteCount(bytes: size)))
            expectEqual(events.counts, events.counts.sorted())
            expect(size == 0 || events.counts.last == size)
            expectEqual(rig.folder.names, ["whole.bin"])
            try expectEqual(rig.folder.bytes("whole.bin"), FaultServer.content("whole.bin", size))
        }
    }

    @Test func `keeps many files separate over few connections`() async throws {
        try await Rig.serving { server, rig in
            for id in 1...200 { try rig.start(server.url("f\(id)", "size=\(id * 97)"), id: id) }
            let ends = await rig.settledAll(200)
            expectEqual(ends.count, 200)
            for id in 1...200 {
                try expectEqual(rig.folder.bytes("f\(id)"), FaultServer.content("f\(id)", Int64(id) * 97))
            }
        }
    }

    @Test(arguments: [404, 503])
    func `never saves an error page`(status: Int) async throws {
        try await Rig.serving { server, rig in
            for size in [10, 300_000] {
                let events = try await rig.fetch(server.url("e", "status=\(status)", "errbody=\(size)"))
                expectEqual(events.failure, .httpStatus(status))
                expectNil(events.kept)
            }
            expectEqual(rig.folder.names, [])
        }
    }

    @Test func `is warned of when it is saved encoded although that was not asked for`() async throws {
        try await Rig.serving { server, rig in
            func warnings(_ name: String, id: Int, headers: [String] = []) async throws -> [TransferWarning] {
                try await rig.fetch(server.url(name, "header=Content-Encoding: gzip"), id: id) { $0.headers = headers }
                    .compactMap { if case .warned(let warning) = $0 { warning } else { nil } }
            }
            try await expectEqual(warnings("a", id: 1), [.encoded("gzip")])
            try await expectEqual(warnings("a.tar.gz", id: 2), [])
            try await expectEqual(warnings("b", id: 3, headers: ["accept-encoding: gzip"]), [])
        }
    }

    @Test func `sends the headers from the settings`() async throws {
        try await Rig.serving { server, rig in
            _ = try await rig.fetch(server.url("plain"))
            _ = try await rig.fetch(server.url("dressed"), id: 2) {
                $0.headers = ["X-One: 1", "Accept-Encoding: gzip", "Range: bytes=5-"]
                $0.userAgent = "me/1"
                $0.referer = "http://example.org/"
            }
            _ = try await rig.fetch(server.url("plain2"), id: 3)
            let requests = server.requests
            expectEqual(requests.map(\.acceptEncoding), ["identity", "gzip", "identity"])
            expectEqual(requests.map(\.userAgent), [RequestHeaders.userAgent, "me/1", RequestHeaders.userAgent])
            expectEqual(requests.map(\.referer), [nil, "http://example.org/", nil])
            expectEqual(requests.map(\.range), [nil, nil, nil])
            expectEqual(requests[1].request.header("X-One"), "1")
        }
    }
}
