import Testing

@testable import FaultServer

@Suite struct `A byte range request` {
    @Test(
        arguments: [
            (nil, .whole), ("bytes=0-", .part(0..<100)), ("bytes=10-19", .part(10..<20)),
            ("bytes=99-", .part(99..<100)), ("bytes=90-500", .part(90..<100)), ("bytes=-10", .part(90..<100)),
            ("bytes=-500", .part(0..<100)), ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=20-10", .whole), ("bytes=0-1,5-6", .whole), ("lines=1-2", .whole), ("bytes=", .whole),
            ("bytes=-", .whole), ("bytes=5-99999999999999999999", .part(5..<100)),
            ("bytes=99999999999999999999-", .unsatisfiable),
        ] as [(String?, ByteRangeRequest)])
    func `is resolved against the size`(header: String?, expected: ByteRangeRequest) {
        #expect(ByteRangeRequest(header, size: 100) == expected)
    }
}
