import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The origins of a file's bytes` {
    @Test func `tell the address that sent a piece, if it was one alone`() throws {
        var origins = ByteOrigins()
        let (one, other) = (try TransferURL("http://one/f"), try TransferURL("http://other/f"))
        origins.note(0..<120, from: one)
        origins.note(120..<250, from: other)
        #expect(origins.source(of: 0..<100) == one)
        #expect(origins.source(of: 100..<200) == nil)
        #expect(origins.source(of: 200..<250) == other)
        origins.forget(200..<250)
        #expect(origins.source(of: 200..<250) == nil)
    }
}
