/// A dialog in the middle of the screen: the question, what it is about, and the answers, which can be clicked.
struct DialogBox {
    let dialog: Dialog
    let look: Appearance

    /// 64 columns: easy to read, and the SHA-256 fingerprint of an SSH key fits.
    static let widest = 64
    /// The frame and a blank at each side.
    private static let frame = 4

    /// - Parameter footer: the line below the last one that the box may cover.
    func draw(on canvas: inout Canvas, above footer: Int) {
        let room = min(Self.widest, canvas.columns) - Self.frame
        guard room > 0 else { return }
        let most = footer - 2
        let answers = answerLines(room)
        // In a small window blank lines are dropped first, then details; the question and the answers stay.
        let question = look.text(dialog.question).wrapped(room, most: max(1, most - answers.count))
        let left = most - question.count - answers.count
        var shown: [SafeText] = []
        for detail in dialog.details.reversed() {
            let lines = look.text(detail).wrapped(room, most: 5)
            guard shown.count + lines.count <= left else { break }
            shown = lines + shown
        }
        let blank: [Run?] = shown.count + 2 <= left ? [nil] : []
        var lines: [Run?] = question.map { Run($0, look.theme.question) }
        if !shown.isEmpty { lines += blank + shown.map { Run($0, look.theme.text) } }
        if !answers.isEmpty { lines += blank }

        let longest = (lines.map { $0?.text.columns ?? 0 } + answers.map(\.columns)).max() ?? 0
        let width = min(room, max(longest, Self.least)) + Self.frame
        let height = lines.count + answers.count + 2
        let (column, top) = ((canvas.columns - width) / 2, max(0, (footer - height) / 2))
        // Nothing behind a dialog can be clicked.
        canvas.mark(nil, column: 0, row: 0, columns: canvas.columns, rows: footer)
        PanelBox(look: look, column: column, row: top, columns: width, rows: height)
            .draw(on: &canvas, title: [Run(look.text(dialog.title), look.theme.title)])
        for (offset, line) in lines.enumerated() {
            if let line { canvas.write(line.text, line.style, column: column + 2, row: top + 1 + offset) }
        }
        for (offset, line) in answers.enumerated() {
            line.draw(on: &canvas, column: column + 2, row: top + 1 + lines.count + offset, width: width - Self.frame)
        }
    }

    /// 28 columns: a narrower box is not recognizable as a dialog.
    private static let least = 28

    /// All answers in one line, or one per line if they do not fit.
    private func answerLines(_ room: Int) -> [StyledLine] {
        let parts = dialog.answers.map { answer in
            Part(
                [
                    Run(look.text(" \(answer.key) "), look.theme.selected),
                    Run(look.text(" " + answer.words), look.theme.text),
                ], rank: 0, target: .key(.character(answer.key)))
        }
        let separator = Run(look.text("   "), look.theme.text)
        let line = StyledLine(left: parts, separator: separator)
        if line.columns <= room { return parts.isEmpty ? [] : [line] }
        return parts.map { StyledLine(left: [$0], separator: separator) }
    }
}
