import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The keys for connections` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "a.iso", .moving, have: 50, of: 100, rate: 10), .sample(2, "b.iso", of: 100),
        .sample(3, "c.iso", .finished(.saved(path: "c.iso")), have: 100, of: 100),
        .sample(4, "d.iso", .moving, have: 50, of: 100, direction: .up),
    ]

    private func command(_ numbers: [Int], by step: Int) -> [String] {
        [ScreenAction.send(.changeConnections(numbers.map { TransferID($0) }, by: step)).words]
    }

    @Test func `ask for one more or one fewer of the selected transfer`() {
        var sitting = Sitting(Self.rows)
        sitting.press("g")
        expectEqual(sitting.press(")"), command([1], by: 1))
        expect(sitting.message.contains("One more connection for a.iso"))
        expectEqual(sitting.press("("), command([1], by: -1))
        expect(sitting.message.contains("One connection only for a.iso"))
        sitting.press("j")
        expectEqual(sitting.press("("), command([2], by: -1))
        expect(sitting.message.contains("One fewer connection for b.iso"))
    }

    @Test func `say when the host has no free connection, and when there cannot be more`() {
        var sitting = Sitting(Self.rows) { $0.fullHosts = ["mirror.example.org"] }
        sitting.press("g")
        expectEqual(sitting.press(")"), command([1], by: 1))
        expect(sitting.message.contains("One more connection for a.iso when mirror.example.org has a free one"))
        var full = Self.rows + [TransferSnapshot.sample(5, "big.iso", .moving, have: 50, of: 100)]
        full[4].split = SplitProgress(connections: 5, onDisk: [0..<50], working: [50])
        sitting.update(full) { $0.fullHosts = ["mirror.example.org"] }
        sitting.press(")")
        expect(sitting.message.contains("host is full: big.iso has 5 of 7 connections"), "\(sitting.message)")
        var most = Self.rows
        most[0].split = SplitProgress(connections: 16, onDisk: [0..<50], working: [50])
        sitting.update(most)
        expectEqual(sitting.press(")"), [])
        expect(sitting.message.contains("More than 16 connections are not possible"))
    }

    @Test func `act on all tagged that can have another number`() {
        var sitting = Sitting(Self.rows)
        sitting.press("*")
        expectEqual(sitting.press(")"), command([1, 2], by: 1))
        expect(sitting.message.contains("One more connection for each of 2 downloads"))
    }

    @Test(arguments: [(3, "it is done"), (4, "an upload has one"), (5, "the server speaks HTTP/1.0")])
    func `say why there is no other number`(number: Int, reason: String) {
        var fixed = TransferSnapshot.sample(5, "e.iso", .moving, have: 50, of: 100)
        fixed.split = SplitProgress(
            connections: 1, onDisk: [], working: [], reason: SplitObstacle.oldProtocol.words, isFixed: true)
        var sitting = Sitting(Self.rows + [fixed])
        sitting.press("g")
        for _ in 1..<number { sitting.press("j") }
        expectEqual(sitting.press(")"), [])
        expect(sitting.message.contains("No other number of connections: \(reason)"))
    }
}
