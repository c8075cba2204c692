import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The schedule` {
    private func ids(_ numbers: Int...) -> [TransferID] { numbers.map { TransferID($0) } }

    private func schedule(_ count: Int) -> Schedule {
        var schedule = Schedule()
        for number in 1...count { schedule.append(TransferID(number), preferredRank: nil) }
        return schedule
    }

    private func isAscending(_ schedule: Schedule) -> Bool {
        let ranks = schedule.order.map { schedule.rank(of: $0) }
        return zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 }
    }

    @Test(arguments: [(nil, 1 << 30), (5, 5), (-9, -9), (1 << 61, 1 << 30)] as [(Int?, Int)])
    func `keeps the first rank of a ledger if it is valid`(preferredRank: Int?, expected: Int) {
        var schedule = Schedule()
        schedule.append(TransferID(1), preferredRank: preferredRank)
        expectEqual(schedule.rank(of: TransferID(1)), expected)
    }

    @Test func `appends a new transfer behind all others, whatever rank it had`() {
        var schedule = schedule(2)
        schedule.append(TransferID(3), preferredRank: 7)
        expect(schedule.order == ids(1, 2, 3) && isAscending(schedule))
    }

    @Test(arguments: [(1, 1, [2, 1, 3]), (3, -9, [3, 1, 2]), (1, Int.max, [2, 3, 1]), (2, Int.min, [2, 1, 3])])
    func `changes only the rank of the transfer that is moved`(number: Int, places: Int, order: [Int]) {
        var schedule = schedule(3)
        let changed = schedule.move(TransferID(number), by: places, removed: [])
        expect(changed == ids(number) && schedule.order.map(\.number) == order && isAscending(schedule))
    }

    @Test func `reports nothing when a move changes nothing`() {
        var schedule = schedule(2)
        let moves = [
            schedule.move(TransferID(1), by: -1, removed: []), schedule.move(TransferID(9), by: 1, removed: []),
            schedule.shift(Set(ids(1)), .first, removed: []),
        ]
        expectEqual(moves, [nil, nil, nil])
    }

    @Test func `puts new transfers directly behind another`() {
        var schedule = schedule(5)
        expectEqual(schedule.place(ids(4, 5), below: TransferID(2), removed: []), ids(4, 5))
        expect(schedule.order == ids(1, 2, 4, 5, 3) && isAscending(schedule))
        // Behind the last one they are already.
        schedule.append(TransferID(6), preferredRank: nil)
        expectNil(schedule.place(ids(6), below: TransferID(3), removed: []))
        expectNil(schedule.place(ids(6), below: TransferID(9), removed: []))
        expectNil(schedule.place([], below: TransferID(1), removed: []))
        for number in 7...200 {
            schedule.append(TransferID(number), preferredRank: nil)
            _ = schedule.place(ids(number), below: TransferID(1), removed: [])
        }
        expect(schedule.order.prefix(3) == ids(1, 200, 199)[...] && isAscending(schedule))
    }

    @Test func `renumbers all ranks when there is none left between two`() {
        var schedule = schedule(3)
        for _ in 0..<200 { _ = schedule.move(schedule.order[2], by: -1, removed: []) }
        expect(isAscending(schedule))
    }

    @Test(arguments: [
        (QueueShift.earlier, [2, 3, 1, 4], [2, 3, 1]), (.later, [1, 4, 2, 3], [4, 2, 3]),
        (.first, [2, 3, 1, 4], [2, 3]),
        (.last, [1, 4, 2, 3], [2, 3]),
    ])
    func `moves several transfers together with few new ranks`(shift: QueueShift, order: [Int], changed: [Int]) {
        var schedule = schedule(4)
        let moved = schedule.shift(Set(ids(2, 3)), shift, removed: [])
        expect(schedule.order.map(\.number) == order && moved?.map(\.number) == changed && isAscending(schedule))
    }

    @Test func `appends a new transfer behind one that was restored with a lower rank`() {
        var schedule = schedule(3)
        schedule.remove(Set(ids(1, 2, 3)))
        schedule.append(TransferID(4), preferredRank: 5)
        _ = schedule.putBack(ids(1, 2, 3), removed: [])
        schedule.append(TransferID(5), preferredRank: nil)
        expect(schedule.order == ids(4, 1, 2, 3, 5) && isAscending(schedule))
    }

    @Test func `keeps the place of a removed transfer when all ranks are renumbered`() {
        var schedule = schedule(6)
        schedule.remove(Set(ids(2)))
        for _ in 0..<200 { _ = schedule.move(schedule.order[3], by: -1, removed: ids(2)) }
        _ = schedule.putBack(ids(2), removed: [])
        expect(schedule.order.firstIndex(of: TransferID(2)) == 1 && isAscending(schedule))
    }
}

extension `The schedule` {
    @Test func `starts transfers in order, skipping those whose host is busy`() {
        var schedule = schedule(3)
        for number in [3, 1, 2] { schedule.enqueue(TransferID(number)) }
        let first = schedule.next(isReady: { _ in true }, busyHost: { $0.number == 1 ? "a" : nil })
        expectEqual(first, TransferID(2))
        schedule.unpark("a") { _, _ in true }
        let second = schedule.next(isReady: { _ in true }, busyHost: { _ in nil })
        expectEqual(second, TransferID(1))
    }

    @Test func `has a line of its own for listings`() {
        var schedule = schedule(2)
        schedule.enqueue(TransferID(1))
        schedule.enqueue(TransferID(2), isListing: true)
        let taken = [true, true, false].map { isListing in
            schedule.next(isListing: isListing, isReady: { _ in true }, busyHost: { _ in nil })
        }
        expectEqual(taken, [TransferID(2), nil, TransferID(1)])
    }

    @Test func `drops outdated places`() {
        var schedule = schedule(3)
        for number in 1...3 { schedule.enqueue(TransferID(number)) }
        _ = schedule.move(TransferID(1), by: 2, removed: [])
        let next = schedule.next(isReady: { $0.number != 2 }, busyHost: { _ in nil })
        expectEqual(next, TransferID(3))
        let none = schedule.next(isReady: { _ in true }, busyHost: { _ in nil })
        expectNil(none)
    }

    @Test func `returns retries when they are due`() {
        var schedule = schedule(2)
        let now = Moment(seconds: 5)
        schedule.retries.insert(Alarm(at: now + .seconds(2), connection: .sample(1)))
        schedule.retries.insert(Alarm(at: now + .seconds(1), connection: .sample(2)))
        let due = [schedule.retries.takeDue(at: now), schedule.retries.takeDue(at: now + .seconds(1))]
        expectEqual(due.map { $0.map(\.id) }, [[], ids(2)])
        expectEqual(schedule.retries.next, now + .seconds(2))
        schedule.retries.dropStale { _ in false }
        expectNil(schedule.retries.next)
    }
}
