import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The order for a transfer` {
    private static func spec(folder: String = "got", name: String? = nil, tries: Int = 5) throws -> TransferSpec {
        var settings = TransferSettings()
        settings.maxTries = tries
        return TransferSpec(
            urls: [try TransferURL("http://example.org/f.bin")], folder: folder,
            name: try name.map { name throws in try TargetPath(name) }, settings: Shared(settings))
    }

    private static let covered: [(set: @Sendable (inout TransferSettings) -> Void, bySum: Bool)] = [
        ({ $0.sums = "list" }, true), ({ $0.onDone = HookCommand("done") }, false),
        ({ $0.onFail = HookCommand("fail") }, false),
    ]

    /// A digest that is known already is more than a list that may have it.
    @Test(arguments: covered.indices) func `is covered by one of the same file that asks for as much`(index: Int) throws
    {
        let plain = try Self.spec()
        var asking = plain
        var settings = plain.settings.value
        Self.covered[index].set(&settings)
        asking.settings = Shared(settings)
        expect(plain.covers(plain) && asking.covers(asking) && asking.covers(plain))
        expect(!plain.covers(asking))
        var summed = plain
        summed.listedChecksum = Checksum("md5=d41d8cd98f00b204e9800998ecf8427e")
        asking.listedChecksum = summed.listedChecksum
        expectEqual(summed.covers(asking), Self.covered[index].bySum)
    }

    @Test func `keeps each value that is set`() throws {
        var spec = try Self.spec()
        spec.direction = .up
        spec.folder = "other"
        spec.name = try TargetPath("a/b")
        spec.startsPaused = true
        spec.listedChecksum = Checksum("md5=d41d8cd98f00b204e9800998ecf8427e")
        expectEqual(spec.direction, .up)
        expectEqual(spec.folder, "other")
        expectEqual(spec.name?.text, "a/b")
        expect(spec.startsPaused)
        expectEqual(spec.listedChecksum?.algorithm, .md5)
        expectEqual(spec.settings.value.maxTries, 5)
        spec.name = nil
        expect(spec.listedChecksum != nil)
        spec.listedChecksum = nil
        expectNil(spec.name)
    }

    @Test func `shares its common parts with equal ones only`() throws {
        var common = TransferSpec.CommonParts()
        var specs = [try Self.spec(), try Self.spec(), try Self.spec(folder: "other"), try Self.spec(tries: 1)]
        let before = specs
        for index in specs.indices { common.share(with: &specs[index]) }
        expectEqual(specs, before)
        expect(specs[0].settings === specs[1].settings)
        expect(specs[0].settings !== specs[2].settings)
        expectEqual(specs[3].settings.value.maxTries, 1)
    }

    @Test func `shares no folder with one of another name that Swift takes for equal`() throws {
        var common = TransferSpec.CommonParts()
        var specs = [try Self.spec(folder: "\u{E9}"), try Self.spec(folder: "e\u{301}")]
        for index in specs.indices { common.share(with: &specs[index]) }
        expectEqual(specs.map { Array($0.folder.utf8) }, [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
    }

    @Test func `shares them in a bounded number of folders`() throws {
        var common = TransferSpec.CommonParts()
        for number in 0...2 * TransferSpec.CommonParts.most {
            var spec = try Self.spec(folder: "\(number)")
            common.share(with: &spec)
        }
        expectAtMost(common.count, TransferSpec.CommonParts.most)
    }

    @Test func `takes 32 bytes in a row`() {
        expect(MemoryLayout<TransferSpec>.stride == 32)
    }
}
