import TestSupport
import Testing

@testable import WinchTransport

@Suite struct `The wait for an FTP server to confirm an upload` {
    @Test(arguments: [
        (0, false, 20), (640 << 10, false, 30), (64 << 20, false, 60), (0, true, 60), (64 << 20, true, 60),
    ])
    func `is short, and longer for bytes that are still on their way and for a stream`(
        unsent: Int, isStream: Bool, seconds: Int
    ) {
        expectEqual(LastReplyWait.seconds(unsent: unsent, isStream: isStream), seconds)
    }
}
