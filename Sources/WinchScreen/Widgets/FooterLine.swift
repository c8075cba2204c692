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
            PromptLine(prompt: line.prompt, look: look, label: ":")
                .draw(on: &canvas, column: margin, row: row, width: width)
        case .editing(_, let prompt):
            PromptLine(prompt: prompt, look: look, label: "URL: ")
                .draw(on: &canvas, column: margin, row: row, width: width)
        case .log(let view):
            if let prompt = view.typing {
                PromptLine(prompt: prompt, look: look, label: "Filter: ")
                    .draw(on: &canvas, column: margin, row: row, width: width)
            } else {
                line(
                    [],
                    [
                        Hint(scrolling, "scroll"), Hint("e w i d", "level"), Hint("/", "filter", "/"),
                        Hint("G", "follow", "G"), Hint("Esc", "back", .escape),
                    ]
                )
                .draw(on: &canvas, column: margin, row: row, width: width)
            }
        case .settings:
            settingsLine.draw(on: &canvas, column: margin, row: row, width: width)
        case .filter(let prompt):
            PromptLine(prompt: prompt, look: look, label: "Filter: ")
                .draw(on: &canvas, column: margin, row: row, width: width)
        case .limit(let prompt):
            PromptLine(prompt: prompt, look: look, label: limitLabel(width: width))
                .draw(on: &canvas, column: margin, row: row, width: width)
        case .question(let question):
            line(
                [Part([frame.run(words(of: question), theme.question)], rank: 2, least: 1)],
                [Hint("y", "yes", "y"), Hint("n", "no", "n")]
            )
            .draw(on: &canvas, column: margin, row: row, width: width)
        case .leaving:
            line(
                [Part([frame.run("Leaving: connections are being closed", theme.text)], rank: 2, least: 1)],
                [Hint("Ctrl-C", "at once", .control("c"))]
            )
            .draw(on: &canvas, column: margin, row: row, width: width)
        case .help:
            line(
                [],
                [
                    Hint(scrolling, "scroll"),
                    Hint("Esc", "back", .escape),
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
        return line(
            [],
            [
                Hint(scrolling, "choose"), Hint(sides, "change"), Hint("Enter", "type a value", .enter),
                Hint("Esc", "back", .escape),
            ])
    }

    private var notice: PartLine? {
        frame.state.notice.map {
            PartLine(left: [Part([frame.run($0.words, theme.text)], rank: 1)], separator: frame.separator)
        }
    }

    private var normal: PartLine {
        if let notice { return notice }
        let situation = Situation(
            selected: frame.selected, totals: frame.totals, tagged: frame.state.tags.count)
        let bindings = frame.state.keyMap.bindings.filter { $0.hint != nil && situation.satisfies($0.applies) }
        let hints = bindings.compactMap { binding in
            binding.hint.flatMap { hint in binding.keys.first.map { Hint($0.name(isASCII: look.isASCII), hint, $0) } }
        }
        return line([], hints)
    }

    /// Words, then keys; of the keys the last go first, quit and help before all others stay.
    private func line(_ words: [Part], _ hints: [Hint]) -> PartLine {
        let parts = hints.enumerated().map { index, hint in
            Part(
                [frame.run(hint.key, theme.key), frame.run(" " + hint.word, theme.quiet)],
                rank: ["help", "quit", "yes", "no"].contains(hint.word) ? 50 : 40 - index,
                target: hint.press.map(HitMap.Target.key))
        }
        return PartLine(left: words + parts, separator: frame.run("  ", theme.quiet))
    }

    /// A key and what it does; a click on it presses it.
    private struct Hint {
        let key: String
        let word: String
        let press: Key?

        init(_ key: String, _ word: String, _ press: Key? = nil) {
            (self.key, self.word, self.press) = (key, word, press)
        }
    }

    private func limitLabel(width: Int) -> String {
        let tagged = frame.state.tags.count
        let whose = tagged > 0 ? "Limit of each of \(tagged)" : "Its rate limit"
        return width >= 70 ? "\(whose) (500K, 2M; nothing lifts it): " : "\(whose): "
    }

    private func words(of question: Question) -> String {
        var name = "this transfer"
        if case .cancel(let ids) = question, !frame.state.tags.isEmpty || ids.count > 1 {
            name = ids.count == 1 ? "the 1 tagged" : "\(frame.state.count(ids)) tagged"
        } else if case .cancel(let ids) = question, let row = ids.first.flatMap({ frame.board[$0] }) {
            name = String(
                look.text(row.name).fitted(max(8, frame.state.columns - 48), cut: .beforeExtension).glyphs.map(
                    \.character))
        }
        return question.words(name: name, running: frame.totals.active)
    }
}
