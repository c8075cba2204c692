import Foundation
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
        #expect(row != plain)
        #expect(
            row
                == TransferSnapshot(
                    id: TransferID(1), name: "f", host: "h", phase: .moving, rate: ByteRate(perSecond: 7),
                    isAtRateLimit: true, warning: .page(expected: ".zip")))
        (row.rate, row.isAtRateLimit, row.warning) = (nil, false, nil)
        #expect(row == plain)
        #expect(row.hashValue == plain.hashValue)
    }

    @Test func `is not changed by a change of its copy`() {
        let row = TransferSnapshot(
            id: TransferID(1), name: "f", host: "h", phase: .moving, rate: ByteRate(perSecond: 7))
        var copy = row
        copy.rate = ByteRate(perSecond: 8)
        #expect(row.rate == ByteRate(perSecond: 7))
    }

    @Test(arguments: [[], ["http://a/x"], ["http://a/x", "ftp://b/x", "http://c/x"]])
    func `keeps its mirrors in order`(texts: [String]) throws {
        let urls = try texts.map { try TransferURL($0) }
        var mirrors = MirrorList(urls)
        #expect(Array(mirrors) == urls)
        #expect(mirrors.count == urls.count)
        #expect(try JSONDecoder().decode(MirrorList.self, from: JSONEncoder().encode(mirrors)) == mirrors)
        guard let last = urls.indices.last else { return }
        mirrors[last] = try TransferURL("http://d/x")
        #expect(mirrors.map(\.text) == texts.dropLast() + ["http://d/x"])
    }

    @Test func `stores a date or none`() {
        var record = TransferState.Record()
        #expect(record.addedAt == nil)
        record.addedAt = UnixTime(milliseconds: 0)
        #expect(record.addedAt == UnixTime(milliseconds: 0))
        record.addedAt = nil
        #expect(record.addedAt == nil)
        #expect(record.key == nil)
    }

    /// In addition, the heap contains the texts of URL, name and folder.
    @Test func `takes at most 120 bytes in the queue and 144 in an update`() {
        #expect(MemoryLayout<TransferState>.stride <= 120)
        #expect(MemoryLayout<TransferSnapshot>.stride <= 144)
    }
}
