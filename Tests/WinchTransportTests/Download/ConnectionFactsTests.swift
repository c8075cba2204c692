import FaultServer
import TestSupport
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `The report on a connection` {
    private typealias Report = (events: [TransportEvent], facts: [ConnectionFacts], port: Int)

    private func report(_ options: String) async throws -> Report {
        try await FaultServer.serving { server in
            let events = try await Rig().fetch(server.url("p") + "?" + options)
            let facts: [ConnectionFacts] = events.compactMap { event in
                if case .connected(let facts) = event { facts } else { nil }
            }
            return (events, facts, server.port)
        }
    }

    @Test func `precedes the body, once, with the address, the protocol and the headers`() async throws {
        let (events, all, port) = try await report("size=5000&redirect=2")
        let facts = try require(all.first)
        expectEqual(all.count, 1)
        expect((facts.address, facts.port, facts.protocolName) == ("127.0.0.1", port, "HTTP/1.1"))
        expect(facts.tlsVersion == nil && facts.status == 200 && facts.validator != nil)
        expect(facts.headers.contains(HeaderField(name: "content-length", value: "5000")))
        expect(facts.headers.contains { $0.name == "etag" })
        let connected = events.firstIndex { if case .connected = $0 { true } else { false } }
        let opened = events.firstIndex { if case .opened = $0 { true } else { false } }
        try expectLess(require(connected), than: try require(opened))
    }

    @Test func `is sent for an error response too`() async throws {
        try await expectEqual(report("status=404").facts.map(\.status), [404])
    }
}
