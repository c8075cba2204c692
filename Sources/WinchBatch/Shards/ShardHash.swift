/// A hash of 64 bits that is the same in every process, on every machine and in every version, unlike Swift's `Hasher`. It is
/// no protection against texts that are made to collide.
///
/// FNV-1a over the bytes, then the last step of SplitMix64, because the high bits of FNV-1a hardly depend on the last bytes.
///
/// - Source: draft-eastlake-fnv, section 2.
struct ShardHash: Hashable, Sendable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init() {}

    /// Adds a text and an end mark, so that `a`, `bc` and `ab`, `c` differ.
    mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(byte) }
        combine(0)
    }

    private mutating func combine(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
