import Testing

@testable import FaultServer

@Suite struct `The pacing of a body` {
    @Test func `schedules each byte at the configured rate`() {
        var pacer = BodyPacing(rate: 1000)
        #expect(pacer.slice == 50)
        #expect(pacer.due(afterSending: 50) == .milliseconds(50))
        #expect(pacer.due(afterSending: 450) == .milliseconds(500))
    }
}
