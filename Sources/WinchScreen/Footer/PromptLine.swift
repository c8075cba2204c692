/// The line being typed into, scrolled so that its cursor is in view.
struct PromptLine {
    let prompt: Prompt
    let look: Appearance
    /// Names what is to be typed; left out if less than 10 columns would be left for the line itself.
    var label = "Add URL: "

    func draw(on canvas: inout Canvas, column: Int, row: Int, width: Int) {
        let label = look.text(width >= label.count + 10 ? label : "")
        let start = canvas.write(label, look.theme.question, column: column, row: row, width: width)
        let room = max(0, column + width - start)
        let (text, cursor) = window(room)
        canvas.write(
            text, prompt.isSelected ? look.theme.selected : look.theme.text, column: start, row: row, width: room)
        if room > 0 { canvas.cursor = (min(start + cursor, column + width - 1), row) }
    }

    /// The part of the text around the cursor that fits into `room` columns, and the cursor's column in it. Examines
    /// at most about `room` characters, however long the text is.
    private func window(_ room: Int) -> (text: SafeText, cursor: Int) {
        guard room > 0 else { return (look.text(""), 0) }
        // Left of the cursor: as many characters as fit, with one column left for the cursor.
        var before: [CellCharacter] = []
        var used = 0
        for character in prompt.characters[..<prompt.cursor].reversed() {
            let shown = shown(character)
            guard used + shown.columns <= room - 1 else { break }
            before.insert(contentsOf: shown.glyphs, at: 0)
            used += shown.columns
        }
        var glyphs = before
        var total = used
        for character in prompt.characters[prompt.cursor...] {
            let shown = shown(character)
            guard total + shown.columns <= room else { break }
            glyphs += shown.glyphs
            total += shown.columns
        }
        return (SafeText(glyphs, isASCII: look.isASCII), used)
    }

    private func shown(_ character: Character) -> SafeText {
        if prompt.isMasked { return SafeText([CellCharacter(look.symbols.mask)], isASCII: look.isASCII) }
        return switch character {
        case "\n": SafeText([CellCharacter(look.symbols.newline)], isASCII: look.isASCII)
        case "\t": SafeText([.blank], isASCII: look.isASCII)
        default: look.text(String(character))
        }
    }
}
