import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The body of an answer to an upload` {
    @Test func `of a gigabyte is cut, and not read to its end`() {
        var body = AnswerBody()
        let piece = [UInt8](repeating: 65, count: 16 << 10)
        var read = 0
        piece.withUnsafeBytes { bytes in
            for _ in 0..<65_536 {
                read += bytes.count
                if !body.take(bytes, wanted: ServerReply.longest) { break }
            }
        }
        expect(body.bytes.count == ServerReply.longest && ServerReply.longest == 64 << 10)
        expect(body.isCut && body.isRefused)
        expectLess(read, than: 2 << 20)
        var short = AnswerBody()
        let isWanted = ([1, 2, 3] as [UInt8]).withUnsafeBytes { short.take($0, wanted: 100) }
        expect(isWanted && short.bytes == [1, 2, 3] && !short.isCut)
    }
}
