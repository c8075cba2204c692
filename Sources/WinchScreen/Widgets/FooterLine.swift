import WinchCore

/// The last line: what is asked or typed, else a notice, else the keys that would act now.
struct FooterLine {
    let frame: Frame

    private var theme: Theme { frame.theme }
    private var look: Look { frame.look }

    func draw(on canvas: inout Canvas, row: Int) {
        let margin = frame.state.layout.margin
        let width = canvas.columns - 2 * margin
        canvas.clear(column: 0, row: row, columns: canvas.columns)
        switch frame.state.mode {
        case .prompt(let prompt):
            PromptLine(prompt: prompt, look: look).draw(on: &canvas, column: margin, row: row, width: width)
        case .command(let line):
            PromptLine(prompt: line.prompt, label: ":", look: look)
                .draw(on: &canvas, column: margin, row: row, width: width)
        case .editing(_, let prompt):
            PromptLine(prompt: prompt, label: "URL: ", look: look)
                .draw(on: &canvas, column: margin, row: row, width: width)
        case .log(let view):
            if let prompt = view.typing {
                PromptLine(prompt: prompt, label: "Filter: ", look: look)
                    .draw(on: &canvas, column: margin, row: row, width: width)
            } else {
                line(
                    [],
                    [(scrolling, "scroll"), ("e w i d", "level"), ("/", "filter"), ("G", "follow"), ("Esc", "back")]
                )
                .draw(on: &canvas, column: margin, row: row, width: width)
            }
        case .settings:
            settingsLine.draw(on: &canvas, column: margin, row: row, width: width)
        case .question(let question):
            line(
                [Part([frame.run(words(of: question), theme.question)], rank: 2, least: 1)],
                [("y", "yes"), ("n", "no")]
            )
            .draw(on: &canvas, column: margin, row: row, width: width)
        case .leaving:
            line(
                [Part([frame.run("Leaving: connections are being closed", theme.text)], rank: 2, least: 1)],
                [("Ctrl-C", "at once")]
            )
            .draw(on: &canvas, column: margin, row: row, width: width)
        case .help:
            line(
                [],
                [
                    (scrolling, "scroll"),
                    ("Esc", "back"),
                ]
            )
            .draw(on: &canvas, column: margin, row: row, width: width)
        case .normal:
            normal.draw(on: &canvas, column: margin, row: row, width: width)
        }
    }

    private var scrolling: String { Key.up.name(isASCII: look.isASCII) + Key.down.name(isASCII: look.isASCII) }

    private var settingsLine: PartLine {
        if let notice { return notice }
        let sides = Key.left.name(isASCII: look.isASCII) + Key.right.name(isASCII: look.isASCII)
        return line([], [(scrolling, "choose"), (sides, "change"), ("Enter", "type a value"), ("Esc", "back")])
    }

    private var notice: PartLine? {
        frame.state.notice.map {
            PartLine(left: [Part([frame.run($0.words, theme.text)], rank: 1)], separator: frame.separator)
        }
    }

    private var normal: PartLine {
        if let notice { return notice }
        let situation = Situation(selected: frame.selected, totals: frame.totals)
        let bindings = frame.state.keyMap.bindings.filter { $0.hint != nil && situation.satisfies($0.applies) }
        let hints = bindings.compactMap { binding in
            binding.hint.flatMap { hint in binding.keys.first.map { ($0.name(isASCII: look.isASCII), hint) } }
        }
        return line([], hints)
    }

    /// Words, then keys; of the keys the last go first, quit and help before all others stay.
    private func line(_ words: [Part], _ hints: [(key: String, word: String)]) -> PartLine {
        let parts = hints.enumerated().map { index, hint in
            Part(
                [frame.run(hint.key, theme.key), frame.run(" " + hint.word, theme.quiet)],
                rank: ["help", "quit", "yes", "no"].contains(hint.word) ? 50 : 40 - index)
        }
        return PartLine(left: words + parts, separator: frame.run("  ", theme.quiet))
    }

    private func words(of question: Question) -> String {
        var name = "this transfer"
        if case .cancel(let id) = question, let row = frame.board[id] {
            name = String(
                look.text(row.name).fitted(max(8, frame.state.columns - 48), cut: .beforeExtension).glyphs.map(
                    \.character))
        }
        return question.words(name: name, running: frame.totals.active)
    }
}
