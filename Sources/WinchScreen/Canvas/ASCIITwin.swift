extension Unicode.Scalar {
    /// What stands for it where only ASCII can be shown, one column wide: the letter without its marks, the plain sign.
    /// `nil` for what has no such likeness.
    var asciiTwin: Character? {
        switch value {
        case 0xC0...0x17F:
            let twin = Self.latin[Int(value) - 0xC0]
            return twin == UInt8(ascii: "?") ? nil : Character(Unicode.Scalar(twin))
        case 0x2010...0x2015, 0x2212: return "-"
        case 0x2018...0x201B, 0x2032, 0xB4: return "'"
        case 0x201C...0x201F, 0x2033, 0xAB, 0xBB: return "\""
        case 0x2022, 0xB7, 0x2026: return "."
        case 0x2044: return "/"
        case 0xD7: return "x"
        // Full width, as Japanese keyboards type them.
        case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFEE0).map { Character($0) }
        default: return nil
        }
    }

    /// From U+00C0 to U+017F: the base of each letter's canonical decomposition, and for letters that have none the one
    /// that is written in their place most often.
    private static let latin = Array(
        ("AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTs" + "aaaaaaaceeeeiiiidnooooo/ouuuuyty" + "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg"
            + "GgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL" + "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSs"
            + "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs").utf8)
}
