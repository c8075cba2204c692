extension SafeText {
    /// The text in lines of at most `width` columns, broken at blanks if possible, else within words. The last of
    /// `most` lines ends with an ellipsis if text is missing.
    func wrapped(_ width: Int, most: Int) -> [SafeText] {
        guard width > 0, most > 0 else { return [] }
        var lines: [SafeText] = []
        var rest = glyphs[...]
        repeat {
            let whole = SafeText(rest, isASCII: isASCII)
            if whole.columns <= width || lines.count == most - 1 { return lines + [whole.fitted(width)] }
            // At least one character is taken, even one too wide for the line; otherwise the loop would not end.
            let fitting = max(1, whole.prefix(width).count)
            let end = Self.lineEnd(in: rest, upTo: fitting)
            lines.append(SafeText(rest[..<end], isASCII: isASCII))
            rest = rest[end...].drop { $0 == .blank }
        } while !rest.isEmpty
        return lines
    }

    /// The last blank that leaves no more than a third of the line empty, else where the line is full.
    private static func lineEnd(in glyphs: ArraySlice<CellCharacter>, upTo count: Int) -> Int {
        let full = glyphs.startIndex + count
        let earliest = glyphs.startIndex + count * 2 / 3
        return glyphs[earliest..<min(full + 1, glyphs.endIndex)].lastIndex(of: .blank) ?? full
    }
}
