import TestSupport
import Testing

@testable import WinchBatch

@Suite struct `The hash of a shard` {
    /// Computed by another program from the description. These values must never change: they say which machine fetches what.
    @Test(
        arguments: [
            (["http://h/a", ""], 0x7545_413F_85CC_4D0F), (["http://h/a", "x"], 0x8A12_188D_939E_AB4D),
            (["https://example.org/disk.iso", "images/disk.iso"], 0xF727_C9DC_ECA2_7442),
            (["http://h/u", "", "disk.iso"], 0x5244_72AF_EC6D_DCFA), (["http://h/ü", ""], 0xF5C3_4462_5FC5_67EC),
        ] as [([String], UInt64)])
    func `has the same value in every version`(texts: [String], value: UInt64) {
        var hash = ShardHash()
        for text in texts { hash.combine(text) }
        expectEqual(hash.value, value)
    }

    @Test func `tells where one text ends and the next begins`() {
        func value(_ texts: String...) -> UInt64 {
            var hash = ShardHash()
            for text in texts { hash.combine(text) }
            return hash.value
        }
        expect(value("a", "bc") != value("ab", "c"))
        expect(value("a") != value("a", ""))
    }
}
