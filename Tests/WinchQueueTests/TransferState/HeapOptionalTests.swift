import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

/// The storage that keeps a row small is invisible from outside.
@Suite struct `A small row` {
    @Test func `returns the stored values and is equal to one with the same values`() {
        var row = TransferSnapshot(id: TransferID(1), name: "f", host: "h", phase: .moving)
        let plain = row
        row.rate = ByteRate(perSecond: 7)
        row.isAtRateLimit = true
        row.warning = .page(expected: ".zip")
        expect(row != plain)
        expectEqual(
            row,
            TransferSnapshot(
                id: TransferID(1), name: "f", host: "h", phase: .moving, rate: ByteRate(perSecond: 7),
                isAtRateLimit: true, warning: .page(expected: ".zip")))
        (row.rate, row.isAtRateLimit, row.warning) = (nil, false, nil)
        expectEqual(row, plain)
        expectEqual(row.hashValue, plain.hashValue)
    }

    @Test func `is not changed by a change of its copy`() {
        let row = TransferSnapshot(
            id: TransferID(1), name: "f", host: "h", phase: .moving, rate: ByteRate(perSecond: 7))
        var copy = row
        copy.rate = ByteRate(perSecond: 8)
        expectEqual(row.rate, ByteRate(perSecond: 7))
    }

    /// In addition, the heap contains the texts of URL, name and folder.
    @Test func `takes at most 120 bytes in the queue and 144 in an update`() {
        expect(MemoryLayout<TransferState>.stride <= 120)
        expect(MemoryLayout<TransferSnapshot>.stride <= 144)
    }
}
