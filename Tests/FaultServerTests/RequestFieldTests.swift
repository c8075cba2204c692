import Testing

@testable import FaultServer

@Suite struct `A byte range request` {
    @Test(
        arguments: [
            (nil, .whole), ("bytes=0-", .part(0..<100)), ("bytes=10-19", .part(10..<20)),
            ("bytes=99-", .part(99..<100)),
            ("bytes=90-500", .part(90..<100)), ("bytes=-10", .part(90..<100)), ("bytes=-500", .part(0..<100)),
            ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=20-10", .whole),
            ("bytes=0-1,5-6", .whole), ("lines=1-2", .whole), ("bytes=", .whole), ("bytes=-", .whole),
            ("bytes=5-99999999999999999999", .part(5..<100)), ("bytes=99999999999999999999-", .unsatisfiable),
        ] as [(String?, ByteRangeRequest)])
    func `is resolved against the size`(header: String?, expected: ByteRangeRequest) {
        #expect(ByteRangeRequest(header, size: 100) == expected)
    }
}

@Suite struct `A date field` {
    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] as [(Int64, String)])
    func `has the format of RFC 9110`(seconds: Int64, expected: String) {
        #expect(DateField.text(seconds) == expected)
    }
}

@Suite struct `A stored gzip file` {
    @Test func `contains the checksum of its content`() {
        #expect(StoredGzip.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 200_000])
    func `stores the content in blocks that can be unpacked`(count: Int64) {
        let content = SeededContent(seed: 1).bytes(in: 0..<count)
        let file = StoredGzip.encoded(content)
        var unpacked: [UInt8] = []
        var position = 10
        var isLast = false
        while !isLast {
            isLast = file[position] == 1
            let length = Int(file[position + 1]) | Int(file[position + 2]) << 8
            unpacked += file[position + 5..<position + 5 + length]
            position += 5 + length
        }
        #expect(unpacked == content)
        #expect(file.count == position + 8)
    }
}

@Suite struct `Basic credentials` {
    @Test(
        arguments: [
            ("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", true), ("basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", true),
            ("Basic QWxhZGRpbjpvcGVu", false), ("Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==", false), ("", false),
            (nil, false),
        ] as [(String?, Bool)])
    func `match their own header only`(header: String?, expected: Bool) {
        #expect(BasicCredentials(user: "Aladdin", password: "open sesame").match(header) == expected)
    }
}

@Suite struct `The pacing of a body` {
    @Test func `schedules each byte at the configured rate`() {
        var pacer = BodyPacing(rate: 1000)
        #expect(pacer.slice == 50)
        #expect(pacer.due(afterSending: 50) == .milliseconds(50))
        #expect(pacer.due(afterSending: 450) == .milliseconds(500))
    }
}
