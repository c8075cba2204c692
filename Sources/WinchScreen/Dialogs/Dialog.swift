import WinchModel

/// A question as it is drawn and spoken: what will happen, and the answers with their keys.
struct Dialog: Hashable, Sendable {
    /// One or two words.
    let title: String
    /// One or two sentences; a window of one line shows nothing else.
    let question: String
    /// Names, counts or a fingerprint, one line each; a line longer than the box is wrapped. In a small window the
    /// first lines are dropped first.
    var details: [String] = []
    let answers: [UserQuestion.Answer]

    static let yesOrNo = [UserQuestion.Answer(key: "y", words: "yes"), UserQuestion.Answer(key: "n", words: "no")]

    /// `Press y for yes, n for no.`
    var spokenAnswers: String {
        "Press " + answers.map { "\($0.key) for \($0.words)" }.joined(separator: ", ") + "."
    }
}

extension UserQuestion {
    var dialog: Dialog {
        let answers: [Answer] = if case .choice(let answers) = kind { answers } else { [] }
        return Dialog(title: title, question: question, details: details, answers: answers)
    }
}

extension Dashboard {
    func dialog(for question: Confirmation, board: QueueCopy) -> Dialog {
        switch question {
        case .quit: quitDialog(board.totals)
        case .cancel(let ids): cancelDialog(ids, board: board)
        case .background(let ids): backgroundDialog(ids, board: board)
        case .stopSession: stopDialog(board.totals)
        case .inquiry(let inquiry): inquiry.dialog
        }
    }

    private func quitDialog(_ totals: QueueTotals) -> Dialog {
        let uploads = totals.uploads?.count ?? 0
        let kind = uploads == 0 ? "download" : uploads == totals.count ? "upload" : "transfer"
        let stops =
            if totals.working > 0 {
                "This stops \(totals.working.counted(kind))."
            } else if totals.backoff > 0 {
                "\(totals.backoff.counted(kind)) \(totals.backoff == 1 ? "is" : "are") not retried."
            } else {
                "\(totals.waiting.counted(kind)) will not start."
            }
        return Dialog(
            title: "Quit", question: "Quit? \(stops) Partial files are kept.",
            details: ["\(totals.finished) of \(totals.count) done"], answers: Dialog.yesOrNo)
    }

    private func cancelDialog(_ ids: [TransferID], board: QueueCopy) -> Dialog {
        let rows = ids.compactMap { board[$0] }
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
            return Dialog(
                title: "Cancel", question: "Cancel \(fitting(row.name))\(deletes)?",
                details: isDownload ? [progress] : [],
                answers: Dialog.yesOrNo)
        }
        let many = ids.count.counted("tagged \(isDownload ? "download" : "transfer")")
        let names = rows.prefix(Self.namesShown).map { fitted($0.name, in: 28) }.joined(separator: ", ")
        let more = rows.count > Self.namesShown ? " and \(rows.count - Self.namesShown) more" : ""
        var details = [names + more]
        if isDownload, have > .zero { details.append("\(NumberFormat.bytes(have)) downloaded so far") }
        return Dialog(
            title: "Cancel", question: "Cancel \(many)\(hiddenWords(ids))\(deletes)?", details: details,
            answers: Dialog.yesOrNo)
    }

    /// The name cut to one line of the dialog, so that the words after it stay visible.
    private func fitting(_ name: String) -> String {
        let room = layout.form == .line ? columns - 48 : min(columns, DialogBox.widest) - "│ Cancel  │".count
        return fitted(name, in: max(8, room))
    }

    /// The name as safe text, cut to at most `width` columns.
    func fitted(_ name: String, in width: Int) -> String {
        String(look.text(name).fitted(width, cut: .beforeExtension).glyphs.map(\.character))
    }

    /// 4 names: enough to recognize what was tagged, and they fit into a window of 24 rows.
    static let namesShown = 4
}
