import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `The request for the rest of a file` {
    private func resume(_ bytes: Int64, total: Int64? = nil, _ validator: Validator?) -> ResumePoint {
        ResumePoint(
            partPath: "p", targetPath: "t", have: ByteCount(bytes: bytes), total: total.map(ByteCount.init(bytes:)),
            validator: validator)
    }

    @Test func `begins after the bytes on disk when a strong ETag proves the version`() throws {
        let request = try require(RangeRequest(resume(10_000, .strongETag("\"x\""))))
        expectEqual(request.rangeText, "10000-")
        expectEqual(request.condition, .strongETag("\"x\""))
    }

    @Test func `asks for the last 4 KiB again when only a date is known`() throws {
        let request = try require(RangeRequest(resume(10_000, .lastModified("d"))))
        expectEqual(request.rangeText, "5904-")
        try expectEqual(require(RangeRequest(resume(100, .lastModified("d")))).rangeText, "0-")
    }

    @Test func `has no condition at another URL`() throws {
        let request = try require(RangeRequest(resume(10_000, .strongETag("\"x\"")), isElsewhere: true))
        expectNil(request.condition)
        expectEqual(request.overlap, RangeRequest.longestOverlap)
    }

    @Test func `is not made when nothing is on disk or nothing could prove the rest`() {
        expectNil(RangeRequest(resume(0, .strongETag("\"x\""))))
        expectNil(RangeRequest(resume(10, nil)))
        expectNil(RangeRequest(resume(10, total: 5, nil)))
    }
}
