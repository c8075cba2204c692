import WinchModel

/// The last line: the prompt, else hints for the keys that would act now. Messages are drawn above it.
struct FooterLine {
    let frame: Frame

    private var theme: Theme { frame.theme }
    private var look: Appearance { frame.look }

    func draw(on canvas: inout Canvas, row: Int) {
        canvas.clear(column: 0, row: row, columns: canvas.columns)
        if let prompt = frame.state.mode.prompt {
            draw(prompt, on: &canvas, row: row)
        } else {
            let margin = frame.state.layout.margin
            keys.draw(on: &canvas, column: margin, row: row, width: canvas.columns - 2 * margin)
        }
        drawMessage(on: &canvas, footer: row)
    }

    /// The keys that would act in the mode, if no line is typed.
    private var keys: StyledLine {
        let (back, help) = (Hint("Esc", "back", .escape), Hint("?", "keys", "?"))
        let save = Hint("W", "save", "W")
        switch frame.state.mode {
        case .log:
            return line([
                Hint(scrolling, "scroll"), Hint("e w i d", "level"), Hint("/", "filter", "/"),
                Hint("G", "follow", "G"), back, help,
            ])
        case .settings:
            let sides = Key.left.name(isASCII: look.isASCII) + Key.right.name(isASCII: look.isASCII)
            return line([
                Hint(scrolling, "choose"), Hint(sides, "change"), Hint("Enter", "edit", .enter), save, back, help,
            ])
        case .columns:
            return line([
                Hint(scrolling, "choose"), Hint("Space", "show or hide", " "), Hint("[ ]", "move"),
                Hint("a", "automatic", "a"), save, back, help,
            ])
        case .question(let question):
            let dialog = frame.state.dialog(for: question, board: frame.board)
            let isBoxed = frame.state.layout.form != .line
            return line(
                dialog.answers.map { Hint(String($0.key), $0.words, .character($0.key)) } + (isBoxed ? [back] : []),
                after: isBoxed ? [] : [frame.part(dialog.question, theme.question, rank: 2, least: 1)],
                stays: dialog.answers.map(\.words))
        case .quitting:
            return line(
                [Hint("Ctrl-C", "at once", .control("c"))],
                after: [frame.part("Quitting: connections are being closed", theme.text, rank: 2, least: 1)])
        case .panelKeys: return line([back])
        case .help, .machines: return line([Hint(scrolling, "scroll"), back])
        case .normal, .prompt, .command, .editing, .filter, .limit, .secret: return normal
        }
    }

    /// Draws the prompt, and above it the reason why its line was refused.
    private func draw(_ prompt: Prompt, on canvas: inout Canvas, row: Int) {
        let margin = frame.state.layout.margin
        let width = canvas.columns - 2 * margin
        let subject = if case .secret(let inquiry, _) = frame.state.mode { inquiry.subject } else { "" }
        PromptLine(prompt: prompt, look: look, label: label(width: width), subject: subject)
            .draw(on: &canvas, column: margin, row: row, width: width)
        guard let fault = prompt.fault else { return }
        // In a window of one line the reason covers the prompt until the next key.
        draw("\(look.symbols.state(.failed)) " + fault, theme.warning, on: &canvas, last: max(0, row - 1), most: 3)
    }

    /// Draws the notice, else the selected row's state if the table cannot show all of it.
    private func drawMessage(on canvas: inout Canvas, footer: Int) {
        let layout = frame.state.layout
        // The reason why a line was refused is drawn in the same place and has priority.
        guard frame.state.mode.prompt?.fault == nil else { return }
        if let notice = frame.state.message {
            guard layout.form != .line || frame.state.mode == .normal else { return }
            draw(
                notice.words, notice.isProblem ? theme.warning : theme.text, on: &canvas, last: messageRow(footer),
                most: notice.isProblem ? 3 : 2)
        } else if let row = layout.message, frame.state.mode == .normal, let stateText = frame.stateText {
            canvas.write(
                stateText.text, stateText.style, column: layout.margin, row: row,
                width: frame.state.tableColumns - 2 * layout.margin)
        }
    }

    /// The row for a message: the layout's line for messages, else the row above the footer, or the one above that if
    /// the selected row is there; in a window without a table, the footer itself.
    private func messageRow(_ footer: Int) -> Int {
        let (layout, selection) = (frame.state.layout, frame.state.selection)
        if let message = layout.message { return message }
        guard layout.form != .line else { return footer }
        let selected = layout.table.lowerBound + selection.index - selection.top
        return selected == footer - 1 ? footer - 2 : footer - 1
    }

    /// Draws wrapped words whose last line is in row `last`. At most `most` lines: more would hide the rows that they
    /// are about.
    private func draw(_ words: String, _ style: Style, on canvas: inout Canvas, last: Int, most: Int) {
        let margin = frame.state.layout.margin
        let lines = look.text(words).wrapped(canvas.columns - 2 * margin, most: min(most, last + 1))
        for (offset, line) in lines.enumerated() {
            let row = last - lines.count + 1 + offset
            canvas.clear(column: 0, row: row, columns: canvas.columns)
            canvas.mark(nil, column: 0, row: row, columns: canvas.columns)
            canvas.write(line, style, column: margin, row: row)
        }
    }

    private var scrolling: String { Key.up.name(isASCII: look.isASCII) + Key.down.name(isASCII: look.isASCII) }

    private var normal: StyledLine {
        let situation = KeyApplicability(
            selected: frame.selected, totals: frame.totals, tagged: frame.state.tagged,
            areDetailsOpen: frame.state.isDetailsOpen, isAttached: frame.state.isAttached,
            isFleet: frame.state.fleet != nil, folder: frame.selectedFolder)
        let bindings = frame.state.keyMap.bindings.filter {
            $0.hint != nil && situation.satisfies($0.applies)
                && !(situation.isFleet && $0.intent.reasonAgainFleet != nil)
        }
        let hints = bindings.compactMap { binding in
            binding.hint.flatMap { hint in binding.keys.first.map { Hint($0.name(isASCII: look.isASCII), hint, $0) } }
        }
        return line(hints, after: stateText)
    }

    /// The selected row's state as the first part of the footer, in a window without a line for messages. It may be
    /// cut to three fifths of the width, so that hints stay.
    private var stateText: [Part] {
        let layout = frame.state.layout
        guard layout.message == nil, layout.form != .line, let stateText = frame.stateText else { return [] }
        let least = min(stateText.text.columns, frame.state.columns * 3 / 5)
        return [Part([stateText], rank: 45, least: least)]
    }

    /// A line of words and key hints. If they do not fit, the last hints are dropped first; quit and help are kept
    /// longest.
    ///
    /// - Parameter stays: words of the hints that are kept longest.
    private func line(
        _ hints: [Hint], after words: [Part] = [], stays: [String] = ["help", "quit", "leave"]
    ) -> StyledLine {
        let parts = hints.enumerated().map { index, hint in
            Part(
                [frame.run(hint.key, theme.key), frame.run(" " + hint.word, theme.quiet)],
                rank: stays.contains(hint.word) ? 50 : 40 - index,
                target: hint.press.map(HitMap.Target.key))
        }
        return StyledLine(left: words + parts, separator: frame.run("  ", theme.quiet))
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

    private func label(width: Int) -> String {
        switch frame.state.mode {
        case .command: return ":"
        case .editing: return "URL: "
        case .filter, .log: return "Filter: "
        case .limit(let ids, _): return limitLabel(ids, width: width)
        case .settings(let view):
            let settings = frame.state.settingsShown(board: frame.board)
            return (settings.indices.contains(view.index) ? settings[view.index].name : "") + ": "
        case .secret(let inquiry, _): return inquiry.title + ": "
        case .prompt, .normal, .question, .columns, .panelKeys, .help, .machines, .quitting: return "Add URL: "
        }
    }

    private func limitLabel(_ ids: [TransferID], width: Int) -> String {
        let whose: String
        if let id = ids.first, ids.count == 1 {
            whose = frame.state.fitted(frame[id]?.name ?? "", in: max(12, width - 64))
        } else if frame.state.tags.isEmpty, let folder = frame.selectedFolder {
            whose = "each in \(frame.state.fitted(folder.name, in: max(12, width - 72)))"
        } else {
            let tagged = frame.state.list.lineCount(of: TransferSet(ids))
            whose = tagged == 1 ? "the tagged one" : "each of \(tagged) tagged"
        }
        let example = width >= 80 ? " (e.g. 500K; leave empty for none)" : ""
        return "Rate limit for \(whose)\(example): "
    }
}

/// The line being typed into, scrolled so that its cursor is in view.
struct PromptLine {
    let prompt: Prompt
    let look: Appearance
    /// Names what is to be typed. Where it leaves too little room, `subject` alone does; where that does not fit either, the first
    /// word of this, and the end of the subject if there is room for it.
    var label = "Add URL: "
    /// The host or file in the label, whose end is what the user recognizes; empty: there is none.
    var subject = ""

    /// In columns, for the line itself.
    private static let least = 10
    /// In columns: less of its end tells nothing.
    private static let leastOfSubject = 6

    func draw(on canvas: inout Canvas, column: Int, row: Int, width: Int) {
        let start = canvas.write(
            shownLabel(in: width - Self.least), look.theme.question, column: column, row: row, width: width)
        let room = max(0, column + width - start)
        let (text, cursor) = window(room)
        canvas.write(
            text, prompt.isSelected ? look.theme.selected : look.theme.text, column: start, row: row, width: room)
        if room > 0 { canvas.cursor = (min(start + cursor, column + width - 1), row) }
    }

    private func shownLabel(in room: Int) -> SafeText {
        let whole = look.text(label)
        guard whole.columns > room else { return whole }
        let end = look.text(": ")
        // An ellipsis alone names nothing.
        guard !subject.isEmpty, room - end.columns > 1 else { return look.text("") }
        let most = room - end.columns
        var name = look.text(subject).glyphs
        if look.text(subject).columns > most {
            let word = look.text(String(label.prefix { $0 != " " })).fitted(most)
            let rest = most - word.columns - 1
            let part = rest < Self.leastOfSubject ? nil : look.text(subject).fitted(rest, cut: .start)
            name = word.glyphs
            if let part { name += [CellCharacter.blank] + part.glyphs }
        }
        return SafeText(name + end.glyphs, isASCII: look.isASCII)
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

/// A message above the footer, shown for some seconds or until a key is pressed.
struct Notice: Hashable, Sendable {
    let words: String
    /// `nil`: until a key is pressed.
    let until: Moment?
    /// The message reports an error that the user should correct.
    var isProblem: Bool { until == nil }

    /// - Parameter words: may contain text from outside, which is escaped when drawn.
    init(_ words: String, now: Moment) {
        self.words = words
        until = now + Self.shown
    }

    init(lasting words: String) {
        self.words = words
        until = nil
    }

    /// Reports errors in files that were read: their number, the first one, and that the log shows all.
    ///
    /// - Parameters:
    ///   - problems: `winch.conf:3: there is no ...`; not empty.
    ///   - good: what succeeded; put before the problems.
    init(problems: [String], after good: String? = nil) {
        let first = problems.first ?? ""
        words =
            (good.map { $0 + "; " } ?? "")
            + (problems.count > 1
                ? "\(problems.count) problems (l shows all), the first: \(first)" : first + " (l shows it again)")
        until = nil
    }

    /// 4 s: a line takes two seconds to read, and the user may read it twice.
    private static let shown = Duration.seconds(4)
}
