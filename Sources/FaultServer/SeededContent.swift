/// An endless file whose byte at offset `i` depends on nothing but the seed and `i`.
///
/// Word `i / 8` is one round of SplitMix64 over the mixed seed, laid down little-endian: any byte can be checked without the
/// ones before it, and a release build writes several gigabytes a second.
package struct SeededContent: Equatable, Sendable {
    private let base: UInt64

    package init(seed: UInt64) {
        // Mixed first, or seeds one step apart would give the same words one step apart.
        self.base = Self.mix(seed)
    }

    /// What the server sends for `/f/NAME` when the URL gives no `seed`.
    ///
    /// - Parameter name: percent-decoded.
    /// - Parameter version: counts the changes made by the option `change`, from 0.
    package init(name: String, version: Int = 0) {
        self.init(seed: Self.seed(of: name), version: version)
    }

    package init(seed: UInt64, version: Int) {
        self.init(seed: seed ^ (UInt64(truncatingIfNeeded: version) &* 0xD6E8_FEB8_6659_FD93))
    }

    /// FNV-1a over the UTF-8 bytes: the same on every machine and in every run, unlike `Hasher`.
    package static func seed(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    package func bytes(in range: Range<Int64>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            fill(UnsafeMutableRawBufferPointer(buffer), from: range.lowerBound)
            count = range.count
        }
    }

    package subscript(offset: Int64) -> UInt8 {
        UInt8(truncatingIfNeeded: word(offset >> 3) >> (UInt64(offset & 7) * 8))
    }

    /// Writes the bytes that begin at `offset` over the whole of `buffer`.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int64) {
        let count = buffer.count
        var index = 0
        while index < count, (offset + Int64(index)) & 7 != 0 {
            buffer[index] = self[offset + Int64(index)]
            index += 1
        }
        var wordIndex = (offset + Int64(index)) >> 3
        while count - index >= 8 {
            buffer.storeBytes(of: word(wordIndex).littleEndian, toByteOffset: index, as: UInt64.self)
            index += 8
            wordIndex &+= 1
        }
        while index < count {
            buffer[index] = self[offset + Int64(index)]
            index += 1
        }
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
