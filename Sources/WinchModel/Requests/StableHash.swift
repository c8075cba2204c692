/// A hash that is the same in every process, on every machine and in every version of Winch. Not for protection against lists
/// that provoke equal hashes.
///
/// - Source: FNV-1a with 128 bits, http://www.isthe.com/chongo/tech/comp/fnv/
package struct StableHash: Hashable, Sendable {
    package private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    private static let prime: UInt128 = (1 << 88) + (1 << 8) + 0x3b

    package init() {}

    /// Adds a text, and that it ends here.
    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        // No UTF-8 has this byte.
        add(0xFF)
    }

    /// Adds bytes, but not that they end here.
    package mutating func add(bytes: [UInt8]) { for byte in bytes { add(byte) } }

    private mutating func add(_ byte: UInt8) { value = (value ^ UInt128(byte)) &* Self.prime }

    /// 32 hexadecimal digits.
    package var hex: String { withUnsafeBytes(of: value.bigEndian) { Hex.encoded($0) } }
}

extension StableHash {
    /// That of an entry: its first URL in normal form, the name from `out=`, and the user and the header lines of its own.
    package init(_ spec: TransferSpec) {
        if let url = spec.urls.first { add(url.normal) }
        if let name = spec.name { add(name.text) }
        if let user = spec.settings.value.user { add("user=" + user) }
        for line in spec.settings.value.headers { add("header=" + line) }
    }
}
