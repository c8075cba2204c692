import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of checksums` {
    private let digits = String(repeating: "0", count: 64)

    @Test func `set the checksum of the file, and name lists`() throws {
        var settings = TransferSettings()
        let options = try ChecksumOptions.parse([
            "--checksum", "sha-256=" + digits, "--sums", "a", "--sums", "http://h/b",
        ])
        options.apply(to: &settings)
        #expect(settings.checksum?.algorithm == .sha256)
        #expect(options.sums == ["a", "http://h/b"])
    }

    @Test func `tell the algorithm by the number of digits`() throws {
        #expect(try ChecksumOptions.parse(["--checksum", digits]).checksum?.algorithm == .sha256)
    }

    @Test(arguments: ["--checksum=sha-256=00", "--checksum=crc=00000000", "--checksum=xyz"])
    func `refuse what is no checksum`(option: String) {
        #expect(throws: (any Error).self) { try ChecksumOptions.parse([option]) }
    }
}
