import WinchCore

/// What the line being typed may become, above it.
struct CompletionList {
    let frame: Frame
    let line: CommandLine

    /// So many at a time: the rest is a letter away.
    private static let most = 8

    func draw(on canvas: inout Canvas, above footer: Int) {
        let all = frame.state.completions(of: shownFor)
        let room = min(Self.most, footer - 2)
        guard !all.isEmpty, room > 0, canvas.columns >= 24 else { return }
        let place = line.chosen.flatMap { chosen in all.firstIndex { $0.line == chosen } } ?? 0
        let first = min(max(0, place - room / 2), max(0, all.count - room))
        let shown = all[first..<min(all.count, first + room)]
        let width = min(canvas.columns - 2, 60)
        let nameWidth = min(26, width / 2)
        for (offset, candidate) in shown.enumerated() {
            let row = footer - shown.count + offset
            let isChosen = line.chosen == candidate.line
            let style = isChosen ? frame.theme.selected : frame.theme.key
            canvas.clear(column: 0, row: row, columns: canvas.columns)
            canvas.write(frame.look.text(String(frame.look.symbols.vertical)), frame.theme.border, column: 0, row: row)
            canvas.write(frame.look.text(candidate.line), style, column: 2, row: row, width: nameWidth - 1)
            canvas.write(
                frame.look.text(candidate.words), frame.theme.quiet, column: 2 + nameWidth, row: row,
                width: width - nameWidth)
        }
    }

    /// While Tab goes through them the list stays as it was for what had been typed.
    private var shownFor: String { line.chosen == nil ? line.text : line.typed }
}
