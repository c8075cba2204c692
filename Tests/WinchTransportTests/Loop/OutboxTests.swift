import Synchronization
import TestSupport
import Testing
import WinchModel

@testable import WinchTransport

@Suite struct `An outbox` {
    private let id = ConnectionID(transfer: TransferID(1))
    private let start = Moment(nanoseconds: 0)

    /// Counts the reports of each message.
    private final class Messages: Sendable {
        let counts = Mutex<[Int]>([])
        var all: [Int] { counts.withLock { $0 } }
    }

    private func outbox(_ messages: Messages) -> Outbox {
        Outbox(now: start) { reports in messages.counts.withLock { $0.append(reports.count) } }
    }

    private func opening(total: Int64?) -> TransportEvent {
        .opened(
            Opening(
                status: 200, offset: .zero, total: total.map { ByteCount(bytes: $0) },
                part: ResumePoint(partPath: "f.part", targetPath: "f")))
    }

    @Test func `holds back the reports of a small file until its body has ended`() {
        let messages = Messages()
        let outbox = outbox(messages)
        outbox.report(id, .requested)
        expectEqual(outbox.flushDue(), start + Outbox.patience)
        outbox.report(id, opening(total: 4096))
        expectEqual(outbox.flushDue(), start + Outbox.patience)
        expect(messages.all.isEmpty)
        outbox.report(id, .bodyEnded(size: ByteCount(bytes: 4096)))
        expectNil(outbox.flushDue())
        expectEqual(messages.all, [3])
    }

    @Test func `sends what has waited for 10 ms`() {
        let messages = Messages()
        let outbox = outbox(messages)
        outbox.report(id, .requested)
        outbox.now = start + .milliseconds(9)
        expectEqual(outbox.flushDue(), start + .milliseconds(10))
        outbox.now = start + .milliseconds(10)
        expectNil(outbox.flushDue())
        expectEqual(messages.all, [1])
    }

    @Test(arguments: [nil, 65_537, 1 << 30])
    func `sends at once that a large file has begun`(total: Int64?) {
        let messages = Messages()
        let outbox = outbox(messages)
        outbox.report(id, .requested)
        outbox.report(id, opening(total: total))
        expectNil(outbox.flushDue())
        expectEqual(messages.all, [2])
    }
}
