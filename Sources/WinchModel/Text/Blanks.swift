extension UInt8 {
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Substring {
    /// Without the blanks (space, TAB) at both ends. Works on bytes, so that a blank with a combining mark counts as a blank.
    package func trimmingBlanks() -> Substring {
        var rest = utf8.drop(while: \.isBlank)
        while let last = rest.last, last.isBlank { rest.removeLast() }
        return Substring(rest)
    }
}
