package import WinchModel

/// The dashboard as sentences, for speech output and screen readers: what has changed since the last sentences, one
/// sentence per line.
///
/// Keys are handled by the same reducer. The effect of a key, a transfer that settles and a question are reported at
/// once. The queue as a whole is reported seldom, so that the user can hear the effects of keys in between.
package struct Speech: Sendable {
    /// The state at the time of the last sentences.
    private var selected: TransferID?
    private var phase: TransferPhase?
    private var isFolderOpen: Bool?
    /// The line of the selected row in the list, and the number of lines.
    private var place = (index: 0, count: 0)
    private var tab = ListTab.all
    private var tags: TransferSet = []
    private var isAllPaused = false
    /// What the bar counts.
    private var mode: ProgressMode?
    private var question: String?
    private var notice: Notice?
    private var typed: String?
    private var fault: String?
    private var lastQueueReport: Moment?
    private var percent = -1
    private var isOver = false
    private var isGreeted = false
    /// The row whose details were read.
    private var detailed: TransferID?

    /// Least time between two sentences about the queue.
    private static let span = Duration.seconds(10)
    /// Least progress between two sentences about the queue, in percent.
    private static let step = 5

    package init() {}

    /// The sentences for what has changed since the last call.
    ///
    /// - Parameter isKey: a key was pressed, so a newly selected row is reported.
    package mutating func lines(
        for dashboard: Dashboard, board: QueueCopy, update: Update? = nil, isKey: Bool = false, at now: Moment
    ) -> [String] {
        var lines: [String] = []
        if !isGreeted, board.totals.count > 0 {
            isGreeted = true
            lastQueueReport = now
            lines.append("Winch has \(board.totals.count.counted("file")). Press question mark for the keys.")
        }
        for event in update?.events ?? [] {
            if let line = sentence(for: event, dashboard, board) { lines.append(line) }
        }
        lines += aboutMode(dashboard, board)
        if dashboard.message != notice {
            notice = dashboard.message
            if let notice { lines.append(notice.words.sentence) }
        }
        if let update, !update.totals.isStarting { lines += aboutAll(board.totals) }
        lines += aboutList(dashboard, board, isKey: isKey)
        let left = aboutLeft(dashboard, board, now: now)
        lines += left + aboutSelected(dashboard, board, update, isKey: isKey || !left.isEmpty, now: now)
        lines += aboutDetails(dashboard, board, now: now)
        let restarts = dashboard.restartsUntil.map { now < $0 } ?? false
        lines += aboutQueue(dashboard.totals(of: board), restarts: restarts, at: now)
        return lines
    }

    // MARK: Settled transfers

    private func sentence(for event: FeedEvent, _ dashboard: Dashboard, _ board: QueueCopy) -> String? {
        let row = event.id.flatMap { board[$0] }
        let name = row?.path ?? "The transfer"
        switch event.kind {
        case .finished(.saved): return "\(name) is done, \(NumberFormat.bytes(event.have))."
        case .finished(.sent): return "\(name) is uploaded, \(NumberFormat.bytes(event.have))."
        case .finished(.listed(let path, let found)):
            guard let row, row.isListing else { return "\(name) is a Metalink: \(found.fileCount) added." }
            return row.isSubfolder ? nil : "\(name.dropLast()) is listed: \(found.words(of: path))."
        case .finished(.skipped): return "\(name) was kept as it was."
        case .finished(.alreadyComplete): return "\(name) was \(event.direction == .up ? "sent" : "there") already."
        case .failed(let failure) where dashboard.asks.isOpen(.failed(failure)):
            return "\(failure.reported(name)) is waiting for your answer."
        case .failed(let failure): return "\(failure.reported(name)) failed: \(failure.message)."
        case .cancelled: return "\(name) is cancelled."
        case .retrying(let wait, let failure) where wait > .zero:
            return "\(name) will be retried in \(TimeLeftFormat.countdown(wait)): \(failure.message)."
        case .awaitingSpace(let folder): return "\(name) is waiting for disk space in \(folder)."
        case .added, .reopened, .started, .redirected, .headers, .moved, .rebase, .sized, .paused, .resumed, .retrying,
            .connections, .warned, .verifying, .replying, .removed, .restored, .queueFinished:
            return nil
        }
    }

    // MARK: Questions and prompts

    private mutating func aboutMode(_ dashboard: Dashboard, _ board: QueueCopy) -> [String] {
        var asked: String?
        var lines: [String] = []
        switch dashboard.mode {
        case .question(let waiting):
            let dialog = dashboard.dialog(for: waiting, board: board)
            let answers = dialog.answers.map { "\($0.key) for \($0.words)" }.joined(separator: ", ")
            asked = ([dialog.question] + dialog.details.map(\.sentence) + ["Press \(answers)."]).joined(separator: " ")
        case .secret(let inquiry, _):
            // The secret itself is never spoken.
            asked =
                ([inquiry.question] + inquiry.details.map(\.sentence)).joined(separator: " ")
                + " Type it, then press Enter. Escape goes back."
        case .filter:
            asked = "Type what to look for: part of a name, or state:failed. Enter keeps it, Escape shows all."
        case .limit: asked = "Type a rate such as 500K, then press Enter. Leave it empty for no limit."
        case .prompt: asked = "Type or paste URLs, then press Enter. Escape goes back."
        case .editing(_, let prompt): asked = "The URL is \(prompt.text). Change it, then press Enter."
        case .command: asked = "Type a command, then press Enter. Tab completes it."
        case .help: asked = dashboard.spokenKeys.joined(separator: "\n")
        case .machines: asked = dashboard.spokenMachines.joined(separator: "\n")
        case .log(let view):
            let entries = view.visible(dashboard.journal, height: 10).compactMap { dashboard.journal[$0] }
            asked = entries.map { entry in
                "\(dashboard.wallClock.time(of: entry.at)): \(entry.name.map { "\($0): " } ?? "")\(entry.message)"
                    .sentence
            }.joined(separator: "\n")
            if entries.isEmpty { asked = "The log is empty." }
        case .columns(let view):
            let column = view.columns[view.index]
            asked =
                "Column \(column.rawValue), \(column.traits.description): \(view.isShown(column) ? "shown" : "hidden")."
        case .panelKeys(let keys, _):
            asked = keys.lines(isASCII: true).map { "\($0.keys): \($0.words)." }.joined(separator: "\n")
        case .settings(let view):
            let settings = dashboard.settingsShown(board: board)
            if settings.indices.contains(view.index) {
                let setting = settings[view.index]
                asked =
                    "\(setting.name) is \(setting.value), from \(setting.origin.words): \(setting.description)".sentence
            }
        case .quitting: asked = "Quitting."
        case .normal: break
        }
        // While the URL is edited the sentence is not repeated, although the text in it changes.
        let isTyping = if case .editing = dashboard.mode { question?.hasPrefix("The URL") ?? false } else { false }
        if let asked, asked != question, !isTyping { lines += asked.split(separator: "\n").map(String.init) }
        question = isTyping ? question : asked
        let refused = dashboard.mode.prompt?.fault
        if let refused, refused != fault { lines.append(refused.sentence) }
        fault = refused
        if let choices = dashboard.pathChoices {
            let names = choices.names.prefix(9).joined(separator: ", ")
            let words = choices.chosen ?? "\(choices.names.count.counted("file")): \(names)"
            if words != typed { lines.append(words) }
            typed = words
        }
        if case .command(let line) = dashboard.mode, let chosen = line.chosen, chosen != typed {
            typed = chosen
            lines.append(chosen)
        }
        return lines
    }

    // MARK: All rows

    /// What keys change for all transfers and no notice tells.
    private mutating func aboutAll(_ totals: QueueTotals) -> [String] {
        var lines: [String] = []
        if let mode, mode != totals.mode {
            lines.append("The bar counts \(totals.mode == .accurate ? "bytes" : "files").")
        }
        mode = totals.mode
        let wasAllPaused = isAllPaused
        isAllPaused = KeyApplicability(selected: nil, totals: totals).satisfies(.allPaused)
        // If only some were resumed, or the last ones ended, the rows tell.
        if isAllPaused != wasAllPaused, isAllPaused || totals.paused == 0 && !totals.allSettled {
            lines.append("All \(totals.noun)s are \(isAllPaused ? "paused" : "resumed").")
        }
        return lines
    }

    private mutating func aboutList(_ dashboard: Dashboard, _ board: QueueCopy, isKey: Bool) -> [String] {
        var lines: [String] = []
        if tab != dashboard.list.view {
            tab = dashboard.list.view
            // The selected row is read again, even if it is the same.
            selected = nil
            let count = dashboard.list.count
            let rows = count == 0 ? "no rows" : count.counted("row")
            lines.append("\(tab.rawValue + 1) \(tab.word.lowercased()), \(rows).")
        }
        // A key either tags rows or untags some; that for all rows has a notice.
        let (before, isMore) = (tags, dashboard.tags.count > tags.count)
        tags = dashboard.tags
        if isKey, dashboard.notice == nil, tags.count != before.count {
            var changed = isMore ? tags : before
            changed.subtract(isMore ? before : tags)
            let ids = Array(changed)
            let row = ids.count == 1 ? board[ids[0]] : nil
            let name = row?.path ?? board.words(for: ids)
            lines.append("\(name) \(isMore ? "tagged" : "untagged").")
        }
        return lines
    }

    // MARK: The selected row

    /// A row that left the tab because the user paused or resumed it. The row that is selected now is read after it.
    private mutating func aboutLeft(_ dashboard: Dashboard, _ board: QueueCopy, now: Moment) -> [String] {
        guard dashboard.mode == .normal, let id = selected, id != dashboard.selection.id, let row = board[id],
            !row.phase.isSettled, (phase == .paused) != (row.phase == .paused), !dashboard.list.contains(id)
        else { return [] }
        selected = nil
        return ["\(row.path), \(state(of: row, dashboard, board, now: now))."]
    }

    private mutating func aboutSelected(
        _ dashboard: Dashboard, _ board: QueueCopy, _ update: Update?, isKey: Bool, now: Moment
    ) -> [String] {
        let before = place
        if dashboard.mode == .normal { place = (dashboard.selection.index, dashboard.list.order.count) }
        // Other rows that come or go move it as well, which is no news.
        let isMoved =
            place.index != before.index
            && (isKey || place.count == before.count && update?.order?.isWhole ?? false)
        if let id = dashboard.selection.id, let folder = dashboard.list.folder(id, board.totals) {
            let isNews = selected != id || isFolderOpen != folder.isOpen
            guard isNews, isKey, dashboard.mode == .normal else { return [] }
            (selected, phase, isFolderOpen) = (id, nil, folder.isOpen)
            let place = "\(dashboard.selection.index + 1) of \(dashboard.list.order.count)"
            var parts = [place, folder.spoken]
            // The words of the folder tell of the other states.
            if let row = folder.listing.flatMap({ board[$0] }), case .backoff = row.phase {
                parts.append(state(of: row, dashboard, board, now: now))
            }
            return [parts.joined(separator: ", ") + "."]
        }
        guard let id = dashboard.selection.id, let row = board[id] else { return [] }
        let wasPaused = phase == .paused
        let isOther = id != selected
        if !isOther { phase = row.phase }
        // For the same row only pausing, resuming and moving are reported, since the user causes them; other changes are
        // reported when the transfer settles.
        guard isOther ? isKey : isMoved || wasPaused != (row.phase == .paused) else { return [] }
        guard dashboard.mode == .normal else { return [] }
        (selected, phase) = (id, row.phase)
        let state = state(of: row, dashboard, board, now: now)
        var parts = ["\(dashboard.selection.index + 1) of \(dashboard.list.order.count)", row.path, state]
        if let percent = row.percent, !row.phase.isSettled { parts.append("\(percent) percent") }
        if let rate = row.rate, row.phase == .moving { parts.append(NumberFormat.rate(rate)) }
        if let finish = row.finish, row.phase == .moving {
            parts.append(TimeLeftFormat.left(finish - now, isGuessed: false))
        }
        return [parts.joined(separator: ", ") + "."]
    }

    private func state(
        of row: TransferSnapshot, _ dashboard: Dashboard, _ board: QueueCopy, now: Moment
    ) -> String {
        let words = StateDescription(
            row, cause: nil, now: now, look: Appearance(isASCII: true),
            isTotalLimited: !row.isLimitOwn && board.totals.limits(row.direction),
            awaitsAnswer: dashboard.asks.isOpen(row.phase))
        return words.forms.first ?? ""
    }

    /// Read once when they are opened, and again for another row.
    private mutating func aboutDetails(_ dashboard: Dashboard, _ board: QueueCopy, now: Moment) -> [String] {
        guard dashboard.isDetailsOpen else {
            detailed = nil
            return []
        }
        guard dashboard.mode == .normal, let id = dashboard.selection.id, id != detailed, let row = board[id],
            let details = board.details, details.id == id
        else { return [] }
        detailed = id
        return dashboard.spoken(details, of: row, now: now)
    }

    // MARK: The queue

    /// - Parameter restarts: transfers are about to start again, and the totals do not say so yet.
    private mutating func aboutQueue(_ totals: QueueTotals, restarts: Bool, at now: Moment) -> [String] {
        guard totals.hasTransfers else { return [] }
        if totals.allSettled {
            if restarts { return [] }
            defer { isOver = true }
            guard !isOver else { return [] }
            var words = "All \(totals.noun)s have ended: \(totals.finished) of \(totals.count.counted("file")) done"
            if totals.failed > 0 { words += ", \(totals.failed) failed" }
            if totals.cancelled > 0 { words += ", \(totals.cancelled) cancelled" }
            return [words + "."]
        }
        isOver = false
        let reached = totals.percent ?? 0
        if percent < 0 || reached < percent { percent = reached - reached % Self.step }
        guard let spoken = lastQueueReport, now - spoken >= Self.span, reached >= percent + Self.step else {
            return []
        }
        lastQueueReport = now
        percent = reached - reached % Self.step
        var words = "\(totals.isEstimated ? "About " : "")\(reached) percent, "
        words += "\(totals.finished) of \(totals.count) done"
        if let rate = totals.rate { words += ", \(NumberFormat.rate(rate))" }
        if let finish = totals.finish {
            words += ", \(TimeLeftFormat.left(finish - now, isGuessed: totals.isFinishEstimated))"
        }
        return [words + "."]
    }
}

extension FolderLine {
    /// `folder pub, open, is being listed, 12 of 214 done, 1 failed`.
    fileprivate var spoken: String {
        var words = "folder \(name), \(isOpen ? "open" : "closed")"
        if sums[listing: .working] + sums[listing: .verifying] > 0 {
            words += ", is being listed"
        } else if sums.openListings > 0 {
            words += ", not listed yet"
        }
        if sums.count > 0 {
            words += ", \(sums[.finished]) of \(sums.count) done"
        } else if sums.openListings == 0 {
            words += ", no files"
        }
        if sums[.failed] > 0 { words += ", \(sums[.failed]) failed" }
        return words
    }
}

extension String {
    /// With a full stop, unless it ends with one: some texts are whole sentences already.
    fileprivate var sentence: String { hasSuffix(".") ? self : self + "." }
}

extension Dashboard {
    fileprivate var spokenKeys: [String] {
        KeyMap.Group.allCases.flatMap { group in
            bindings(of: group).map { binding in
                "\(binding.keys.map { $0.name(isASCII: true) }.joined(separator: " or ")): \(binding.words)."
            }
        }
    }
}

extension Dashboard {
    /// The details of a row as sentences, without what its own sentence tells, the response's headers, and pictures.
    func spoken(_ details: TransferDetails, of row: TransferSnapshot, now: Moment) -> [String] {
        var written = details
        written.facts?.headers = []
        written.seconds = []
        let lines = DetailLines(
            row: row, details: written, look: look, wallClock: wallClock, now: now, width: Self.spokenWidth,
            workingFolder: workingFolder)
        return lines.sentences(of: details) + lines.sentences
    }

    /// Wide enough for any value in one line.
    private static let spokenWidth = 4000
}

extension DetailLines {
    /// The open connections, and why there are not more.
    fileprivate func sentences(of details: TransferDetails) -> [String] {
        guard !details.connections.isEmpty else { return [] }
        let words = ConnectionWords.counted(details.connections.count, reason: details.connectionReason)
        return [words + "."]
            + details.connections.map { connection in
                let facts = [
                    range(of: connection), rate(of: connection), "from \(connection.host)",
                    "open for \(DurationFormat.text(now - connection.began))",
                ]
                return "Connection \(connection.number): \(facts.filter { !$0.isEmpty }.joined(separator: ", "))."
            }
    }

    /// The lines of the panel, the values of one field together. What comes before the first blank line tells the row's name
    /// and state, except for the fields.
    fileprivate var sentences: [String] {
        var sentences: [String] = []
        var isAboutRow = true
        for line in all {
            switch line {
            case .blank: isAboutRow = false
            case .heading, .cells, .graph: break
            case .runs(let runs): if !isAboutRow { sentences.append(Self.text(runs)) }
            case .field("", let runs):
                let begun = sentences.popLast().map { $0 + " " } ?? ""
                sentences.append(begun + Self.text(runs))
            case .field(let label, let runs): sentences.append("\(label.drop { $0 == " " }): \(Self.text(runs))")
            }
        }
        return sentences.map { $0 + "." }
    }

    private static func text(_ runs: [Run]) -> String {
        String(runs.flatMap { $0.text.glyphs.map(\.character) }).split(separator: " ").joined(separator: " ")
    }
}
