/// The list of completions, above the line being typed.
struct PathCompletionList {
    let frame: Frame
    /// The completion that is in the line, if any.
    let chosen: String?
    /// All completions, with a description each.
    let all: [(line: String, words: String)]

    init(frame: Frame, chosen: String?, all: [(line: String, words: String)]) {
        (self.frame, self.chosen, self.all) = (frame, chosen, all)
    }

    init(frame: Frame, line: CommandPrompt, all: [(line: String, words: String)]) {
        // The error message of the line is drawn in the place of the list.
        self.init(frame: frame, chosen: line.chosen, all: line.prompt.fault == nil ? all : [])
    }

    /// Lines shown at a time; the user reaches the rest by typing a letter or by Tab.
    private static let most = 9

    func draw(on canvas: inout Canvas, above footer: Int) {
        let lines = min(Self.most, footer - 2)
        guard !all.isEmpty, lines > 1, canvas.columns >= 24 else { return }
        let room = all.count > lines ? lines - 1 : lines
        let place = chosen.flatMap { chosen in all.firstIndex { $0.line == chosen } } ?? 0
        let first = min(max(0, place - room / 2), max(0, all.count - room))
        let shown = all[first..<min(all.count, first + room)]
        let end = shown.count < all.count ? footer - 1 : footer
        draw(shown, on: &canvas, above: end)
        guard end < footer else { return }
        let words = "\(first + 1) to \(first + shown.count) of \(all.count); Tab and S-Tab move"
        drawEdge(on: &canvas, row: end)
        canvas.write(frame.look.text(words), frame.theme.quiet, column: 2, row: end, width: canvas.columns - 2)
    }

    private func drawEdge(on canvas: inout Canvas, row: Int) {
        canvas.clear(column: 0, row: row, columns: canvas.columns)
        canvas.mark(nil, column: 0, row: row, columns: canvas.columns)
        canvas.write(frame.look.text(String(frame.look.symbols.vertical)), frame.theme.border, column: 0, row: row)
    }

    private func draw(_ shown: ArraySlice<(line: String, words: String)>, on canvas: inout Canvas, above footer: Int) {
        let hasWords = shown.contains { !$0.words.isEmpty }
        let width = hasWords ? min(canvas.columns - 2, 60) : canvas.columns - 2
        let nameWidth = hasWords ? min(26, width / 2) : width
        for (offset, candidate) in shown.enumerated() {
            let row = footer - shown.count + offset
            let isChosen = chosen == candidate.line
            let style = isChosen ? frame.theme.selected : frame.theme.key
            drawEdge(on: &canvas, row: row)
            canvas.write(frame.look.text(candidate.line), style, column: 2, row: row, width: nameWidth - 1)
            canvas.write(
                frame.look.text(candidate.words), frame.theme.quiet, column: 2 + nameWidth, row: row,
                width: width - nameWidth)
        }
    }
}
