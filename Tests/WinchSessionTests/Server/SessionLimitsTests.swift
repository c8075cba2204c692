import TestSupport
import Testing

@testable import WinchSession

@Suite struct `The limits of a session` {
    @Test func `leave room for the longest line of updates`() {
        // A line of updates is below 1 MiB: one that was begun must not close the client that reads it.
        expectLess(SessionLimits.unsentUpdates, than: SessionLimits.unsentReplies)
        expectAtLeast(SessionLimits.unsentReplies, 1 << 20)
    }
}
