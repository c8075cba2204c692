import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The choice of a thread` {
    enum Step {
        /// A first connection of a transfer, or a further one.
        case open(Int, number: Int = 1, to: String = "a", isFirst: Bool = true, file: String? = nil)
        case report(Int, number: Int = 1, TransportEvent)
        case probe(Int, at: String = "a")
        case discard(Int)
        case discarded(Int)
    }

    static let failed = TransportEvent.failed(.diskFull(folder: "/"), retryAfter: nil, kept: nil)
    static let finished = TransportEvent.finished(.saved(path: "x"), size: .zero)

    /// The places of the openings, probes and removals, with two threads.
    private static func places(_ steps: [Step]) -> [ThreadChoice.Place] {
        var choice = ThreadChoice(count: 2)
        var places: [ThreadChoice.Place] = []
        for step in steps {
            switch step {
            case .open(let id, let number, let server, let isFirst, let file):
                let connection = ConnectionID(transfer: TransferID(id), number: number)
                places.append(choice.open(connection, of: isFirst ? file ?? "\(id)" : nil, to: server))
            case .report(let id, let number, let event):
                choice.take(ConnectionID(transfer: TransferID(id), number: number), event)
            case .probe(let id, let server): places.append(choice.probe(TransferID(id), at: server))
            case .discard(let id): places.append(ThreadChoice.Place(thread: choice.discard(TransferID(id))))
            case .discarded(let id): choice.discarded(TransferID(id))
            }
        }
        return places
    }

    private static let cases: [(String, [Step], [Int])] = [
        ("transfers are spread", [.open(1), .open(2), .open(3)], [0, 1, 0]),
        (
            "connections of a transfer are together", [.open(1), .open(1, number: 2, isFirst: false), .open(2)],
            [0, 0, 1]
        ),
        ("a kept connection is used", [.open(1), .open(2), .report(1, finished), .open(3)], [0, 1, 0]),
        (
            "also where the other thread is less busy",
            [
                .open(1), .open(2), .open(3, to: "b"), .open(4, to: "b"), .report(2, finished), .open(5, to: "c"),
                .open(6),
            ],
            [0, 1, 0, 1, 1, 1]
        ),
        (
            "the finisher has the file",
            [.open(1), .report(1, .bodyEnded(size: .zero)), .open(2), .open(1, number: 2)], [0, 0, 0]
        ),
        (
            "a part stays open after its last connection",
            [.open(2), .open(1), .report(1, .ended), .report(2, failed), .open(1, number: 2, isFirst: false)],
            [0, 1, 1]
        ),
        (
            "a new attempt ends the connections of the earlier one",
            [
                .open(1), .open(1, number: 2), .report(1, number: 1, failed), .open(2), .report(1, number: 2, failed),
                .open(3),
            ], [0, 0, 1, 0]
        ),
        (
            "a removal is carried out before the next attempt",
            [
                .open(1), .open(2), .report(2, failed), .discard(2), .report(1, failed), .open(2, number: 2),
                .discarded(2),
            ],
            [0, 1, 1, 1]
        ),
        (
            "files of one name begin on one thread",
            [.open(1, file: "x"), .open(2, file: "x"), .report(1, .requested), .open(3, file: "x"), .open(4)],
            [0, 0, 0, 1]
        ),
        (
            "a name is known once something is reported",
            [.open(1, file: "x"), .report(1, .requested), .open(2, file: "x")], [0, 1]
        ),
        (
            "what follows a removal may get the name",
            [.open(1), .open(2), .report(2, failed), .discard(3), .open(4), .discarded(3), .open(5, to: "b")],
            [0, 1, 1, 1, 0]
        ),
        (
            "a question for a size uses a kept connection", [.open(2), .report(2, finished), .probe(1), .open(3)],
            [0, 0, 1]
        ),
        ("its connection is kept", [.probe(1), .report(1, .probed(nil)), .open(1)], [0, 0]),
    ]

    @Test(arguments: cases)
    func `follows what is open`(reason: String, steps: [Step], threads: [Int]) {
        expectEqual(Self.places(steps).map(\.thread), threads, "\(reason)")
    }

    @Test func `closes a kept connection elsewhere for a further one of a file`() {
        let places = Self.places([
            .open(1), .open(2), .report(2, Self.finished), .open(1, number: 2, isFirst: false),
            .open(1, number: 3, isFirst: false),
        ])
        expectEqual(places.map(\.thread), [0, 1, 0, 0])
        expectEqual(places.map(\.closesKept), [nil, nil, 1, nil])
    }

    /// Sockets as a server would count them: each thread keeps every connection that ends.
    private struct Model {
        var open: [TransferID: (thread: Int, connections: [(id: ConnectionID, server: String)])] = [:]
        var kept: [[String]]

        func sockets(to server: String) -> Int {
            connections(to: server) + kept.joined().count { $0 == server }
        }

        func connections(to server: String) -> Int {
            open.values.reduce(0) { $0 + $1.connections.count { $0.server == server } }
        }
    }

    private static let seeds = (0..<20).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `never needs more sockets than connections at one time`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        let count = Int.random(in: 1...4, using: &numbers)
        var choice = ThreadChoice(count: count)
        var model = Model(kept: Array(repeating: [], count: count))
        var most: [String: Int] = [:]
        for step in 0..<300 {
            let transfer = TransferID(Int.random(in: 1...12, using: &numbers))
            let held = model.open[transfer]
            expectEqual(choice.thread(of: transfer), held?.thread, "seed \(seed), step \(step)")
            if let held, let ended = held.connections.randomElement(using: &numbers), Bool.random(using: &numbers) {
                let isLast = Int.random(in: 0..<4, using: &numbers) == 0
                let gone = isLast ? held.connections : [ended]
                choice.take(ended.id, isLast ? Self.finished : Self.failed)
                model.kept[held.thread] += gone.map(\.server)
                model.open[transfer]?.connections.removeAll { connection in gone.contains { $0.id == connection.id } }
                if model.open[transfer]?.connections.isEmpty == true { model.open[transfer] = nil }
                continue
            }
            let server = ["a", "b", "c"].randomElement(using: &numbers) ?? "a"
            let connection = ConnectionID(transfer: transfer, number: step)
            let place = choice.open(connection, of: held == nil ? "\(transfer)" : nil, to: server)
            expect(held == nil || place.thread == held?.thread, "seed \(seed), step \(step)")
            if let index = model.kept[place.thread].firstIndex(of: server) {
                model.kept[place.thread].remove(at: index)
            } else if let keeper = place.closesKept, let index = model.kept[keeper].firstIndex(of: server) {
                model.kept[keeper].remove(at: index)
            }
            model.open[transfer, default: (place.thread, [])].connections.append((connection, server))
            most[server] = max(most[server] ?? 0, model.connections(to: server))
            expectAtMost(model.sockets(to: server), most[server] ?? 0, "seed \(seed), step \(step)")
        }
    }
}

/// Sensitive to time: connections are kept and reused by several threads.
@Suite(.timeLimit(.minutes(5))) struct `A transport of several threads` {
    /// Two files on two threads; then the first one gets a further connection, and the second one's is kept.
    @Test func `closes a kept connection to make room for a further one`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(threads: 2)
            try rig.start(server.url("large") + "?size=8M&rate=100K&etag=strong", id: 1)
            _ = await rig.events { if case .opened = $0 { true } else { false } }
            try await expect(rig.fetch(server.url("small") + "?size=10K", id: 2).saved != nil)
            try await Self.until { server.openConnections == 2 }
            try rig.start(
                server.url("large") + "?size=8M&rate=100K&etag=strong", id: 1, attempt: 1, isFurther: true)
            try await Self.until { server.totalConnections >= 3 }
            try await Self.until { server.openConnections == 2 }
            expectEqual(server.totalConnections, 3)
        }
    }

    @Test func `stops all and keeps the parts at its end`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig(threads: 3)
            for id in 1...6 { try rig.start(server.url("part\(id)") + "?size=4M&stall=1M", id: id) }
            _ = await rig.events { $0.position ?? 0 > 0 }
            await rig.transport.shutDown()
            let ends = await rig.settledAll(6)
            expect(ends.values.allSatisfy { if case .stopped = $0 { true } else { false } })
            expect(rig.transport.end(within: .seconds(60)))
            try await Self.until { server.openConnections == 0 }
        }
    }

    private static func until(_ isTrue: () -> Bool) async throws {
        for _ in 0..<6000 where !isTrue() { try await Task.sleep(for: .milliseconds(10)) }
        expect(isTrue())
    }
}
