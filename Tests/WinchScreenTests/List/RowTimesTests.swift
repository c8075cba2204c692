import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The times of rows` {
    private static func update(_ events: (seconds: Double, id: Int, kind: FeedEvent.Kind)...) -> Update {
        Update(
            events: events.map { FeedEvent(id: TransferID($0.id), at: .at($0.seconds), kind: $0.kind) }, at: .at(0))
    }

    @Test func `are those of each row of a long list`() {
        var times = RowTimes()
        for id in 1...1000 { times.take(Self.update((0, id, .added(url: "", name: "")))) }
        times.take(Self.update((2, 127, .started(attempt: 1)), (3, 128, .started(attempt: 1))))
        times.take(Self.update((5, 128, .failed(.httpStatus(404))), (6, 300, .cancelled)))
        expect((1...1000).allSatisfy { times.added(TransferID($0)) != nil })
        expectEqual(times.elapsed(TransferID(127), at: .at(9)), .seconds(7))
        expectEqual(times.elapsed(TransferID(128), at: .at(9)), .seconds(2))
        for id in [1, 126, 129, 300, 999] { expectNil(times.elapsed(TransferID(id), at: .at(9))) }
        for id in [0, 1001, -1] { expectNil(times.added(TransferID(id))) }
    }

    @Test(arguments: [(Direction.down, FeedEvent.Kind.headers(status: 206)), (.up, .sized)])
    func `leave out of the mean rate what was on disk or at the server before`(
        direction: Direction, kind: FeedEvent.Kind
    ) {
        var times = RowTimes()
        func take(_ seconds: Double, _ kind: FeedEvent.Kind, have: Int64) {
            let event = FeedEvent(
                id: TransferID(1), direction: direction, at: .at(seconds), kind: kind, have: ByteCount(bytes: have))
            times.take(Update(events: [event], at: .at(0)))
        }
        take(0, .started(attempt: 1), have: 0)
        take(1, kind, have: 8000)
        // A client of a session is not told of the bytes before the next event.
        take(2, .retrying(in: .zero, failure: .httpStatus(503)), have: 8500)
        take(2, .started(attempt: 2), have: 8500)
        take(2, kind, have: 8500)
        let row = TransferSnapshot(
            id: TransferID(1), direction: direction, name: "a", host: "h", phase: .moving,
            have: ByteCount(bytes: 9000))
        expectEqual(times.meanRate(of: row, at: .at(2))?.perSecond, 500)
        take(3, .finished(.alreadyComplete(path: "a")), have: 9000)
        expectNil(times.meanRate(of: row, at: .at(3)))
    }
}

@Suite struct `Columns with times` {
    private func event(_ seconds: Double, _ kind: FeedEvent.Kind, have: Int64 = 0) -> FeedEvent {
        FeedEvent(id: TransferID(1), at: .at(seconds), kind: kind, have: ByteCount(bytes: have), size: nil)
    }

    @Test func `show when a row was added, its elapsed time and its mean rate`() {
        var sitting = Sitting(columns: 160)
        sitting.dashboard.columnChoice = ColumnChoice([.name, .elapsed, .mean, .added, .ends])
        var update = Update.all([.sample(1, "a", .moving, have: 5 << 20, of: 10 << 20, rate: 9, finish: 30)])
        update.events = [
            event(0, .added(url: "http://h/a", name: "a")), event(2, .started(attempt: 1), have: 1 << 20),
            event(3, .started(attempt: 2), have: 2 << 20),
        ]
        sitting.update(update)
        sitting.wait(4)
        expect(sitting.lines[5].contains("2 s") && sitting.lines[5].contains("2.0 MiB/s"), "\(sitting.lines[5])")
        expect(sitting.lines[5].contains("00:16:40") && sitting.lines[5].contains("00:17:10"))
        sitting.wait(6)
        expect(sitting.lines[5].contains("8 s"))
        var done = Update.all([.sample(1, "a", .finished(.saved(path: "a")), have: 9 << 20, of: 9 << 20)])
        done.events = [event(10, .finished(.saved(path: "a")), have: 9 << 20)]
        sitting.update(done)
        sitting.wait(100)
        expect(sitting.lines[5].contains("8 s") && sitting.lines[5].contains("1.0 MiB/s"), "it stands still")
    }
}
