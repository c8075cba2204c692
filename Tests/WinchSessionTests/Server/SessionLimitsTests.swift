import Testing

@testable import WinchSession

@Suite struct `The limits of a session` {
    @Test func `leave room for the longest line of updates`() {
        // A line of updates is below 1 MiB: one that was begun must not close the client that reads it.
        #expect(SessionLimits.unsentUpdates < SessionLimits.unsentReplies)
        #expect(SessionLimits.unsentReplies >= 1 << 20)
    }

    @Test func `bound the clients and the time until they introduce themselves`() {
        #expect(SessionLimits.clients == 64)
        #expect(SessionLimits.introductionTime == .seconds(5))
    }
}
