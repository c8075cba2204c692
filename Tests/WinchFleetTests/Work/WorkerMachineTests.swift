import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite struct `The machine of a worker` {
    private var machine = WorkerMachine(jobs: 2, worker: "w", folder: WorkingFolder("/d"), renewal: .seconds(4))

    private func entry(
        _ sequence: UInt64, count: Int = 1, pending: Int = 0, _ text: String? = nil, format: String? = "1"
    ) -> Delivery {
        Delivery(
            sequence: sequence, count: count, pending: pending, id: "id\(sequence)",
            body: Array((text ?? "http://h/\(sequence)\n").utf8),
            format: format)
    }

    private func failure(_ actions: [WorkerMachine.Action]) -> FailureRecord? {
        guard case .storeFailure(let record)? = actions.first else { return nil }
        return record
    }

    /// An entry that others had before, and have not settled.
    private mutating func redeliver(_ delivery: Delivery) -> [WorkerMachine.Action] {
        let actions = machine.apply(.delivered(delivery))
        guard case .recall(let number)? = actions.first else { return actions }
        return machine.apply(.recalled(RecentResults(), recall: number))
    }

    /// In one second.
    private mutating func doTwelve(pending: Int = 0) {
        _ = machine.apply(.tick(at(0)))
        for sequence in 1...12 as ClosedRange<UInt64> {
            _ = machine.apply(.delivered(entry(sequence, pending: pending)))
            _ = machine.apply(
                .settled(TransferID(Int(sequence)), .finished(path: "f", bytes: 1, wasComplete: false)))
            _ = machine.apply(.stored(sequence))
        }
        _ = machine.apply(.tick(at(1000)))
    }

    @Test mutating func `acknowledges an entry when the server has stored its result`() {
        let added = machine.apply(.delivered(entry(7)))
        guard case .add(let id, let spec)? = added.first else { Issue.record("\(added)"); return }
        expectEqual(id, TransferID(1))
        expectEqual(spec.folder, "/d")
        let ending = WorkerMachine.Ending.finished(path: "f", bytes: 5, wasComplete: false)
        let record = ResultRecord(entry: 7, id: "id7", path: "f", bytes: 5, worker: "w", wasComplete: false)
        expectEqual(machine.apply(.settled(TransferID(1), ending)), [.store(record)])
        expect(machine.isStoring)
        expectEqual(machine.apply(.stored(7)), [.acknowledge("reply.7.1"), .remove(TransferID(1))])
        expectEqual(machine.heldCount, 0)
        expectEqual(machine.done, 1)
        expectEqual(machine.bytes, 5)
        // Late news change nothing.
        expectEqual(machine.apply(.stored(7)), [])
        expectEqual(machine.apply(.settled(TransferID(1), ending)), [])
        expectEqual(machine.done, 1)
    }

    @Test mutating func `stores a result again that may be lost`() {
        _ = machine.apply(.delivered(entry(7)))
        let stored = machine.apply(.settled(TransferID(1), .finished(path: "f", bytes: 5, wasComplete: false)))
        expectEqual(machine.apply(.notStored(7)), [])
        expectEqual(machine.apply(.tick(at(0))), stored)
        expectEqual(machine.apply(.tick(at(250))), [])
        expectEqual(machine.apply(.stored(7)).first, .acknowledge("reply.7.1"))
    }

    @Test mutating func `says every few seconds that its entries are at work`() {
        _ = machine.apply(.tick(at(0)))
        _ = machine.apply(.delivered(entry(7)))
        expectEqual(machine.apply(.tick(at(1000))), [])
        _ = machine.apply(.delivered(entry(9)))
        expectEqual(machine.apply(.tick(at(3900))), [])
        expectEqual(machine.apply(.tick(at(4000))), [.renew("reply.7.1")])
        expectEqual(machine.apply(.tick(at(5000))), [.renew("reply.9.1")])
        expectEqual(machine.apply(.tick(at(7900))), [])
        expectEqual(machine.apply(.tick(at(8000))), [.renew("reply.7.1")])
    }

    @Test mutating func `asks what the fleet has settled before it works on an entry that is delivered again`() {
        _ = machine.apply(.tick(at(0)))
        expectEqual(machine.apply(.delivered(entry(7, count: 2))), [.recall(1)])
        expectEqual(machine.apply(.delivered(entry(8, count: 2))), [])
        // They count as entries that it has.
        expectEqual(machine.wanted(requested: 0), 1)
        let record = ResultRecord(entry: 7, id: "id7", path: "f", bytes: 5, worker: "other", wasComplete: false)
        let actions = machine.apply(.recalled(RecentResults([record]), recall: 1))
        expectEqual(actions.first, .acknowledge("reply.7.2"))
        guard case .add(_, let spec)? = actions.last else { Issue.record("\(actions)"); return }
        expectEqual(spec.urls.first?.redacted.hasSuffix("/8"), true)
        expectEqual(machine.heldCount, 1)
        // For a moment it knows.
        expectEqual(machine.apply(.delivered(entry(7, count: 3))), [.acknowledge("reply.7.3")])
        guard case .add? = machine.apply(.delivered(entry(9, count: 2))).first else {
            Issue.record("no transfer"); return
        }
        _ = machine.apply(.tick(at(3000)))
        expectEqual(machine.apply(.delivered(entry(10, count: 2))), [.recall(2)])
        // Without an answer it is done again.
        guard case .add? = machine.apply(.recalled(nil, recall: 2)).first else { Issue.record("no transfer"); return }
    }

    @Test mutating func `asks what the fleet has settled when the server was away`() {
        expectEqual(machine.apply(.reconnected), [.recall(1)])
        expectEqual(machine.apply(.delivered(entry(7))), [])
        // What is being read may be from before, and the server may have forgotten the question.
        expectEqual(machine.apply(.reconnected), [.recall(2)])
        expectEqual(machine.apply(.recalled(RecentResults(), recall: 1)), [])
        let record = ResultRecord(entry: 7, id: "id7", path: "f", bytes: 5, worker: "other", wasComplete: false)
        expectEqual(machine.apply(.recalled(RecentResults([record]), recall: 2)), [.acknowledge("reply.7.1")])
    }

    @Test mutating func `does not take the result of another list for that of its entry`() {
        _ = machine.apply(.reconnected)
        let record = ResultRecord(entry: 7, id: "another", path: "f", bytes: 5, worker: "w", wasComplete: false)
        _ = machine.apply(.recalled(RecentResults([record]), recall: 1))
        guard case .add? = machine.apply(.delivered(entry(7))).first else { Issue.record("no transfer"); return }
    }

    @Test mutating func `gives back at its end what it has not begun either`() {
        _ = machine.apply(.reconnected)
        _ = machine.apply(.delivered(entry(7)))
        _ = machine.apply(.stopped)
        expectEqual(machine.giveBackAll(), [.giveBack("reply.7.1", after: .zero)])
        expectEqual(machine.giveBackAll(), [])
    }

    @Test mutating func `holds work for a while without its server, while the list is long`() {
        doTwelve(pending: 1600)
        // A 32nd of what is left.
        expectEqual(machine.wanted(requested: 0), 2 + 50)
        _ = machine.apply(.delivered(entry(13, pending: 1_000_000)))
        // 9 s at 12 a second.
        expectEqual(machine.wanted(requested: 0), 1 + 108)
        _ = machine.apply(.delivered(entry(14, pending: 32)))
        expectEqual(machine.wanted(requested: 0), 6)
    }

    @Test mutating func `goes on with an entry that is delivered to it twice`() {
        _ = machine.apply(.delivered(entry(7)))
        expectEqual(machine.apply(.delivered(entry(7, count: 2))), [.renew("reply.7.2")])
        _ = machine.apply(.settled(TransferID(1), .finished(path: "f", bytes: 5, wasComplete: false)))
        expectEqual(machine.apply(.stored(7)).first, .acknowledge("reply.7.2"))
    }

    @Test mutating func `tells why an entry failed for good`() throws {
        _ = redeliver(entry(7, count: 3))
        let record = try require(failure(machine.apply(.settled(TransferID(1), .failed(.httpStatus(404))))))
        expectEqual(record.entry, 7)
        expectEqual(record.deliveries, 3)
        expectEqual(record.reason, TransferFailure.httpStatus(404).message)
        expectEqual(record.text, "http://h/7\n")
        expectEqual(machine.apply(.stored(7)).first, .acknowledge("reply.7.1".replacing("7.1", with: "7.3")))
        expectEqual(machine.failed, 1)
    }

    @Test(
        arguments: [
            ("http://h/x\n", nil, "not submitted by winch"), ("http://h/x\n", "2", "another version"),
            ("nonsense", "1", "not a usable entry"), ("", "1", "not a usable entry"),
        ] as [(String, String?, String)])
    mutating func `keeps a message that is no entry of this version among the failures`(
        text: String, format: String?, reason: String
    ) throws {
        let record = try require(failure(machine.apply(.delivered(entry(3, text, format: format)))))
        expect(record.reason.contains(reason))
        expectEqual(record.text, text)
        expectEqual(machine.apply(.stored(3)), [.acknowledge("reply.3.1")])
    }

    @Test mutating func `keeps bytes that are no text as they are`() throws {
        let record = try require(
            failure(machine.apply(.delivered(Delivery(sequence: 1, body: [0xFF, 0xFE, 0x00])))))
        expect(record.isBase64)
        expectEqual(Base64.decoded(Array(record.text.utf8)), [0xFF, 0xFE, 0x00])
    }

    @Test mutating func `gives up an entry that was delivered again and again`() throws {
        let record = try require(failure(redeliver(entry(3, count: 101))))
        expect(record.reason.contains("101 times"))
    }

    @Test mutating func `leaves to others what another process does, or this machine cannot`() {
        for (number, failure) in [TransferFailure.inUse("f", pid: nil), .diskFull(folder: "/d")].enumerated() {
            let sequence = UInt64(number + 1)
            _ = machine.apply(.delivered(entry(sequence)))
            let actions = machine.apply(.settled(TransferID(number + 1), .failed(failure)))
            expectEqual(actions.first, .giveBack("reply.\(sequence).1", after: .seconds(10)))
            expectEqual(machine.heldCount, 0)
        }
        _ = redeliver(entry(9, count: 10))
        expect(failure(machine.apply(.settled(TransferID(3), .failed(.diskFull(folder: "/d"))))) != nil)
    }

    @Test mutating func `gives back everything at its end`() {
        _ = machine.apply(.delivered(entry(1)))
        _ = machine.apply(.delivered(entry(2)))
        expectEqual(machine.apply(.stopped), [.end])
        expectEqual(machine.wanted(requested: 0), 0)
        expectEqual(machine.apply(.delivered(entry(3))), [.giveBack("reply.3.1", after: .zero)])
        expectEqual(
            machine.giveBackAll(), [.giveBack("reply.1.1", after: .zero), .giveBack("reply.2.1", after: .zero)])
    }

    @Test mutating func `gives back a cancelled entry that the run has not cancelled`() {
        _ = machine.apply(.delivered(entry(1)))
        expectEqual(
            machine.apply(.settled(TransferID(1), .cancelled)),
            [.giveBack("reply.1.1", after: .zero), .remove(TransferID(1))])
    }

    @Test mutating func `asks for one more than it can do at a time, and for more when they are small`() {
        expectEqual(machine.wanted(requested: 0), 3)
        expectEqual(machine.wanted(requested: 2), 1)
        doTwelve()
        expectEqual(machine.wanted(requested: 0), 2 + 6)
        _ = machine.apply(.tick(at(2000)))
        expectEqual(machine.wanted(requested: 0), 3)
    }

    @Test mutating func `does what is said to all workers`() {
        var control = RunControl()
        control.stops = 4
        expectEqual(machine.apply(.controlled(control)), [])
        _ = machine.apply(.delivered(entry(1)))
        _ = machine.apply(.delivered(entry(2)))
        control.isPaused = true
        expectEqual(machine.apply(.controlled(control)), [.pauseAll])
        expectEqual(machine.wanted(requested: 0), 0)
        expectEqual(machine.apply(.delivered(entry(3))), [.giveBack("reply.3.1", after: .seconds(1))])
        control.isPaused = false
        expectEqual(machine.apply(.controlled(control)), [.resumeAll])
        control.cancelledThrough = 1
        expectEqual(machine.apply(.controlled(control)), [.cancel(TransferID(1))])
        expectEqual(
            machine.apply(.settled(TransferID(1), .cancelled)), [.acknowledge("reply.1.1"), .remove(TransferID(1))])
        expectEqual(machine.apply(.delivered(entry(1))), [.acknowledge("reply.1.1")])
        control.stops = 5
        expectEqual(machine.apply(.controlled(control)), [.end])
    }
}

extension Delivery {
    fileprivate init(
        sequence: UInt64, count: Int = 1, pending: Int = 0, id: String = "", body: [UInt8],
        format: String? = "\(FleetFormat.current)"
    ) {
        self.init(
            sequence: sequence, count: count, pending: pending, reply: "reply.\(sequence).\(count)", id: id, body: body,
            format: format)
    }
}

@Suite struct `A delivered entry` {
    @Test(arguments: [
        "$JS.ACK.winch-x-queue.workers.2.17.5.1669999999999.30",
        "$JS.ACK.domain.hash.winch-x-queue.workers.2.17.5.1669999999999.30",
        "$JS.ACK.domain.hash.winch-x-queue.workers.2.17.5.1669999999999.30.token",
    ])
    func `has its place in the queue in its reply`(reply: String) throws {
        let place = try require(Delivery.place(reply))
        expectEqual(place.sequence, 17)
        expectEqual(place.count, 2)
        expectEqual(place.pending, 30)
    }

    @Test(arguments: [
        "", "x", "_INBOX.a.b", "$JS.ACK.a.b.c", "$JS.ACK.s.c.two.17.5.1.0", "$JS.FC.s.c.2.17.5.1.0",
        "$JS.ACK.winch-x-queue.workers.2.17.5.1669999999999.30.more",
    ])
    func `has none in another reply`(reply: String) {
        expectNil(Delivery.place(reply))
    }
}
