/// How many colours the terminal shows, as far as the screen draws differently for it.
public enum ColorRange: Int, Hashable, Sendable, Comparable {
    /// No colour: bold, dim, underline and reverse only.
    case mono
    /// 8 or 16, the user's own palette: no shade may be counted on.
    case palette
    /// 256: a row can have a shade of its own.
    case many
    /// True colour: gradients.
    case full

    public static func < (left: ColorRange, right: ColorRange) -> Bool { left.rawValue < right.rawValue }
}
