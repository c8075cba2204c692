import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A copy of the queue` {
    @Test func `receives one event for the bytes of several reports`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        let id = TransferID(1)
        for have in [100, 200, 300] as [Int64] {
            _ = run.queue.apply(
                .report(
                    TransportReport(
                        ConnectionID(transfer: id, number: 1), at: run.now, event: .moving(to: have))),
                at: run.now)
        }
        let update = run.queue.takeUpdate(at: run.now)
        expectEqual(update?.events.map(\.kind), [.moved])
        expectEqual(update?.events.map(\.completed), [300])
        expectEqual(update?.events.map(\.have), [ByteCount(300)])
        expectNil(update?.order)
        expectNil(run.queue.takeUpdate(at: run.now))
    }

    @Test func `is told of additions at the end without the rest of the order`() {
        var queue = TransferQueue()
        let now = Moment(seconds: 1)
        var changes: [OrderChange?] = []
        for hosts in [["a", "b"], ["c"], ["d", "e"], ["f"]] {
            _ = queue.apply(.added(hosts.map { Addition(spec: .sample(hosts: [$0])) }), at: now)
            if hosts == ["f"] { _ = queue.apply(.command(.move(TransferID(6), by: -1)), at: now) }
            changes.append(queue.takeUpdate(at: now)?.order)
        }
        func ids(_ numbers: Int...) -> [TransferID] { numbers.map { TransferID($0) } }
        let expected: [OrderChange?] = [
            .whole(ids(1, 2)), .appended(ids(3)), .appended(ids(4, 5)), .whole(ids(1, 2, 3, 4, 6, 5)),
        ]
        expectEqual(changes, expected)
    }

    @Test func `is woken once until it reads the updates`() async {
        await confirmation(expectedCount: 2) { woken in
            let box = UpdateBuffer(wake: { woken() })
            box.post(Update(at: Moment(seconds: 1)))
            box.post(Update(at: Moment(seconds: 2)))
            expectEqual(box.take()?.at, Moment(seconds: 2))
            expectNil(box.take())
            box.post(Update(at: Moment(seconds: 3)))
        }
    }
}
