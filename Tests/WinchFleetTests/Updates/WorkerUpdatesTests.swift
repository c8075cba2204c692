import FoundationEssentials
import TestSupport
import Testing
import WinchModel

@testable import WinchFleet
@testable import WinchSession

@Suite struct `What a worker publishes of its queue` {
    private var updates = WorkerUpdates()

    private func row(_ number: Int, have: Int64 = 0, _ phase: TransferPhase = .moving) -> TransferSnapshot {
        TransferSnapshot(
            id: TransferID(number), name: "f\(number)", host: "h", phase: phase, have: ByteCount(bytes: have))
    }

    private func whole(_ rows: [TransferSnapshot]) -> Update {
        Update(
            base: nil, number: 1, rows: Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }),
            order: rows.map(\.id), at: at(0))
    }

    private func messages(_ updates: inout WorkerUpdates, at moment: Moment) -> [SessionUpdate] {
        updates.takeMessages(at: moment, log: { [] })
    }

    private var whole: FollowRequest {
        var request = FollowRequest()
        request.isWhole = true
        return request
    }

    @Test mutating func `is nothing while no dashboard asks`() {
        updates.note(whole([row(1)]))
        expect(messages(&updates, at: at(0)).isEmpty)
        updates.take(FollowRequest(), at: at(0))
        expect(updates.isFollowed)
        updates.note(whole([row(1)]))
        expectEqual(messages(&updates, at: at(0)).map(\.base), [nil])
        expectEqual(updates.pass(to: at(14_000)), true)
        expectEqual(updates.pass(to: at(15_000)), false)
        expect(!updates.isFollowed)
    }

    @Test mutating func `are numbered differences, movements of bytes once a second`() {
        updates.take(FollowRequest(), at: at(0))
        updates.note(whole([row(1), row(2)]))
        _ = messages(&updates, at: at(0))
        updates.note(Update(base: 1, number: 2, rows: [TransferID(1): row(1, have: 5)], at: at(250)))
        expect(messages(&updates, at: at(250)).isEmpty)
        updates.note(Update(base: 2, number: 3, rows: [TransferID(1): row(1, have: 9)], at: at(500)))
        let moved = messages(&updates, at: at(1000))
        expectEqual(moved.map(\.base), [1])
        expectEqual(moved.map(\.number), [3])
        expect(moved.first?.motions?.count == 1 && moved.first?.rows == nil)
        updates.note(Update(base: 3, number: 4, removed: [TransferID(2)], order: [TransferID(1)], at: at(1250)))
        expectEqual(messages(&updates, at: at(1250)).map(\.removed), [[TransferID(2)]], "news are not held back")
    }

    @Test mutating func `is the whole again for a dashboard that joins`() {
        updates.take(FollowRequest(), at: at(0))
        updates.note(whole([row(1)]))
        _ = messages(&updates, at: at(0))
        updates.take(whole, at: at(100))
        let again = messages(&updates, at: at(100))
        expectEqual(again.map(\.base), [nil])
        expectEqual(again.first?.rows?.count, 1)
    }

    @Test mutating func `has the details of the row that is shown`() {
        updates.take(FollowRequest(), at: at(0))
        updates.note(whole([row(1)]))
        _ = messages(&updates, at: at(0))
        var request = FollowRequest()
        request.watched = TransferID(1)
        updates.take(request, at: at(100))
        expectEqual(updates.watched, TransferID(1))
        expectEqual(FollowRequest(KeyValueBucket.encode(request)), request)
    }

    @Test func `has the clock of its machine, whatever that is, and is read with the own one`() throws {
        for hours in [-30_000, 0, 5] as [Int64] {
            let shift = hours * 3600 * 1_000_000_000
            func there(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000 + shift) }
            var (copy, feed) = (WorkerUpdates(), WorkerFeed())
            copy.take(FollowRequest(), at: there(0))
            copy.note(whole([row(1)]))
            var messages = messages(&copy, at: there(1000))
            var update = Update(
                base: 1, number: 2, rows: [TransferID(1): row(1, .finished(.saved(path: "f1")))], at: there(2000))
            update.events = [
                FeedEvent(id: TransferID(1), at: there(1900), kind: .finished(.saved(path: "f1")))
            ]
            copy.note(update)
            messages += self.messages(&copy, at: there(2000))
            expectEqual(messages.count, 2)
            // The first is under way for 20 ms, the second for 300.
            let arrivals = [at(1020), at(2300)]
            var events: [FeedEvent] = []
            for (message, arrival) in zip(messages, arrivals) {
                let bytes = KeyValueBucket.encode(WorkerUpdate(update: message, entries: [1: 7]))
                guard case .update(let update, let entries) = feed.take(bytes, at: arrival) else {
                    Issue.record("not understood")
                    return
                }
                expectEqual(entries, [TransferID(1): 7])
                events += update.events
            }
            expectEqual(events.map(\.at), [at(1920)])
        }
    }

    @Test(arguments: [
        "", "{}", "nonsense", #"{"update":{"at":5}}"#, #"{"update":{"base":1,"number":2,"at":1,"order":[[3,1]]}}"#,
    ])
    func `is asked for again when it cannot be understood`(text: String) {
        var feed = WorkerFeed()
        guard case .unknown = feed.take(Array(text.utf8), at: at(0)) else { Issue.record("understood"); return }
    }

    @Test func `is refused without a trap when its instants are far apart`() {
        var feed = WorkerFeed()
        for instant in [9, -9] {
            let text = #"{"update":{"at":\#(instant)000000000000000000}}"#
            guard case .unknown = feed.take(Array(text.utf8), at: at(0)) else { Issue.record("understood"); return }
        }
    }
}
