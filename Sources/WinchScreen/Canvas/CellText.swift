/// What a cell shows: a base scalar with its combining marks, or nothing.
///
/// It has a fixed size and no references, because a frame copies, compares and frees thousands of them: with `Character`s that
/// takes longer than drawing.
package struct CellText: Hashable, Sendable {
    /// The base in the lowest 21 bits, above it two marks of 21 bits each; 0 where there is none.
    private let first: UInt64
    /// The third mark; 0: there is none.
    private let third: UInt32

    /// Nothing: the second column of a wide character.
    static let nothing = CellText(first: 0, third: 0)
    static let space = CellText(first: 0x20, third: 0)

    private init(first: UInt64, third: UInt32) {
        (self.first, self.third) = (first, third)
    }

    /// Marks after the third are left out.
    init(_ character: Character) {
        var scalars = character.unicodeScalars.makeIterator()
        func next() -> UInt64 { scalars.next().map { UInt64($0.value) } ?? 0 }
        first = next() | next() << 21 | next() << 42
        third = UInt32(next())
    }

    package var isEmpty: Bool { first == 0 }

    /// `nil` if it is empty.
    package var base: Unicode.Scalar? { first == 0 ? nil : Self.scalar(first) }

    /// The combining marks, in order; nearly always none.
    package var marks: [Unicode.Scalar] {
        guard first >> 21 != 0 else { return [] }
        return [first >> 21, first >> 42, UInt64(third)].prefix { $0 & Self.mask != 0 }.compactMap(Self.scalar)
    }

    /// `nil` if it is empty.
    var character: Character? {
        guard let base else { return nil }
        guard first >> 21 != 0 else { return Character(base) }
        return String(String.UnicodeScalarView([base] + marks)).first
    }

    private static let mask: UInt64 = 0x1F_FFFF
    private static func scalar(_ bits: UInt64) -> Unicode.Scalar? { Unicode.Scalar(UInt32(bits & mask)) }
}
