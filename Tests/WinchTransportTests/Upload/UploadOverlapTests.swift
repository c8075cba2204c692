import Testing

@testable import WinchTransport

@Suite struct `The overlap that is compared before an upload goes on` {
    private static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }

    private func source(_ range: Range<Int64>) -> [UInt8]? {
        Array(Self.content[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    @Test(arguments: [(0, 0), (1, 0), (65_536, 0), (65_537, 1), (110_000, 44_464)] as [(Int64, Int64)])
    func `is the last 64 KiB that the server has`(found: Int64, start: Int64) {
        #expect(UploadOverlap(endingAt: found).range == start..<found)
    }

    @Test func `is the same when every byte is`() {
        let overlap = UploadOverlap(endingAt: 110_000)
        #expect(overlap.isSame(Array(Self.content[44_464..<110_000]), in: source))
    }

    @Test func `differs when one byte does`() {
        var remote = Array(Self.content[44_464..<110_000])
        remote[65_535] ^= 1
        #expect(!UploadOverlap(endingAt: 110_000).isSame(remote, in: source))
    }

    @Test func `differs when the server has sent fewer bytes, or the source cannot be read`() {
        let overlap = UploadOverlap(endingAt: 110_000)
        #expect(!overlap.isSame(Array(Self.content[44_464..<109_999]), in: source))
        #expect(!overlap.isSame(Array(Self.content[44_464..<110_000]), in: { _ in nil }))
    }
}
