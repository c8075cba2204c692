import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The attributes of a part` {
    private let folder: TemporaryFolder
    private let file: Descriptor

    init() throws {
        folder = try TemporaryFolder()
        file = Descriptor(open(folder.path + "/f.part", O_RDWR | O_CREAT, 0o600))
        try require(file.number >= 0)
    }

    @Test(arguments: [nil, 0, 5_000_000_000] as [Int64?], [nil, "\"v1\"", "Sun, 22 Nov 2026 10:00:00 GMT"])
    func `are read as they were written`(total: Int64?, validator: String?) {
        let validator = validator.map { $0.first == "\"" ? Validator.strongETag($0) : .lastModified($0) }
        let digest = Checksum("md5=" + String(repeating: "0", count: 32)).map {
            ExpectedChecksum($0, origin: .header("Digest"))
        }
        let written = PartAttributes(
            url: "http://h/f",
            version: FileVersion(
                total: total, validator: validator, weakTag: total == nil ? nil : "W/\"v1\"",
                digest: total == nil ? nil : digest, time: total.map { $0 - 1 }))
        written.write(to: file)
        expectEqual(PartAttributes.read(from: file), written)
    }

    @Test func `replace those of another version completely`() {
        PartAttributes(url: "http://h/f", version: FileVersion(total: 10, validator: .strongETag("\"v1\""), time: 5))
            .write(to: file)
        let next = PartAttributes(url: "http://h/f", version: FileVersion())
        next.write(to: file)
        expectEqual(PartAttributes.read(from: file), next)
    }

    @Test func `are absent without an address`() {
        Attribute.total.set("10", on: file)
        expectNil(PartAttributes.read(from: file))
    }

    @Test(arguments: ["-1", "ten", ""])
    func `have no size if it cannot be parsed`(text: String) {
        PartAttributes(url: "http://h/f", version: FileVersion()).write(to: file)
        Attribute.total.set(text, on: file)
        expectNil(PartAttributes.read(from: file)?.version.total)
    }

    @Test(arguments: [
        ("http://h/f?a=1", "http://h/f?a=1", true, true), ("http://h/f?a=1", "http://h/f?a=2", false, false),
        ("http://h/f?token=***", "http://h/f?token=x", true, false),
        ("http://h/f?token=***", "http://h/g?token=x", false, false),
        ("http://h/f?token=x", "http://h/f?token=x", true, true),
    ])
    func `tell by a strong ETag that a URL with a token is meant`(
        written: String, asked: String, byETag: Bool, byDate: Bool
    ) throws {
        let url = try TransferURL(asked)
        for (validator, isSame) in [
            (Validator.strongETag("\"v1\""), byETag), (Validator.lastModified("Sun, 22 Nov 2026 10:00:00 GMT"), byDate),
        ] {
            expectEqual(
                PartAttributes(url: written, version: FileVersion(total: 1, validator: validator)).areFinished(of: url),
                isSame)
        }
    }

    @Test func `keep size and validator on a finished file only together`() {
        PartAttributes(url: "http://h/f", version: FileVersion(total: 10, weakTag: "W/\"v1\"", time: 5)).write(to: file)
        PartAttributes.settle(file)
        expect(Attribute.allCases.allSatisfy { $0.get(from: file) == nil })
        PartAttributes(url: "http://h/f", version: FileVersion(total: 10, validator: .strongETag("\"v1\""))).write(
            to: file)
        PartAttributes.settle(file)
        expectNil(Attribute.url.get(from: file))
        expectEqual(Attribute.total.get(from: file), "10")
        expectEqual(Attribute.validator.get(from: file), "\"v1\"")
    }
}
