extension SafeText {
    /// The text in lines of at most `width` columns, broken at blanks where there are any, else wherever it must be; the
    /// last of `most` lines ends with an ellipsis when something is missing.
    func wrapped(_ width: Int, most: Int) -> [SafeText] {
        guard width > 0, most > 0 else { return [] }
        var lines: [SafeText] = []
        var rest = glyphs[...]
        repeat {
            let whole = SafeText(rest, isASCII: isASCII)
            if whole.columns <= width || lines.count == most - 1 { return lines + [whole.fitted(width)] }
            // A wide character that has no room goes all the same: there must be an end.
            let fitting = max(1, whole.prefix(width).count)
            let end = Self.lineEnd(in: rest, upTo: fitting)
            lines.append(SafeText(rest[..<end], isASCII: isASCII))
            rest = rest[end...].drop { $0 == .blank }
        } while !rest.isEmpty
        return lines
    }

    /// The last blank that leaves no more than a third of the line empty, else where the line is full.
    private static func lineEnd(in glyphs: ArraySlice<Glyph>, upTo count: Int) -> Int {
        let full = glyphs.startIndex + count
        let earliest = glyphs.startIndex + count * 2 / 3
        return glyphs[earliest..<min(full + 1, glyphs.endIndex)].lastIndex(of: .blank) ?? full
    }
}
