import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `The connections of a transfer` {
    private let now = Moment(seconds: 5)

    /// One for each host, with a limit of 100 bytes a second.
    private func connections(_ hosts: String...) -> Connections {
        var connections = Connections()
        for (index, host) in hosts.enumerated() {
            connections.add(
                Connection(
                    .sample(1, index + 1), .down, source: index, host: host, limit: ByteRate(perSecond: 100), at: now))
        }
        return connections
    }

    @Test func `are as far as the furthest of those that are open`() {
        var connections = connections("a", "a", "b")
        expectEqual(connections.stage, .connecting)
        connections.change(.sample(1, 2)) { $0.begin(at: 500) }
        expect(connections.stage == .moving && connections.counts.open == 3 && connections.counts.moving == 1)
        connections.change(.sample(1, 2)) { $0.close(.keeping, isPause: false) }
        expect(connections.stage == .connecting && connections.counts.open == 2)
        connections.remove(.sample(1, 1))
        connections.remove(.sample(1, 3))
        expect(connections.stage == nil && !connections.isEmpty)
    }

    @Test func `keep count of what one brought once more that has left`() {
        var connections = connections("a", "b")
        connections.change(.sample(1, 1)) { $0.move(0..<1000, again: 300, at: now) }
        connections.remove(.sample(1, 1))
        expectEqual(connections.repeated, 300)
    }

    @Test func `have the sum of their limits, and are held back only together`() {
        var connections = connections("a", "b")
        expectEqual(connections.limit, ByteRate(perSecond: 200))
        connections.change(.sample(1, 1)) { $0.move(0..<1000, at: now) }
        expect(!connections.areHeldBack(at: now))
        connections.change(.sample(1, 2)) { $0.move(0..<1000, at: now) }
        expect(connections.areHeldBack(at: now))
        connections.change(.sample(1, 2)) { $0.limit(to: nil, at: now) }
        expectNil(connections.limit)
    }

    @Test func `are answered at a host while they move`() {
        var connections = connections("a", "a", "b")
        for number in 1...3 { connections.change(.sample(1, number)) { $0.begin(at: 0) } }
        expectEqual(connections.answered(at: "a", except: .sample(1, 1)), 1)
        expectEqual(connections.answered(at: "b", except: .sample(1, 1)), 1)
    }

    @Test func `close together, and know whether each had opened the part`() {
        var connections = connections("a", "b")
        connections.change(.sample(1, 2)) { $0.begin(at: 0) }
        expectEqual(connections.live, [.sample(1, 1), .sample(1, 2)])
        connections.close(.keeping)
        expect(connections.live == [] && connections.open.isEmpty)
        expectEqual(connections.all.map { $0.closing?.hadOpened }, [false, true])
        connections.changeClosing { $0.disposition = .discarding }
        expectEqual(connections.all.map { $0.closing?.disposition }, [.discarding, .discarding])
    }
}
