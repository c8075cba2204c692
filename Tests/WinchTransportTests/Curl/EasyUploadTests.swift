import TestSupport
import Testing
import WinchModel

@testable import WinchTransport

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
