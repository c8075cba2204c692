import WinchModel

extension Dashboard {
    func dialog(for question: Confirmation, board: QueueCopy) -> UserQuestion {
        switch question {
        case .quit(let kept): quitDialog(board.totals, kept)
        case .cancel(let ids): cancelDialog(ids, board: board)
        case .background(let ids, let options): backgroundDialog(ids, options, board: board)
        case .stopSession(let kept): stopDialog(board.totals, kept)
        case .inquiry(let inquiry): inquiry
        }
    }

    private func quitDialog(_ totals: QueueTotals, _ kept: KeptBytes) -> UserQuestion {
        let kind = totals.noun
        var stops: [String] = []
        if totals.working > 0 {
            stops.append("This stops \(totals.working.counted(kind)).")
        } else if totals.backoff > 0 {
            stops.append("\(totals.backoff.counted(kind)) \(totals.backoff == 1 ? "is" : "are") not retried.")
        } else if totals.waiting > 0 {
            stops.append("\(totals.waiting.counted(kind)) will not start.")
        }
        let listings = totals.unpausedListings
        if listings > 0 {
            stops.append("\(listings.counted("folder")) \(listings == 1 ? "is" : "are") not listed to the end.")
        }
        return UserQuestion(
            title: "Quit", question: (["Quit?"] + stops + kept.sentences).joined(separator: " "),
            details: ["\(totals.finished) of \(totals.count) done"], kind: .yesOrNo)
    }

    private func cancelDialog(_ chosen: [TransferID], board: QueueCopy) -> UserQuestion {
        // Others may have finished since the question was opened.
        let rows = chosen.compactMap { board[$0] }.filter { !$0.phase.isSettled }
        let ids = rows.map(\.id)
        let have = rows.reduce(ByteCount.zero) { $0 + $1.have }
        let isDownload = rows.allSatisfy { $0.direction == .down }
        let isPlural = ids.count > 1
        // A transfer that has received nothing has no partial file.
        let deletes =
            isDownload && have > .zero ? " and delete \(isPlural ? "their partial files" : "its partial file")" : ""
        if let row = rows.first, rows.count == 1, tags.isEmpty {
            let size = row.size.known
            let progress =
                have > .zero
                ? "\(NumberFormat.bytes(have))\(size.map { " of \(NumberFormat.bytes($0))" } ?? "") downloaded so far"
                : "Nothing of it has been downloaded yet"
            return UserQuestion(
                title: "Cancel", question: "Cancel \(fitting(row.name))\(deletes)?",
                details: isDownload ? [progress] : [], kind: .yesOrNo)
        }
        let many = board.words(for: ids, kind: tags.isEmpty ? "" : "tagged ")
        var details = [firstNames(rows)]
        if isDownload, have > .zero { details.append("\(NumberFormat.bytes(have)) downloaded so far") }
        return UserQuestion(
            title: "Cancel", question: "Cancel \(many)\(hiddenWords(board.counted(ids)))\(deletes)?", details: details,
            kind: .yesOrNo)
    }

    /// The name cut to one line of the dialog, so that the words after it stay visible.
    private func fitting(_ name: String) -> String {
        let room = layout.form == .line ? columns - 48 : min(columns, DialogBox.widest) - "│ Cancel  │".count
        return fitted(name, in: max(8, room))
    }

    /// 4 names, which are enough to recognize what was tagged and fit into a window of 24 rows, and how many more there are.
    func firstNames(_ rows: [TransferSnapshot]) -> String {
        let shown = rows.prefix(4)
        let more = rows.count > shown.count ? " and \(rows.count - shown.count) more" : ""
        return shown.map { fitted($0.name, in: 28) }.joined(separator: ", ") + more
    }

    /// The name as safe text, cut to at most `width` columns.
    func fitted(_ name: String, in width: Int) -> String { look.text(name).cut(to: width, keepsExtension: true) }
}

enum Confirmation: Hashable, Sendable {
    /// The transfers to cancel; not empty.
    case cancel([TransferID])
    case quit(KeptBytes)
    /// Hand the run over: transfers that begin again, and options that are not taken over. One of them is not empty.
    case background([TransferID], options: String)
    case stopSession(KeptBytes)
    /// An inquiry of the kind `choice`.
    case inquiry(UserQuestion)
}

/// What becomes of the bytes of transfers that stop.
struct KeptBytes: Hashable, Sendable {
    var hasPartialFiles = false
    /// How many have bytes, but would begin again.
    var beginAgain = 0

    /// - Parameter board: all of it is read, so not for each frame.
    init(_ board: QueueCopy) {
        board.visit { row, _ in
            guard !row.phase.isSettled, row.have > .zero else { return }
            if row.wouldBeginAgain { beginAgain += 1 } else { hasPartialFiles = true }
        }
    }

    var sentences: [String] {
        var sentences: [String] = []
        if beginAgain > 0 {
            sentences.append("\(beginAgain.counted("transfer")) \(beginAgain == 1 ? "begins" : "begin") again from 0.")
        }
        if hasPartialFiles { sentences.append("Partial files are kept.") }
        return sentences
    }
}

/// A question to the user, as it is drawn and spoken: before the dashboard does something, or before a transfer can go on,
/// such as whether to trust a host's key, or the passphrase of a private key. The latter, an inquiry, is shown as a dialog as
/// soon as nothing else is open; inquiries are asked one at a time, in the order of their arrival.
struct UserQuestion: Hashable, Sendable, Identifiable {
    enum Kind: Hashable, Sendable {
        /// One of two or more answers; Esc declines.
        case choice([Answer])
        /// A line that is masked while it is typed; Esc declines.
        case secret
        /// A line that begins as this text; Esc declines.
        case line(String)

        static let yesOrNo = Kind.choice([Answer(key: "y", words: "yes"), Answer(key: "n", words: "no")])
    }

    struct Answer: Hashable, Sendable {
        /// A letter or digit; upper case is the same key.
        let key: Character
        /// What the key does, in a few words: `trust once`.
        let words: String
    }

    enum Reply: Hashable, Sendable {
        /// The key of the answer.
        case chosen(Character)
        /// The line as typed; a secret is never logged nor kept by the screen.
        case typed(String)
        /// Esc: no answer was chosen and nothing was typed.
        case declined
    }

    /// Of an inquiry.
    var id = 0
    /// One or two words: `Host key`.
    let title: String
    /// The server or the key in the title, which stands for it where it does not fit; may contain text from outside.
    var subject = ""
    /// One or two sentences; a window of one line shows nothing else.
    let question: String
    /// Lines below the question, such as a fingerprint; may contain text from outside, which is escaped when drawn. A
    /// line longer than the box is wrapped. In a small window the first lines are dropped first, so the most
    /// important line comes last.
    var details: [String] = []
    let kind: Kind

    var answers: [Answer] { if case .choice(let answers) = kind { answers } else { [] } }
}

/// A dialog in the middle of the screen: the question, what it is about, and the answers, which can be clicked.
struct DialogBox {
    let dialog: UserQuestion
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
