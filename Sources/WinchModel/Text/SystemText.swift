/// Paths, arguments and environment variables are bytes on Unix, and need not be UTF-8: a name that was made under Latin-1 has
/// single bytes above 0x7F. A `String` cannot hold these, so here each stands as a scalar of its own, U+10FE80 for 0x80 to
/// U+10FEFF for 0xFF, and becomes the byte again on its way out. The same scalars in a name of the system are taken for bytes
/// that are not UTF-8, so that no two names share a text.
///
/// The only way from the bytes of the system to a text and back: `open(path.cBytes, …)`, never `open(path, …)`.
///
/// - Source: the idea is that of Python, PEP 383, which uses lone surrogates.
package enum SystemText {
    /// Of plane 16, which Unicode leaves to private use.
    private static let base: UInt32 = 0x10FE00

    /// The first byte of the scalars' UTF-8.
    private static let leading: UInt8 = 0xF4

    /// The byte for which a scalar stands; `nil` for all others.
    package static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(scalar.value - base) : nil
    }

    fileprivate static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        // Every value of the block is a scalar.
        Unicode.Scalar(base + UInt32(byte)) ?? "?"
    }

    /// Quick, because almost no text has such a scalar.
    static func mayStandForBytes(_ text: some StringProtocol) -> Bool { text.hasByte(leading) }
}

extension String {
    /// The text of bytes of the system, whatever they are.
    package init(system bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self), !SystemText.mayStandForBytes(text) {
            self = text
            return
        }
        var scalars = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            if let text = String(validating: rest.prefix(length), as: UTF8.self),
                let scalar = text.unicodeScalars.first,
                text.unicodeScalars.count == 1, SystemText.byte(scalar) == nil
            {
                scalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                scalars.append(SystemText.scalar(first))
                rest = rest.dropFirst()
            }
        }
        self.init(scalars)
    }

    /// The text of a C string of the system.
    package init(systemC text: UnsafePointer<CChar>) {
        var end = text
        while end.pointee != 0 { end += 1 }
        self.init(system: UnsafeBufferPointer(start: text, count: end - text).map { UInt8(bitPattern: $0) })
    }

    /// The text as a C string of the system, with its closing zero.
    package var cBytes: [CChar] { systemBytes.map { CChar(bitPattern: $0) } + [0] }
}

extension StringProtocol {
    /// In one piece: a generic collection is asked for each byte.
    func hasByte(_ byte: UInt8) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
    }

    /// As `Array(utf8)`, in one piece.
    var allBytes: [UInt8] { utf8.withContiguousStorageIfAvailable { Array($0) } ?? Array(utf8) }

    /// The bytes of the system for which the text stands.
    package var systemBytes: [UInt8] {
        guard SystemText.mayStandForBytes(self) else { return allBytes }
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            if let byte = SystemText.byte(scalar) { bytes.append(byte) } else { bytes += Array(String(scalar).utf8) }
        }
        return bytes
    }
}

/// A text that equals only a text of the same bytes: the key of paths and names.
///
/// Swift takes two texts for equal that write an accent in two ways (as one character, or as a letter and a combining accent),
/// but for disks and servers they name two files.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No UTF-8 has this byte: the text ends here.
        hasher.combine(UInt8.max)
    }
}
