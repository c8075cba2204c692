import Testing

@testable import FaultServer

@Suite struct `A response plan` {
    @Test func `closes the connection when the client asks for it`() throws {
        #expect(try ResponsePlan.planned("size=5", isKeepAlive: false).ending == .close)
    }
}
