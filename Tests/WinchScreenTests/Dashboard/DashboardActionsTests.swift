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

    @Test func `count of all tagged those whose number changes`() {
        var rows = (1...3).map { TransferSnapshot.sample($0, "f\($0)", .moving, have: 50, of: 100) }
        for (index, connections) in [2, 16].enumerated() {
            rows[index].split = SplitProgress(connections: connections, onDisk: [0..<50], working: [50])
        }
        func heard(_ keys: Key..., untagging: Int = 0) -> String {
            var sitting = Sitting(rows)
            sitting.press("g", "*")
            for _ in 0..<untagging { sitting.press("u") }
            for key in keys { sitting.press(key) }
            return sitting.message
        }
        expect(heard(")").contains("One more connection for each of 2 downloads"))
        expect(heard("(").contains("One fewer connection for each of 2 downloads"))
        expect(heard("(", untagging: 2).contains("One connection only for 1 download"))
    }

    @Test func `name a single tagged one as one, and leave out what lists a folder`() {
        var sitting = Sitting(Self.rows + [.sample(5, "pub/", .connecting)])
        sitting.press("g", " ")
        expectEqual(sitting.press(")"), command([1], by: 1))
        expect(sitting.message.contains("One more connection for 1 download"), "\(sitting.message)")
        sitting.press("*")
        expectEqual(sitting.press("("), command([1, 2], by: -1))
    }

    @Test(
        arguments: [
            (3, "it is done"), (4, "an upload has one"), (5, "the server speaks HTTP/1.0"),
            (6, "a folder is listed over one"),
        ])
    func `say why there is no other number`(number: Int, reason: String) {
        var fixed = TransferSnapshot.sample(5, "e.iso", .moving, have: 50, of: 100)
        fixed.split = SplitProgress(
            connections: 1, onDisk: [], working: [], reason: SplitObstacle.oldProtocol.words, isFixed: true)
        var sitting = Sitting(Self.rows + [fixed, .sample(6, "pub/", .connecting)])
        sitting.press("g")
        for _ in 1..<number { sitting.press("j") }
        expectEqual(sitting.press(")"), [])
        expect(sitting.message.contains("No other number of connections: \(reason)"))
    }
}

@Suite struct `Moving rows in the queue` {
    @Test(arguments: ["[", "]", "{", "}"] as [Key])
    func `requires the queue's own order`(key: Key) {
        var sitting = Sitting(Scenes.many(9))
        sitting.press("j", ">")
        expect(sitting.press(key).isEmpty)
        expect(sitting.message.contains("Sorted by name; rows move in the queue's order only (< or >)"))
    }

    @Test func `by one place requires all rows to be shown, to an end does not`() {
        var sitting = Sitting(Scenes.many(9))
        sitting.press("j", "j", "3")
        expect(sitting.press("[").isEmpty)
        expect(sitting.message.contains("Not all rows are shown"))
        expectEqual(sitting.press("{"), ["shift([TransferID(number: 3)], QueueShift.first)"])
        expectEqual(sitting.press("}"), ["shift([TransferID(number: 3)], QueueShift.last)"])
    }
}

@Suite struct `A single row's rate limit` {
    @Test(
        arguments: [
            ("2M", 2 * 1_048_576, "Limit 2.0 MiB/s"), ("", nil, "No own limit"),
            ("0", nil, "No own limit"),
        ] as [(String, Double?, String)])
    func `is typed after x and removed by an empty line`(text: String, rate: Double?, notice: String) {
        var sitting = Sitting(Scenes.many(3))
        sitting.press("j", "x")
        expect(sitting.footer.contains("Rate limit for file-2.bin"))
        sitting.type(text)
        let expected = ScreenAction.send(.setRateLimitEach([TransferID(2)], rate.map(ByteRate.init(perSecond:)))).words
        expectEqual(sitting.press(.enter), [expected])
        expect(sitting.message.contains(notice))
    }

    /// The prompt contains the old limit, so that Enter alone does not remove it.
    @Test func `is shown for editing when it is set, and replaced by typed text`() {
        var row = TransferSnapshot.sample(1, "file-1.bin", .moving, have: 10, of: 100, rate: 5)
        row.limit = ByteRate(perSecond: 700 * 1024)
        var sitting = Sitting([row])
        sitting.press("x")
        expect(sitting.footer.hasSuffix(": 700K"))
        let same = ScreenAction.send(.setRateLimitEach([TransferID(1)], row.limit)).words
        expectEqual(sitting.press(.enter), [same])
        sitting.press("x")
        sitting.type("2M")
        expect(sitting.footer.hasSuffix(": 2M"))
        sitting.press(.escape, "x", .backspace)
        let none = ScreenAction.send(.setRateLimitEach([TransferID(1)], nil)).words
        expectEqual(sitting.press(.enter), [none])
        var limited = Sitting([row]) { $0.rateLimit = ByteRate(perSecond: 1e6) }
        limited.press("x")
        expect(!limited.footer.contains("700K"), "a share of the queue's limit")
        var details = TransferDetails(
            id: TransferID(1), urls: ["http://h/f"], folder: "d", path: "f", size: .exact(.zero))
        details.rateLimit = ByteRate(perSecond: 500 * 1024)
        limited.update(.details(details, of: [row]))
        expect(limited.footer.hasSuffix(": 500K"), "its own: \(limited.footer)")
    }

    @Test func `is for no other row when its own has left the list meanwhile`() {
        var sitting = Sitting(Scenes.many(3))
        sitting.press("j", "x")
        sitting.type("2M")
        var update = Update.all(Scenes.many(3).filter { $0.id.number != 2 })
        update.removed = [TransferID(2)]
        sitting.update(update)
        expectEqual(sitting.dashboard.mode, .normal)
        expect(sitting.message.contains("It has left the list meanwhile"), "\(sitting.message)")
        expectEqual(sitting.press(.enter), [])
        var tagged = Sitting(Scenes.many(3))
        tagged.press(" ", " ", "x")
        tagged.type("2M")
        tagged.update(update)
        let limit = ByteRate(perSecond: 2 * 1_048_576)
        expectEqual(tagged.press(.enter), [ScreenAction.send(.setRateLimitEach([TransferID(1)], limit)).words])
        expect(tagged.message.contains("Limit 2.0 MiB/s for 1 download"), "\(tagged.message)")
    }

    @Test func `that is invalid changes nothing and is explained`() {
        var sitting = Sitting(Scenes.many(3))
        sitting.press("x")
        sitting.type("fast")
        expect(sitting.press(.enter).isEmpty)
        expect(sitting.canvas.text.contains("'fast' is not a rate; use 500K or 2M (bytes a second), or none"))
        expect(sitting.footer.hasSuffix(": fast"), "what was typed stays")
        expect(sitting.press(.escape).isEmpty)
        expectEqual(sitting.dashboard.mode, .normal)
    }
}
