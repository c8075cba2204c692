/// The colours of the terminal, in classes for which the screen is drawn differently.
package enum ColorRange: Int, Hashable, Sendable, Comparable {
    /// No colour: bold, dim, underline and reverse only.
    case mono
    /// 8 or 16 colours of the user's own palette: no particular shade can be relied on.
    case palette
    /// 256 colours: a row can have a background shade.
    case many
    /// True colour: gradients.
    case full

    package static func < (left: ColorRange, right: ColorRange) -> Bool { left.rawValue < right.rawValue }
}
