import WinchModel

extension Dashboard {
    /// Carries out an intent that came from a key in normal mode or from the command line.
    mutating func act(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        let height = layout.table.count
        if layout.form == .line, intent.needsRows {
            // A small window has no room for panels and questions, and may show no rows: intents that need them are refused.
            return refuse("The window is too small for that", now)
        }
        if fleet != nil, let reason = intent.reasonAgainFleet { return refuse(reason, now) }
        if intent == .retry, lostConnection != nil { return [.reconnect] }
        if intent == .retry || intent == .retryFailed { asks.forget() }
        switch intent {
        case .up, .down, .pageUp, .pageDown, .first, .last:
            let page = max(1, height - 1)
            guard let place = intent.destination(from: selection.index, page: page, last: list.order.count - 1) else {
                break
            }
            selection.move(to: place, in: list.order, height: height)
        case .pauseOrResume, .cancel, .retry:
            if actsOnSeveral { return actOnSeveral(intent, board: board, now: now) }
            return actOnRow(intent, board: board, now: now)
        case .moveEarlier, .moveLater, .moveFirst, .moveLast: return move(intent, board: board, now: now)
        case .tag, .untag, .untagAll, .tagAll: tag(intent, board: board, now: now)
        case .remove: return remove(board: board, now: now)
        case .removeDone: return removeDone(board: board, now: now)
        case .bringBack: return bringBack(board: board, now: now)
        case .limitRow: return askLimit(board: board, now: now)
        case .moreConnections, .fewerConnections: return changeConnections(intent, board: board, now: now)
        case .groupByFolder, .unfold, .fold: return actOnFolders(intent, board: board, now: now)
        case .filter, .sortNext, .sortPrevious, .invertSort, .holdLine, .nextView, .previousView, .viewAll, .viewActive,
            .viewWaiting, .viewFailed, .viewDone, .toggleMouse:
            return actOnList(intent, board: board, now: now)
        case .pauseOrResumeAll, .retryFailed: return actOnAll(intent, board: board, now: now)
        case .toggleMode: return [.send(.setMode(board.totals.mode.toggled))]
        case .moreSlots, .fewerSlots: return [.send(.setSlots(nextSlots(intent, board: board, now: now)))]
        case .slower, .faster: return [.send(.setRateLimit(nextRateLimit(intent, board: board, now: now)))]
        case .add: mode = .prompt(Prompt())
        case .help: mode = .help(top: 0)
        case .machines:
            guard fleet != nil else {
                notice = Notice("All transfers are on this machine", now: now)
                break
            }
            mode = .machines(top: 0)
        case .quit: return quit(board: board)
        case .interrupt: return interrupt(board: board)
        case .background, .stopSession: return actOnSession(intent, board: board, now: now)
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        case .back:
            // Esc closes one thing at a time.
            if isDetailsOpen {
                isDetailsOpen = false
            } else if list.filterText.isEmpty {
                selection.isFollowing = true
            } else {
                filter(by: "", board: board, now: now)
            }
        case .nextTheme:
            let place = themes.firstIndex { $0.name == look.theme.name } ?? -1
            if !themes.isEmpty { use(themes[(place + 1) % themes.count], now: now) }
        case .saveSettings: return [.save(settingsToSave(board: board, now: now))]
        case .log: mode = .log(LogPanelView())
        case .settings: mode = .settings(SettingsView())
        case .command: mode = .command(CommandPrompt())
        case .columns: openColumns()
        case .details, .scrollDetailsDown, .scrollDetailsUp, .openFolder, .copyURL, .editURL:
            return actWithDetails(intent, board: board, now: now)
        }
        return []
    }

    private mutating func actOnRow(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        guard let id = selection.id, let row = board[id] else { return nothingSelected(board: board, now: now) }
        let situation = KeyApplicability(selected: row, totals: board.totals)
        switch intent {
        case .pauseOrResume where situation.satisfies(.selectedCanPause): return [.send(.pause([id]))]
        case .pauseOrResume where situation.satisfies(.selectedCanResume): return [.send(.resume([id]))]
        case .pauseOrResume: notice = Notice("Nothing to pause: \(row.phase.inapplicableReason)", now: now)
        case .cancel where situation.satisfies(.selectedCanCancel): mode = .question(.cancel([id]))
        case .cancel: notice = Notice("Nothing to cancel: \(row.phase.inapplicableReason)", now: now)
        case .retry where situation.satisfies(.selectedCanRetry):
            notice = Notice(retried(1), now: now)
            return [.send(.retry([id]))]
        case .retry: notice = Notice("Nothing to retry: \(row.phase.inapplicableReason)", now: now)
        default: break
        }
        return []
    }

    private mutating func actOnAll(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        let situation = KeyApplicability(selected: nil, totals: board.totals)
        switch intent {
        case .pauseOrResumeAll where situation.satisfies(.allPaused): return [.send(.resumeAll)]
        case .pauseOrResumeAll where situation.satisfies(.anyUnsettled): return [.send(.pauseAll)]
        case .pauseOrResumeAll where !board.totals.hasTransfers: return nothingSelected(board: board, now: now)
        case .pauseOrResumeAll: notice = Notice("Nothing to pause: everything has finished", now: now)
        case .retryFailed where situation.satisfies(.anyFailed):
            notice = Notice(retried(board.totals.failed), now: now)
            return [.send(.retryFailed)]
        case .retryFailed: notice = Notice("Nothing to retry: nothing has failed", now: now)
        default: break
        }
        return []
    }

    private mutating func nextSlots(_ intent: KeyAction, board: QueueCopy, now: Moment) -> Int {
        let current = slots.or(board.totals.slots, at: now)
        let next = min(max(current + (intent == .moreSlots ? 1 : -1), 1), Command.mostSlots)
        slots.ask(next, at: now)
        notice = Notice("\(next.counted("file")) at a time", now: now)
        return next
    }

    private mutating func nextRateLimit(_ intent: KeyAction, board: QueueCopy, now: Moment) -> ByteRate? {
        let current = rateLimit.or(board.totals.rateLimit, at: now)
        // Without a limit the first step is below the current rate: a limit above it would have no effect.
        let next = intent == .slower ? RateLadder.below(current ?? board.totals.rate) : RateLadder.above(current)
        rateLimit.ask(next, at: now)
        let words = current == nil && next == nil ? "There is no total limit" : Self.totalLimitWords(next)
        notice = Notice(words, now: now)
        return next
    }

    static func totalLimitWords(_ limit: ByteRate?) -> String {
        limit.map { "Total limit \(NumberFormat.rate($0))" } ?? "Total limit removed"
    }

    /// `3 retried`; in a view that does not show retried transfers, also how to show them.
    func retried(_ count: Int) -> String {
        let isLeaving = list.view == .failed || list.view == .done
        return "\(count) retried" + (isLeaving ? "; press 1 to show all" : "")
    }
}

extension KeyAction {
    /// The intent acts on rows that the user should see, or opens a panel: a small window refuses it.
    fileprivate var needsRows: Bool {
        switch self {
        case .up, .down, .first, .last, .pageUp, .pageDown, .pauseOrResumeAll, .retryFailed, .add, .toggleMode,
            .moreSlots, .fewerSlots, .slower, .faster, .untagAll, .removeDone, .bringBack, .toggleMouse, .quit,
            .background, .stopSession, .interrupt, .suspend, .redraw, .back, .nextTheme, .command, .saveSettings:
            false
        default: true
        }
    }

    /// After this intent the cursor stays where the user put it; it no longer follows the active rows.
    var takesTheMark: Bool {
        switch self {
        case .back, .sortNext, .sortPrevious, .invertSort, .nextView, .previousView, .viewAll, .viewActive,
            .viewWaiting, .viewFailed, .viewDone, .filter, .toggleMouse, .untagAll, .tagAll, .removeDone, .bringBack,
            .redraw, .groupByFolder, .unfold, .fold, .saveSettings:
            false
        default: true
        }
    }
}

extension Dashboard {
    mutating func changeConnections(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        let chosen = chosen(board)
        guard !chosen.isEmpty else { return nothingSelected(board: board, now: now) }
        let isMore = intent == .moreConnections
        if !actsOnSeveral, let id = chosen.first, let row = board[id] {
            if let reason = row.connectionsAreFixed { return refuse("No other number of connections: \(reason)", now) }
            if isMore, row.has(SplitLimit.most) {
                return refuse("More than \(SplitLimit.most) connections are not possible", now)
            }
            let words = isMore ? "One more connection" : row.has(1) ? "One connection only" : "One fewer connection"
            let isHostFull = isMore && row.phase == .moving && board.totals.fullHosts.contains(row.host)
            let holder = isHostFull ? board.holder(of: row.host, besides: id) : nil
            let place =
                holder.map { "; host is full: \($0.name) has \($0.connections) of \($0.all) connections" }
                ?? (isHostFull ? " when \(row.host) has a free one" : "")
            notice = Notice("\(words) for \(row.name)\(place)", now: now)
            return [.send(.changeConnections([id], by: isMore ? 1 : -1))]
        }
        let able = chosen.filter { board[$0]?.connectionsAreFixed == nil }
        guard !able.isEmpty else {
            return refuse("No other number of connections: not possible for any \(severalWords)", now)
        }
        let changing = able.filter { board[$0].map { !$0.has(isMore ? SplitLimit.most : 1) } ?? false }
        if isMore, changing.isEmpty { return refuse("More than \(SplitLimit.most) connections are not possible", now) }
        let step = isMore ? "One more connection" : changing.isEmpty ? "One connection only" : "One fewer connection"
        let counted = changing.isEmpty ? able : changing
        notice = Notice("\(step) for \(board.eachWords(for: counted))\(hiddenWords(counted))", now: now)
        return [.send(.changeConnections(able, by: isMore ? 1 : -1))]
    }
}

extension TransferSnapshot {
    /// Why the number of connections cannot be changed; `nil`: it can.
    fileprivate var connectionsAreFixed: String? {
        if direction == .up { return "an upload has one" }
        if isListing { return "a folder is listed over one" }
        switch phase {
        case .verifying, .finished, .replying: return phase.inapplicableReason
        case .waiting, .connecting, .requested, .moving, .paused, .backoff, .failed, .cancelled: break
        }
        guard let split, split.isFixed else { return nil }
        return split.reason ?? "the server cannot serve parts"
    }

    /// It moves over so many connections.
    fileprivate func has(_ count: Int) -> Bool { phase == .moving && split?.connections ?? 1 == count }
}

extension Dashboard {
    /// Moves the chosen transfers in the queue. Refused unless the table is in queue order and, for a move by one
    /// place, shows all rows: otherwise the user would not see the effect.
    mutating func move(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        guard !list.order.isEmpty else { return nothingSelected(board: board, now: now) }
        guard list.sort.isQueueOrder else {
            return refuse("Sorted by \(list.sort.words); rows move in the queue's order only (< or >)", now)
        }
        let isByOne = intent == .moveEarlier || intent == .moveLater
        guard list.isWhole || !isByOne else {
            return refuse("Not all rows are shown; to move by one show all (1, Esc)", now)
        }
        let shift: QueueShift =
            switch intent {
            case .moveEarlier: .earlier
            case .moveLater: .later
            case .moveFirst: .first
            default: .last
            }
        guard actsOnSeveral else { return moveSelected(shift, board: board, now: now) }
        let chosen = chosen(board, .selectedCanMove)
        guard !chosen.isEmpty else { return refuse("Nothing to move: all \(allWords) are done", now) }
        // Those that are there already stay in their places.
        let (isForward, set) = (shift == .earlier || shift == .first, TransferSet(chosen))
        let still =
            isForward
            ? TransferSet(board.order.prefix { set.contains($0) })
            : TransferSet(board.order.reversed().prefix { set.contains($0) })
        let moving = chosen.filter { !still.contains($0) }
        guard !moving.isEmpty else {
            return refuse("They are already the \(isForward ? "first" : "last") in the queue", now)
        }
        return announce("moved", moving, .shift(chosen, shift), board, now)
    }

    /// Moves the selected transfer. A finished one does not wait for a slot, so it is not moved.
    private mutating func moveSelected(_ shift: QueueShift, board: QueueCopy, now: Moment) -> [ScreenAction] {
        guard let id = selection.id, let row = board[id] else { return nothingSelected(board: board, now: now) }
        guard KeyApplicability(selected: row, totals: board.totals).satisfies(.selectedCanMove) else {
            return refuse("Nothing to move: \(row.phase.inapplicableReason)", now)
        }
        let isForward = shift == .earlier || shift == .first
        guard id != (isForward ? board.order.first : board.order.last) else {
            return refuse("It is already the \(isForward ? "first" : "last") in the queue", now)
        }
        switch shift {
        case .earlier: return [.send(.move(id, by: -1))]
        case .later: return [.send(.move(id, by: 1))]
        case .first, .last: return [.send(.shift([id], shift))]
        }
    }
}

extension Dashboard {
    /// Opens the prompt for the rate limit of the chosen transfers. A failed or cancelled transfer can have one too:
    /// it holds when the transfer is retried.
    mutating func askLimit(board: QueueCopy, now: Moment) -> [ScreenAction] {
        let all = chosen(board)
        guard !all.isEmpty else { return nothingSelected(board: board, now: now) }
        let able = all.filter { isLimitable($0, board) }
        if let first = able.first {
            // Under a total limit a row's limit is its share of that one: only the details have its own.
            if !actsOnSeveral, board[first].map({ board.totals.limits($0.direction) }) ?? false {
                return ask(for: .limit, board: board, now: now)
            }
            mode = .limit(able, Prompt(text: ownLimit(of: able, board)?.typed ?? "", isSelected: true))
        } else {
            notice = Notice("Nothing to limit: \(actsOnSeveral ? "all \(allWords) are" : "it is") done", now: now)
        }
        return []
    }

    /// It is still in the list and can move again.
    func isLimitable(_ id: TransferID, _ board: QueueCopy) -> Bool {
        board.row(id).map { !ListTab.done.contains($0.phase) } ?? false
    }

    /// The rate limit that all chosen transfers have in common; `nil` if they differ. Also `nil` while the queue has
    /// a limit: then a row's limit is its share of that one. Thousands are not compared.
    private func ownLimit(of chosen: [TransferID], _ board: QueueCopy) -> ByteRate? {
        guard board.totals.rateLimit == nil, chosen.count <= 1000 else { return nil }
        let limits = Set(chosen.map { board[$0]?.limit })
        guard limits.count == 1, let limit = limits.first else { return nil }
        return limit
    }

    /// Limits those of the transfers that can still move to what was typed.
    mutating func setLimit(
        of ids: [TransferID], to text: String, board: QueueCopy, now: Moment
    ) throws(InvalidValue) -> [ScreenAction] {
        let limit = try ByteRate.limit(typed: text)
        let chosen = ids.filter { isLimitable($0, board) }
        let whose =
            (ids.count == 1 ? "" : " for " + board.eachWords(for: chosen)) + hiddenWords(board.counted(chosen))
        let stays = board.totals.rateLimit.map { "; the total limit of \(NumberFormat.rate($0)) stays" } ?? ""
        let words = limit.map { "Limit \(NumberFormat.rate($0))" + whose } ?? "No own limit" + whose + stays
        notice = Notice(words, now: now)
        return chosen.isEmpty ? [] : [.send(.setRateLimitEach(chosen, limit))]
    }
}
