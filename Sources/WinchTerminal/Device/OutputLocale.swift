import CTerminal
import Glibc

/// The user's locale, for output outside the screen.
package enum OutputLocale {
    /// Adopts the locale of the environment.
    ///
    /// - Returns: whether its encoding is UTF-8.
    package static func adoptsUTF8() -> Bool { winch_locale_adopt() }

    /// Whether what is written to a descriptor ends on a terminal that by the user's locale can show ASCII only. Text
    /// for files and pipes is not changed. Standard error that is held back while the dashboard is open leads to a
    /// file in memory, but its text ends on the terminal.
    package static func isASCIITerminal(_ descriptor: Int32) -> Bool {
        let isHeld = descriptor == STDERR_FILENO && winch_stderr_is_held()
        return (isHeld || isatty(descriptor) == 1) && !adoptsUTF8()
    }
}

/// The user's encoding if it is a single-byte one, such as Latin-1: the scalars of the bytes from 128 on.
///
/// Empty for encodings with several bytes per character: UTF-8 needs no table, and of the others only ASCII is used.
struct ByteEncoding: Hashable, Sendable {
    private let scalars: [UInt8: Unicode.Scalar]

    static let none = ByteEncoding([:])

    init(_ scalars: [UInt8: Unicode.Scalar]) {
        self.scalars = scalars.filter { PlainText.isShowable($0.value) }
    }

    /// The encoding of the locale that the process has adopted.
    static var ofLocale: ByteEncoding {
        ByteEncoding(
            Dictionary(
                uniqueKeysWithValues: (UInt8(0x80)...0xFF).compactMap { byte in
                    Unicode.Scalar(winch_locale_scalar(byte)).flatMap { $0.isASCII ? nil : (byte, $0) }
                }))
    }

    var isEmpty: Bool { scalars.isEmpty }

    var letters: Set<Unicode.Scalar> { Set(scalars.values) }

    subscript(byte: UInt8) -> Unicode.Scalar? { byte < 0x80 ? Unicode.Scalar(byte) : scalars[byte] }

    /// Decodes bytes, as UTF-8 if the encoding is empty; unassigned bytes are dropped.
    func text(_ bytes: some Sequence<UInt8>) -> String {
        guard !isEmpty else { return String(decoding: Array(bytes), as: UTF8.self) }
        var text = String.UnicodeScalarView()
        for byte in bytes { self[byte].map { text.append($0) } }
        return String(text)
    }
}
