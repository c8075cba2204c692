extension Unicode.Scalar {
    /// The ASCII character, one column wide, that replaces it where only ASCII can be shown: the letter without its
    /// diacritics, the plain form of a punctuation mark. `nil` if there is none.
    var asciiFallback: Character? {
        switch value {
        case 0xC0...0x17F:
            let fallback = Self.latin[Int(value) - 0xC0]
            return fallback == UInt8(ascii: "?") ? nil : Character(Unicode.Scalar(fallback))
        case 0x2010...0x2015, 0x2212: return "-"
        case 0x2018...0x201B, 0x2032, 0xB4: return "'"
        case 0x201C...0x201F, 0x2033, 0xAB, 0xBB: return "\""
        case 0x2022, 0xB7, 0x2026: return "."
        case 0x2044: return "/"
        case 0xD7: return "x"
        // Full-width forms, as Japanese keyboards type them.
        case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFEE0).map { Character($0) }
        default: return nil
        }
    }

    /// From U+00C0 to U+017F: the base letter of the canonical decomposition; for letters without one, the most
    /// common substitute.
    private static let latin = Array(
        ("AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTs" + "aaaaaaaceeeeiiiidnooooo/ouuuuyty" + "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg"
            + "GgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL" + "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSs"
            + "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs").utf8)
}
