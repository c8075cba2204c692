/// An endless file whose byte at offset `i` depends on nothing but the seed and `i`.
///
/// Word `i / 8` is one round of SplitMix64 over the mixed seed, laid down little-endian: any byte can be checked without the
/// ones before it, and a release build writes several gigabytes a second.
package struct SeededContent: Equatable, Sendable {
    private let base: UInt64

    /// What the server sends for `/f/NAME` when the URL gives no `seed`.
    ///
    /// - Parameter name: percent-decoded.
    package init(name: String, version: Int = 0) { self.init(seed: Self.seed(of: name), version: version) }

    /// - Parameter version: counts the changes made by the option `change`, from 0.
    package init(seed: UInt64, version: Int = 0) {
        // Mixed first, or seeds one step apart would give the same words one step apart.
        self.base = Self.mix(seed ^ (UInt64(truncatingIfNeeded: version) &* 0xD6E8_FEB8_6659_FD93))
    }

    /// FNV-1a over the UTF-8 bytes: the same on every machine and in every run, unlike `Hasher`.
    package static func seed(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    package func bytes(in range: Range<Int64>) -> [UInt8] {
        let first = range.lowerBound >> 3
        let count = Int((range.upperBound + 7) >> 3 - first) * 8
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            // A plain loop over a pointer: the tests' builds are not optimized.
            buffer.baseAddress?.withMemoryRebound(to: UInt64.self, capacity: count / 8) { words in
                var index = 0
                while index < count / 8 {
                    words[index] = word(first &+ Int64(index)).littleEndian
                    index += 1
                }
            }
            filled = count
        }
        let skipped = Int(range.lowerBound & 7)
        return range.count == count ? bytes : Array(bytes[skipped..<skipped + range.count])
    }

    private func word(_ index: Int64) -> UInt64 {
        Self.mix(base &+ UInt64(bitPattern: index) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
