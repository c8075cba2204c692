import TestSupport
import Testing

@testable import WinchModel
@testable import WinchSession

@Suite struct `The transfers that a request is for` {
    private static let copy: QueueCopy = {
        var update = Update(at: Moment(nanoseconds: 0))
        let rows = [
            TransferSnapshot(id: TransferID(1), name: "disk.iso", host: "h", phase: .moving),
            TransferSnapshot(id: TransferID(2), name: "disk", host: "h", phase: .failed(.httpStatus(404))),
            TransferSnapshot(id: TransferID(3), name: "notes.txt", host: "h", phase: .waiting(.slot)),
        ]
        for row in rows { update.rows[row.id] = row }
        update.order = .whole([TransferID(3), TransferID(1), TransferID(2)])
        var copy = QueueCopy()
        copy.apply(update)
        return copy
    }()

    private func chosen(_ change: (inout SessionRequest) -> Void) throws -> [Int] {
        var request = SessionRequest(.pause)
        change(&request)
        return try request.chosen(in: Self.copy).map(\.number)
    }

    @Test func `are in the queue's order, each once`() throws {
        try expectEqual(chosen { ($0.ids, $0.names) = ([TransferID(1), TransferID(3)], ["notes"]) }, [3, 1])
    }

    @Test func `are named by a part of a name, which may be the whole of another`() throws {
        try expectEqual(chosen { $0.names = ["iso"] }, [1])
        try expectEqual(chosen { $0.names = ["disk"] }, [2])
    }

    @Test(arguments: [(.all, [3, 1, 2]), (.failed, [2]), (.waiting, [3])] as [(SessionRequest.Selection, [Int])])
    func `are all of a state`(which: SessionRequest.Selection, numbers: [Int]) throws {
        try expectEqual(chosen { $0.which = which }, numbers)
    }

    @Test func `are refused when there are none, or several of a name`() {
        #expect(throws: SessionFailure.refused("there is no transfer 9")) { try chosen { $0.ids = [TransferID(9)] } }
        #expect(throws: SessionFailure.self) { try chosen { $0.names = ["dis"] } }
        #expect(throws: SessionFailure.self) { try chosen { $0.names = [""] } }
        #expect(throws: SessionFailure.self) { try chosen { _ in } }
    }
}
