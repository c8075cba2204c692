import Foundation
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchSession

@Suite struct `An update of the session protocol` {
    @Test(
        arguments: [([], []), ([1, 2, 3], [[1, 3]]), ([3, 1, 2, 7], [[3, 3], [1, 2], [7, 7]])] as [([Int], [[Int]])])
    func `has the order as runs of consecutive numbers`(order: [Int], runs: [[Int]]) {
        let ids = order.map { TransferID($0) }
        expectEqual(OrderRuns.runs(ids), runs)
        expectEqual(OrderRuns.order(runs, most: 10), ids)
    }

    @Test(arguments: [[[1]], [[2, 1]], [[-1, 2]], [[1, 11]], [[1, 6], [7, 12]], [[0, Int.max]]])
    func `with an order that no server sends is refused`(runs: [[Int]]) {
        expectNil(OrderRuns.order(runs, most: 10))
    }

    @Test func `is complete when its order has come in all its parts`() throws {
        var assembler = UpdateAssembler(secondShift: 0)
        var first = SessionUpdate(base: nil, number: 1, at: Moment(seconds: 1))
        (first.order, first.hasMoreOrder) = ([[1, 2]], true)
        try expectNil(assembler.update(first).order)
        var last = SessionUpdate(base: 1, number: 2, at: Moment(seconds: 1))
        last.order = [[3, 3]]
        try expectEqual(assembler.update(last).order, .whole([TransferID(1), TransferID(2), TransferID(3)]))
        var addition = SessionUpdate(base: 2, number: 3, at: Moment(seconds: 1))
        addition.appended = [[4, 5]]
        try expectEqual(assembler.update(addition).order, .appended([TransferID(4), TransferID(5)]))
        addition.appended = [[1, 1 << 24]]
        #expect(throws: SessionFailure.self) { _ = try assembler.update(addition) }
    }

    /// A session and what shows it may be of different versions.
    @Test func `writes a connection as it always has`() throws {
        let text = #"{"began":2000000000,"host":"h","number":1,"phase":{"moving":{}},"range":[0,9],"rate":5}"#
        let connection = OpenConnection(
            number: 1, range: 0..<9, rate: ByteRate(perSecond: 5), host: "h", began: Moment(seconds: 2), phase: .moving)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        expectEqual(String(decoding: try encoder.encode(connection), as: UTF8.self), text)
        expectEqual(try JSONDecoder().decode(OpenConnection.self, from: Data(text.utf8)), connection)
    }

    @Test func `begins its order anew with the whole state`() throws {
        var assembler = UpdateAssembler(secondShift: 0)
        var begun = SessionUpdate(base: nil, number: 1, at: Moment(seconds: 1))
        (begun.order, begun.hasMoreOrder) = ([[1, 9]], true)
        _ = try assembler.update(begun)
        var whole = SessionUpdate(base: nil, number: 5, at: Moment(seconds: 1))
        whole.order = [[4, 4]]
        try expectEqual(assembler.update(whole).order, .whole([TransferID(4)]))
    }

    @Test(arguments: [Int.max, -1, Int.min])
    func `with totals that no queue has is refused`(count: Int) {
        for path in [\QueueTotals.count, \.finished, \.failed, \.cancelled] as [WritableKeyPath<QueueTotals, Int>] {
            var assembler = UpdateAssembler(secondShift: 0)
            var message = SessionUpdate(base: nil, number: 1, at: Moment(seconds: 1))
            var totals = QueueTotals()
            totals[keyPath: path] = count
            message.totals = totals
            #expect(throws: SessionFailure.self) { _ = try assembler.update(message) }
        }
    }

    @Test func `has the seconds of this process's clock`() throws {
        var assembler = UpdateAssembler(secondShift: 10)
        var message = SessionUpdate(base: nil, number: 1, at: Moment(seconds: 1))
        message.seconds = [RateHistory.Second(number: 5, rate: ByteRate(perSecond: 1))]
        try expectEqual(assembler.update(message).seconds.map(\.number), [15])
    }
}
