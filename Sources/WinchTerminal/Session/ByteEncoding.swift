import CTerminal
import WinchScreen

/// The person's encoding where it has one byte for each character, such as Latin-1: what the bytes from 128 on mean.
///
/// Empty where a character takes several bytes: UTF-8 needs no table, and of the others only ASCII is used.
struct ByteEncoding: Hashable, Sendable {
    private let scalars: [UInt8: Unicode.Scalar]

    static let none = ByteEncoding([:])

    init(_ scalars: [UInt8: Unicode.Scalar]) {
        self.scalars = scalars.filter { PlainText.isShowable($0.value) }
    }

    /// As the locale has it that the process has adopted.
    static var ofLocale: ByteEncoding {
        ByteEncoding(
            Dictionary(
                uniqueKeysWithValues: (UInt8(0x80)...0xFF).compactMap { byte in
                    Unicode.Scalar(winch_locale_scalar(byte)).flatMap { $0.isASCII ? nil : (byte, $0) }
                }))
    }

    var isEmpty: Bool { scalars.isEmpty }

    var letters: Letters { Letters(scalars.values) }

    subscript(byte: UInt8) -> Unicode.Scalar? { byte < 0x80 ? Unicode.Scalar(byte) : scalars[byte] }

    /// What bytes say; those that mean nothing are left out.
    func text(_ bytes: some Sequence<UInt8>) -> String {
        guard !isEmpty else { return String(decoding: Array(bytes), as: UTF8.self) }
        var text = String.UnicodeScalarView()
        for byte in bytes { self[byte].map { text.append($0) } }
        return String(text)
    }
}
