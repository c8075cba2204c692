import Testing

@testable import FaultServer

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
