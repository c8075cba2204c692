import WinchModel

/// Commands on the tagged transfers; if none is tagged, on the selected one, or on all in the selected folder.
extension Dashboard {
    mutating func tag(_ intent: KeyAction, board: QueueCopy, now: Moment) {
        let height = layout.table.count
        guard intent == .untagAll || !list.order.isEmpty else {
            _ = nothingSelected(board: board, now: now)
            return
        }
        switch intent {
        case .tag:
            guard let id = selection.id else { return }
            if let rows = list.tree?.rows(id), isFolderSelected {
                if rows.allSatisfy({ tags.contains($0) }) { tagged.remove(rows) } else { tagged.insert(rows, board) }
            } else if tags.contains(id) {
                tagged.remove([id])
            } else {
                tagged.insert([id], board)
            }
            selection.move(to: selection.index + 1, in: list.order, height: height)
        case .untag:
            guard let id = selection.id else { return }
            let before = tags.count
            tagged.remove(isFolderSelected ? list.tree?.rows(id) ?? [] : [id])
            if tags.count == before {
                notice = Notice(tags.isEmpty ? "Nothing is tagged" : "This one is not tagged: U untags all", now: now)
            } else {
                selection.move(to: selection.index + 1, in: list.order, height: height)
            }
        case .untagAll:
            notice = Notice(tags.isEmpty ? "Nothing is tagged" : "Untagged \(tagCount)", now: now)
            tagged = TaggedRows()
        default:
            let shown = list.shown(board)
            tagged.insert(shown, board)
            notice = Notice("Tagged \(list.lineCount(of: shown))" + (list.isWhole ? "" : " shown"), now: now)
        }
    }

    var tags: TransferSet { tagged.ids }

    /// The number of tagged transfers, as the user is told.
    var tagCount: Int { list.lineCount(of: tags) }

    /// Keys act on the tagged transfers, or on those in the selected folder.
    var actsOnSeveral: Bool { !tags.isEmpty || isFolderSelected }
    /// Those transfers, after `none` or `any`, and after `all`.
    var severalWords: String { tags.isEmpty ? "in this folder" : "of the tagged" }
    var allWords: String { tags.isEmpty ? "in this folder" : "tagged" }

    /// Acts on all of them, also on those that the view or the filter hides; the notice gives both numbers.
    mutating func actOnSeveral(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch intent {
        case .pauseOrResume:
            let pausable = chosen(board, .selectedCanPause)
            if !pausable.isEmpty { return announce("paused", pausable, .pause(pausable), board, now) }
            let resumable = chosen(board, .selectedCanResume)
            if !resumable.isEmpty { return announce("resumed", resumable, .resume(resumable), board, now) }
            notice = Notice("Nothing to pause: none \(severalWords) is active or waiting", now: now)
        case .retry:
            let failed = chosen(board, .selectedCanRetry)
            if failed.isEmpty { return refuse("Nothing to retry: none \(severalWords) has failed", now) }
            notice = Notice(retried(failed.count) + hiddenWords(failed), now: now)
            return [.send(.retry(failed))]
        case .cancel:
            let unsettled = chosen(board, .selectedCanCancel)
            if unsettled.isEmpty {
                notice = Notice("Nothing to cancel: all \(allWords) have finished", now: now)
            } else {
                mode = .question(.cancel(unsettled))
            }
        default: break
        }
        return []
    }

    /// The tagged transfers in queue order; if none is tagged, the selected one, or those in the selected folder.
    func chosen(_ board: QueueCopy) -> [TransferID] {
        actsOnSeveral ? chosen(board, .always) : selection.id.map { [$0] } ?? []
    }

    /// The tagged transfers that satisfy `condition`, in queue order; if none is tagged, those in the selected folder, in the
    /// order of adding.
    func chosen(_ board: QueueCopy, _ condition: KeyMap.Condition) -> [TransferID] {
        let states = condition.states ?? RowState.allCases
        guard tags.isEmpty else {
            return board.ids { tags.contains($0.id) && states.contains(RowState($0.phase)) }
        }
        guard let tree = list.tree, let id = selection.id else { return [] }
        return tree.rows(id, in: Set(states))
    }

    /// Reports a command on transfers in a notice and returns it as the action.
    ///
    /// - Parameter past: the past participle of the command, such as `paused`.
    mutating func announce(
        _ past: String, _ ids: [TransferID], _ command: Command, _ board: QueueCopy, _ now: Moment, more: String = ""
    ) -> [ScreenAction] {
        let counted = board.counted(ids)
        notice = Notice("\(board.words(for: ids)) \(past)\(hiddenWords(counted))\(more)", now: now)
        return [.send(command)]
    }

    /// ` (3 not shown)`; empty if the table shows all of `ids`.
    func hiddenWords(_ ids: [TransferID]) -> String {
        let hidden = ids.count { !list.contains($0) }
        return hidden > 0 ? " (\(hidden) not shown)" : ""
    }
}

extension QueueCopy {
    /// Those that a message counts: what lists a folder only where there is nothing else.
    func counted(_ ids: [TransferID]) -> [TransferID] {
        let others = ids.filter { !isListing($0) }
        return others.isEmpty ? ids : others
    }

    /// As `Direction.noun`, or `folder` if all of them list one.
    func noun(for ids: [TransferID]) -> String {
        if !ids.isEmpty, ids.allSatisfy(isListing) { return "folder" }
        let counted = counted(ids)
        return Direction.noun(uploads: counted.count { self[$0]?.direction == .up }, of: counted.count)
    }

    /// `12 downloads`.
    ///
    /// - Parameter kind: before the noun, with a blank at its end.
    func words(for ids: [TransferID], kind: String = "") -> String {
        counted(ids).count.counted(kind + noun(for: ids))
    }

    /// `each of 12 downloads`, `1 download`.
    func eachWords(for ids: [TransferID]) -> String { (counted(ids).count > 1 ? "each of " : "") + words(for: ids) }

    private func isListing(_ id: TransferID) -> Bool { self[id].map { FolderSums.Share(of: $0).isListing } ?? false }
}

extension QueueTotals {
    /// As `Direction.noun`, for all transfers of the queue.
    var noun: String { Direction.noun(uploads: uploads?.count ?? 0, of: count) }

    /// No transfer runs or would start by itself. While all are held, single ones may be resumed; what waits then, in a fleet, is
    /// held too.
    var isAllPaused: Bool { active == 0 && backoff == 0 && (isHeld || waiting == 0 && paused > 0) }

    /// Folders that are being listed, or will be without a key being pressed.
    var unpausedListings: Int {
        guard let listings else { return 0 }
        return isHeld ? listings.active : listings.open - listings.paused
    }
}

extension Dashboard {
    /// Removes settled transfers from the list: the tagged ones, or the selected one if none is tagged.
    mutating func remove(board: QueueCopy, now: Moment) -> [ScreenAction] {
        let chosen = chosen(board)
        guard !chosen.isEmpty else { return nothingSelected(board: board, now: now) }
        let settled =
            actsOnSeveral
            ? self.chosen(board, .selectedCanRemove) : chosen.filter { board[$0]?.phase.isSettled ?? false }
        guard !settled.isEmpty else {
            return refuse("Only finished, failed or cancelled rows can be removed; c cancels first", now)
        }
        promise(UndoPromise(settled, board, at: now))
        return announce(
            "taken off the list", settled, .remove(settled), board, now, more: "; b undoes it, files are kept")
    }

    mutating func removeDone(board: QueueCopy, now: Moment) -> [ScreenAction] {
        let done = board.ids { ListTab.done.contains($0.phase) }
        guard !done.isEmpty else { return refuse("Nothing has finished yet", now) }
        notice = Notice(
            "\(board.words(for: done, kind: "finished ")) taken off the list; b undoes it, files are kept",
            now: now)
        promise(UndoPromise(done, board, at: now))
        return [.send(.remove(done))]
    }

    mutating func bringBack(board: QueueCopy, now: Moment) -> [ScreenAction] {
        // The engine passes over them.
        while let last = promises.last, last.isOver(board, at: now) { promises.removeLast() }
        let promise = promises.popLast()
        let promised = promise.flatMap { $0.holds(at: now) ? $0.ids.count : nil } ?? 0
        let count = board.totals.restorable > 0 ? board.totals.restorable : promised
        let withoutParts = promise.flatMap { $0.hasParts(at: now) ? nil : $0.partial } ?? []
        let lost = withoutParts.count { board[$0]?.phase == .cancelled }
        // What another front end has removed or cancelled is not known here.
        let shown = promise.flatMap { $0.ids.count == count ? $0.counted : nil } ?? count
        let words =
            lost == count
            ? "\(lost.counted("download")) \(lost == 1 ? "starts" : "start") again from 0"
            : "\(shown.counted(promise?.noun ?? "transfer")) restored" + (lost > 0 ? ", \(lost) of them from 0" : "")
        notice = Notice(count > 0 ? words : "Nothing to restore", now: now)
        return count > 0 ? [.send(.restore)] : []
    }

    private mutating func promise(_ promise: UndoPromise) {
        promises = (promises + [promise]).suffix(UndoPromise.most)
    }
}

extension Dashboard {
    mutating func cancel(_ ids: [TransferID], board: QueueCopy, now: Moment) -> [ScreenAction] {
        mode = .normal
        let unsettled = ids.filter { !(board[$0]?.phase.isSettled ?? true) }
        let undoable = fleet != nil ? [] : unsettled.filter { board[$0]?.isCancelUndoable ?? false }
        let undo =
            undoable.isEmpty
            ? "" : undoable.count == unsettled.count ? "; b undoes it" : "; b undoes \(undoable.count) of them"
        notice = Notice("\(cancelledWords(unsettled, board))\(hiddenWords(unsettled))\(undo)", now: now)
        if !undoable.isEmpty {
            let partial = undoable.filter { board[$0].map { $0.have > .zero } ?? false }
            promise(UndoPromise(undoable, partial: partial, board, at: now))
        }
        return unsettled.isEmpty ? [] : [.send(.cancel(unsettled))]
    }

    private func cancelledWords(_ ids: [TransferID], _ board: QueueCopy) -> String {
        guard ids.count == 1, let row = board[ids[0]] else { return "\(board.words(for: ids)) cancelled" }
        return "\(fitted(row.name, in: max(8, columns - 40))) cancelled"
    }
}

extension TransferSnapshot {
    /// Whether `b` can undo a cancellation: not for an upload, nor for a file that is being verified.
    fileprivate var isCancelUndoable: Bool { direction == .down && phase != .verifying }
}

/// A command was sent that `b` can undo. Until the engine has confirmed it, `b` relies on this value.
struct UndoPromise: Hashable, Sendable {
    let ids: [TransferID]
    /// Those that had a partial file when they were cancelled; `nil`: all were taken off the list.
    let partial: [TransferID]?
    /// What they are called, as by `QueueCopy.noun`: those that are off the list cannot be asked.
    let noun: String
    /// How many of them a message counts.
    let counted: Int
    private let partsUntil: Moment
    /// `nil`: the engine has confirmed it.
    private var until: Moment?

    /// 2 s: the engine answers in a fraction of that, even on a busy machine.
    private static let longestAnswer = Duration.seconds(2)
    /// 8: as many as the engine undoes.
    static let most = 8

    init(_ ids: [TransferID], partial: [TransferID]? = nil, _ board: QueueCopy, at now: Moment) {
        (self.ids, self.partial) = (ids, partial)
        (noun, counted) = (board.noun(for: ids), board.counted(ids).count)
        until = now + Self.longestAnswer
        partsUntil = now + Dashboard.undoSpan
    }

    /// The engine tells itself what it can undo: another front end may undo this.
    mutating func confirm() { until = nil }

    func holds(at now: Moment) -> Bool { until.map { now < $0 } ?? false }

    /// A cancellation of which nothing is left to undo: all were tried again, or removed.
    func isOver(_ board: QueueCopy, at now: Moment) -> Bool {
        guard partial != nil, !holds(at: now) else { return false }
        return !ids.contains { board[$0]?.phase == .cancelled }
    }

    /// The partial files of cancelled downloads are still there.
    func hasParts(at now: Moment) -> Bool { now < partsUntil }
}

extension Dashboard {
    /// How long the part of a cancelled download is kept, so that `b` brings its bytes back: long enough to notice a
    /// mistake and press a key, and not longer, because the part file occupies disk space until then.
    package static let undoSpan = Duration.seconds(10)
}

/// The tagged transfers, with the states that they are in: the keys that are offered follow from these.
struct TaggedRows: Sendable {
    private(set) var ids: TransferSet = []
    /// By the raw value of the state.
    private var states = [TransferSet](repeating: [], count: RowState.allCases.count)

    func contains(_ state: RowState) -> Bool { !states[Int(state.rawValue)].isEmpty }

    mutating func insert(_ ids: some Sequence<TransferID>, _ board: QueueCopy) {
        for id in ids where self.ids.insert(id) {
            if let row = board.row(id) { note(row) }
        }
    }

    mutating func remove(_ ids: some Sequence<TransferID>) {
        for id in ids where self.ids.remove(id) {
            for index in states.indices { states[index].remove(id) }
        }
    }

    /// Applies an update that is on the board already.
    mutating func follow(_ update: Update, _ board: QueueCopy) {
        guard !ids.isEmpty else { return }
        remove((update.base == nil ? Array(ids) : update.removed).filter { board.row($0) == nil })
        for row in update.rows.values where ids.contains(row.id) { note(row) }
    }

    private mutating func note(_ row: TransferSnapshot) {
        let state = Int(RowState(row.phase).rawValue)
        guard states[state].insert(row.id) else { return }
        for index in states.indices where index != state { states[index].remove(row.id) }
    }
}
