import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The messages of the log` {
    private static let events: [(FeedEvent.Kind, LogLevel?, String)] = [
        (.started(attempt: 1), .info, "started"),
        (.started(attempt: 3), .info, "started, attempt 3, from 5 B"),
        (.redirected(url: "http://h/x"), .info, "redirected to http://h/x"),
        (.headers(status: 206), .debug, "status 206"),
        (.moved, nil, ""),
        (.rebase(.fileChanged), .warning, "bar moved back: file changed, starting over"),
        (.rebase(.added(2)), .debug, "bar moved back: +2 files"),
        (.sized, .debug, "size 10 B"),
        (.reopened(url: "http://h/x", name: "n", .failed(.httpStatus(404))), .debug, "from an earlier run, failed"),
        (.paused, .info, "paused at 5 B"),
        (.resumed, .info, "waiting to start"),
        (.removed, .info, "off the list"),
        (.restored, .info, "back on the list"),
        (.retrying(in: .seconds(3), failure: .httpStatus(503)), .warning, "failed, next attempt in 3 s: "),
        (
            .connections(2, reason: "second connection: +93 %, kept"), .info,
            "second connection: +93 %, kept; 2 connections"
        ),
        (.retrying(in: .zero, failure: .httpStatus(404)), .warning, "failed, next attempt at once: "),
        (.finished(.saved(path: "p")), .info, "finished, 5 B"),
        (.failed(.httpStatus(404)), .error, "failed: "),
        (.warned(.unknownPart("n.part", isContinued: false)), .info, "n.part is not known to this machine's winch"),
        (.warned(.page(expected: ".zip")), .warning, "received an HTML page instead of .zip"),
        (.cancelled, .info, "cancelled"),
    ]

    @Test(arguments: events.indices)
    func `have a level and a message for each event`(index: Int) {
        let (kind, level, words) = Self.events[index]
        let event = FeedEvent(
            id: TransferID(1), at: Moment(seconds: 1), kind: kind, have: ByteCount(5), size: ByteCount(10))
        let entry = LogEntry(event, name: "n")
        #expect(entry?.level == level)
        #expect(entry?.message.hasPrefix(words) ?? (level == nil))
    }

    @Test func `have fields that programs can read`() throws {
        let event = FeedEvent(
            id: TransferID(1), at: Moment(seconds: 1), kind: .finished(.saved(path: "a b")), have: ByteCount(5),
            size: ByteCount(5))
        let fields = try #require(LogEntry(event, name: "n")).fields
        #expect(fields.map(\.name) == ["name", "path", "have", "size"])
        #expect(fields.map(\.value) == ["n", "a b", "5", "5"])
    }
}
