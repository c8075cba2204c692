import WinchModel

extension Dashboard {
    /// Reports and logs added entries that were in the list already, and selects the first of them.
    mutating func announce(_ again: [Update.AddedAgain], board: QueueCopy, now: Moment) {
        guard let first = again.first else { return }
        let anew = again.count(where: \.isStartedAnew)
        let words: String
        if again.count == 1 {
            let name = board[first.id]?.name ?? "it"
            words = "Already in the list: \(name)" + (anew > 0 ? "; retried" : "")
        } else {
            words =
                "\(NumberFormat.count(again.count)) were already in the list"
                + (anew > 0 ? ", \(anew) of them retried" : "")
        }
        notice = Notice(words, now: now)
        journal.append([LogEntry(at: now, subject: .userMessage(words, .info))])
        selection.take(first.id, in: list.order, height: layout.table.count)
    }

    /// Reports in one notice, and logs, what was added and what could not be added.
    mutating func announce(added words: String?, problems: [String], now: Moment) {
        journal.append(words.map { [LogEntry(at: now, subject: .userMessage($0, .info))] } ?? [])
        journal.append(problems.map { LogEntry(at: now, subject: .userMessage($0, .warning)) })
        if let words, problems.isEmpty {
            notice = Notice(words, now: now)
        } else if !problems.isEmpty {
            notice = Notice(problems: problems, after: words)
        }
    }
}
