import FaultServer
import Testing
import WinchTransport

@testable import WinchModel

@Suite(.timeLimit(.minutes(5))) struct `The report on a connection` {
    private func facts(_ options: String...) async throws -> (events: [TransportEvent], facts: [ConnectionFacts], Int) {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let events = try await rig.fetch(server.url("p") + "?" + options.joined(separator: "&"))
            let facts = events.compactMap { event in
                if case .connected(let facts) = event { facts } else { nil }
            }
            return (events, facts, server.port)
        }
    }

    @Test func `contains the address, the protocol and the headers of the response`() async throws {
        let (_, all, port) = try await facts("size=5000")
        let facts = try #require(all.first)
        #expect(all.count == 1)
        #expect(facts.address == "127.0.0.1")
        #expect(facts.port == port)
        #expect(facts.protocolName == "HTTP/1.1")
        #expect(facts.tlsVersion == nil)
        #expect(facts.status == 200)
        #expect(facts.headers.contains(HeaderField(name: "content-length", value: "5000")))
        #expect(facts.headers.contains { $0.name == "etag" })
        #expect(facts.validator != nil)
    }

    @Test func `precedes the body and is sent once after redirects`() async throws {
        let (events, all, _) = try await facts("size=5000", "redirect=2")
        #expect(all.map(\.status) == [200])
        let connected = events.firstIndex { if case .connected = $0 { true } else { false } }
        let opened = events.firstIndex { if case .opened = $0 { true } else { false } }
        #expect(try #require(connected) < #require(opened))
    }

    @Test func `is sent for an error response too`() async throws {
        let (_, all, _) = try await facts("status=404")
        #expect(all.map(\.status) == [404])
    }
}
