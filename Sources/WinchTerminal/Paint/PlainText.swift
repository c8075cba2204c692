import WinchModel

/// Text that is safe to print, whatever its source: nothing in it moves the cursor, hides text or reverses its
/// direction.
package struct PlainText: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Parameter isASCII: the output can show ASCII only.
    package init(_ text: String, isASCII: Bool) {
        let plain = PlainText(text)
        // A letter with combining marks becomes one replacement.
        self =
            isASCII ? PlainText(String(plain.description.map { $0.isASCII ? $0 : Character(Self.replacement) })) : plain
    }

    package init(_ text: String) {
        guard !text.unicodeScalars.allSatisfy(Self.isShowable) else {
            description = text
            return
        }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(Self.isShowable(scalar) ? scalar : Self.replacement) }
        description = String(scalars)
    }

    /// Visible, one column wide, and available in every encoding.
    static let replacement: Unicode.Scalar = "?"

    /// False for control characters, line separators, format characters such as bidi overrides, and bytes that are not
    /// UTF-8. Joiners are allowed: some scripts and emoji need them.
    static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value >= 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
        case .format: return scalar == "\u{200C}" || scalar == "\u{200D}"
        default: return SystemText.byte(scalar) == nil
        }
    }
}
