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

@Suite struct `The wait for an FTP server to confirm an upload` {
    @Test(arguments: [
        (0, false, 20), (640 << 10, false, 30), (64 << 20, false, 60), (0, true, 60), (64 << 20, true, 60),
    ])
    func `is short, and longer for bytes that are still on their way and for a stream`(
        unsent: Int, isStream: Bool, seconds: Int
    ) {
        expectEqual(LastReplyWait.seconds(unsent: unsent, isStream: isStream), seconds)
    }
}

@Suite struct `The buffer of an upload` {
    private static let cases: [(TransferURL.Scheme, Int64?, Int)] = [
        (.http, 4096, 65_536), (.https, 100_000, 100_000), (.http, 1 << 30, 524_288), (.ftp, nil, 524_288),
        (.sftp, 0, 65_536), (.sftp, 1 << 30, 2_097_152), (.sftp, nil, 2_097_152),
    ]

    @Test(arguments: cases)
    func `is as large as the body within limits`(scheme: TransferURL.Scheme, size: Int64?, expected: Int) {
        var upload = EasyUpload()
        upload.bodySize = size
        expectEqual(upload.buffer(scheme), expected)
    }
}
