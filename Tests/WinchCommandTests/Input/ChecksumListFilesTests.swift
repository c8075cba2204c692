import TestSupport
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `Files with hashes from a checksum list` {
    @Test func `share one copy of the settings`() throws {
        let folder = try TemporaryFolder()
        let hashes = (10..<60).map { String(repeating: "\($0)", count: 32) }
        let list = hashes.enumerated().map { "\($1)  \($0).bin\n" }.joined()
        folder.write("SHA256SUMS", Array(list.utf8))
        let sums = try ChecksumListFiles([folder.path + "/SHA256SUMS"], settings: TransferSettings())
        let settings = Shared(TransferSettings())
        let specs = try hashes.indices.map {
            TransferSpec(urls: [try TransferURL("http://h/\($0).bin")], settings: settings)
        }
        let demanded = sums.demanded(of: specs)
        #expect(demanded.map { $0.listedChecksum?.hex } == hashes)
        #expect(Set(demanded.map { ObjectIdentifier($0.settings) }).count == 1)
    }
}
