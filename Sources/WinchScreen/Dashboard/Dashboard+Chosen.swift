import WinchModel

/// Commands on the tagged transfers, or on the selected one if none is tagged.
extension Dashboard {
    mutating func tag(_ intent: KeyAction, board: QueueMirror, now: Moment) {
        let height = layout.table.count
        guard intent == .untagAll || !list.order.isEmpty else {
            _ = nothingSelected(board: board, now: now)
            return
        }
        switch intent {
        case .tag:
            guard let id = selection.id else { return }
            if !tags.remove(id) { tags.insert(id) }
            selection.move(to: selection.index + 1, in: list.order, height: height)
        case .untag:
            guard let id = selection.id else { return }
            if !tags.remove(id) {
                notice = Notice(tags.isEmpty ? "Nothing is tagged" : "This one is not tagged: U untags all", now: now)
            } else {
                selection.move(to: selection.index + 1, in: list.order, height: height)
            }
        case .untagAll:
            notice = Notice(tags.isEmpty ? "Nothing is tagged" : "Untagged \(tags.count)", now: now)
            tags = []
        default:
            tags.formUnion(list.order)
            notice = Notice("Tagged \(list.order.count)" + (list.isWhole ? "" : " shown"), now: now)
        }
    }

    /// Acts on all tagged transfers, also those that the view or the filter hides; the notice gives both numbers.
    mutating func actOnTagged(_ intent: KeyAction, board: QueueMirror, now: Moment) -> [ScreenAction] {
        switch intent {
        case .pauseOrResume:
            let pausable = tagged(board, .selectedCanPause)
            if !pausable.isEmpty { return announce("paused", pausable, .pause(pausable), now) }
            let resumable = tagged(board, .selectedCanResume)
            if !resumable.isEmpty { return announce("resumed", resumable, .resume(resumable), now) }
            notice = Notice("Nothing to pause: none of the tagged is running or queued", now: now)
        case .retry:
            let failed = tagged(board, .selectedCanRetry)
            if failed.isEmpty {
                notice = Notice("Nothing to retry: none of the tagged has failed", now: now)
                return []
            }
            notice = Notice(retried(failed.count) + hiddenWords(failed), now: now)
            return [.send(.retry(failed))]
        case .cancel:
            let unsettled = tagged(board, .selectedCanCancel)
            if unsettled.isEmpty {
                notice = Notice("Nothing to cancel: all tagged have finished", now: now)
            } else {
                mode = .question(.cancel(unsettled))
            }
        default: break
        }
        return []
    }

    /// Removes settled transfers from the list: the tagged ones, or the selected one if none is tagged.
    mutating func remove(board: QueueMirror, now: Moment) -> [ScreenAction] {
        let chosen = chosen(board)
        guard !chosen.isEmpty else { return nothingSelected(board: board, now: now) }
        let settled = chosen.filter { board[$0]?.phase.isSettled ?? false }
        guard !settled.isEmpty else {
            notice = Notice("Only finished, failed or cancelled rows can be removed; c cancels first", now: now)
            return []
        }
        promise = UndoPromise(settled.count, at: now)
        return announce("removed from list", settled, .remove(settled), now, more: "; b undoes it, files are kept")
    }

    /// Removes all finished transfers from the list.
    mutating func removeDone(board: QueueMirror, now: Moment) -> [ScreenAction] {
        var done: [TransferID] = []
        board.visit { row, _ in if ListTab.done.contains(row.phase) { done.append(row.id) } }
        guard !done.isEmpty else {
            notice = Notice("Nothing has finished yet", now: now)
            return []
        }
        notice = Notice(
            "\(done.count.counted("finished download")) removed from list; b undoes it, files are kept", now: now)
        promise = UndoPromise(done.count, at: now)
        return [.send(.remove(done))]
    }

    mutating func bringBack(board: QueueMirror, now: Moment) -> [ScreenAction] {
        let promised = promise.flatMap { $0.holds(at: now) ? $0.count : nil } ?? 0
        let count = board.totals.restorable > 0 ? board.totals.restorable : promised
        promise = nil
        notice = Notice(count > 0 ? "\(count.counted("download")) restored" : "Nothing to restore", now: now)
        return count > 0 ? [.send(.restore)] : []
    }

    /// Opens the prompt for the rate limit of the chosen transfers. A failed or cancelled transfer can have one too:
    /// it holds when the transfer is retried.
    mutating func askLimit(board: QueueMirror, now: Moment) -> [ScreenAction] {
        let chosen = chosen(board)
        guard !chosen.isEmpty else { return nothingSelected(board: board, now: now) }
        if chosen.contains(where: { board[$0].map { !ListTab.done.contains($0.phase) } ?? false }) {
            mode = .limit(Prompt(text: ownLimit(of: chosen, board)?.typed ?? "", isSelected: true))
        } else {
            notice = Notice("Nothing to limit: \(tags.isEmpty ? "it is" : "all tagged are") done", now: now)
        }
        return []
    }

    /// The rate limit that all chosen transfers have in common; `nil` if they differ. Also `nil` while the queue has
    /// a limit: then a row's limit is its share of that one.
    private func ownLimit(of chosen: [TransferID], _ board: QueueMirror) -> ByteRate? {
        let limits = Set(chosen.map { board[$0]?.limit })
        guard board.totals.rateLimit == nil, limits.count == 1, let limit = limits.first else { return nil }
        return limit
    }

    /// The tagged transfers in queue order, or the selected one if none is tagged.
    func chosen(_ board: QueueMirror) -> [TransferID] {
        tags.isEmpty ? selection.id.map { [$0] } ?? [] : tagged(board, .always)
    }

    mutating func press(_ key: Key, inLimit prompt: Prompt, board: QueueMirror, now: Moment) -> [ScreenAction] {
        var prompt = prompt
        switch prompt.press(key) {
        case .edited, .ignored: mode = .limit(prompt)
        case .closed: mode = .normal
        case .entered:
            let limit: ByteRate?
            do throws(InputError) {
                limit = try ByteRate.limit(typed: prompt.text)
            } catch {
                mode = .limit(prompt.refused(error))
                return []
            }
            mode = .normal
            let chosen = chosen(board)
            let whose = tags.isEmpty ? "" : " for each of \(chosen.count.counted("download"))\(hiddenWords(chosen))"
            notice = Notice((limit.map { "Limit \(NumberFormat.rate($0))" } ?? "Limit removed") + whose, now: now)
            return chosen.isEmpty ? [] : [.send(.setRateLimitEach(chosen, limit))]
        }
        return []
    }

    /// Moves the chosen transfers in the queue. Refused unless the table is in queue order and, for a move by one
    /// place, shows all rows: otherwise the user would not see the effect.
    mutating func move(_ intent: KeyAction, board: QueueMirror, now: Moment) -> [ScreenAction] {
        guard !list.order.isEmpty else { return nothingSelected(board: board, now: now) }
        guard list.sort.isQueueOrder else {
            notice = Notice("Sorted by \(list.sort.words); rows move in the queue's order only (< or >)", now: now)
            return []
        }
        let isByOne = intent == .moveEarlier || intent == .moveLater
        guard list.isWhole || !isByOne else {
            notice = Notice("Not all rows are shown; to move by one show all (1, Esc)", now: now)
            return []
        }
        let shift: QueueShift =
            switch intent {
            case .moveEarlier: .earlier
            case .moveLater: .later
            case .moveFirst: .first
            default: .last
            }
        if tags.isEmpty { return moveSelected(shift, board: board, now: now) }
        let chosen = tagged(board, .selectedCanMove)
        guard !chosen.isEmpty else {
            notice = Notice("Nothing to move: all tagged are done", now: now)
            return []
        }
        return announce("moved", chosen, .shift(chosen, shift), now)
    }

    /// Moves the selected transfer. A finished one does not wait for a slot, so it is not moved.
    private mutating func moveSelected(_ shift: QueueShift, board: QueueMirror, now: Moment) -> [ScreenAction] {
        guard let id = selection.id, let row = board[id] else { return nothingSelected(board: board, now: now) }
        guard KeyContext(selected: row, totals: board.totals).satisfies(.selectedCanMove) else {
            notice = Notice("Nothing to move: \(row.phase.inapplicableReason)", now: now)
            return []
        }
        let isForward = shift == .earlier || shift == .first
        guard id != (isForward ? board.order.first : board.order.last) else {
            notice = Notice("It is already the \(isForward ? "first" : "last") in the queue", now: now)
            return []
        }
        switch shift {
        case .earlier: return [.send(.move(id, by: -1))]
        case .later: return [.send(.move(id, by: 1))]
        case .first, .last: return [.send(.shift([id], shift))]
        }
    }

    /// The tagged transfers that satisfy `condition`, in queue order.
    private func tagged(_ board: QueueMirror, _ condition: KeyMap.Condition) -> [TransferID] {
        var chosen: [TransferID] = []
        // `QueueTotals` is a large value: one copy for all rows.
        var situation = KeyContext(selected: nil, totals: board.totals)
        board.visit { row, _ in
            guard tags.contains(row.id) else { return }
            situation.selected = row
            if situation.satisfies(condition) { chosen.append(row.id) }
        }
        return chosen
    }

    /// Reports a command on transfers in a notice and returns it as the action.
    ///
    /// - Parameters:
    ///   - past: the past participle of the command, such as `paused`.
    ///   - more: text appended to the notice.
    private mutating func announce(
        _ past: String, _ ids: [TransferID], _ command: Command, _ now: Moment, more: String = ""
    ) -> [ScreenAction] {
        let words = "\(ids.count.counted("download")) \(past)\(hiddenWords(ids))\(more)"
        notice = Notice(words, now: now)
        return [.send(command)]
    }

    /// ` (3 not shown)`; empty if the table shows all of `ids`.
    func hiddenWords(_ ids: [TransferID]) -> String {
        let hidden = ids.count { !list.contains($0) }
        return hidden > 0 ? " (\(hidden) not shown)" : ""
    }
}

extension ByteRate {
    /// A limit as typed after `x` or `:limit`; `nil` for none.
    static func limit(typed text: String) throws(InputError) -> ByteRate? {
        do throws(ValueFault) {
            return try limit(reading: text)
        } catch {
            throw InputError(error.message)
        }
    }
}
