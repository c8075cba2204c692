import WinchModel

/// Commands on the tagged transfers, or on the selected one if none is tagged.
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
    mutating func actOnTagged(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch intent {
        case .pauseOrResume:
            let pausable = tagged(board, .selectedCanPause)
            if !pausable.isEmpty { return announce("paused", pausable, .pause(pausable), now) }
            let resumable = tagged(board, .selectedCanResume)
            if !resumable.isEmpty { return announce("resumed", resumable, .resume(resumable), now) }
            notice = Notice("Nothing to pause: none of the tagged is active or waiting", now: now)
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

    /// The tagged transfers in queue order, or the selected one if none is tagged.
    func chosen(_ board: QueueCopy) -> [TransferID] {
        tags.isEmpty ? selection.id.map { [$0] } ?? [] : tagged(board, .always)
    }

    /// The tagged transfers that satisfy `condition`, in queue order.
    func tagged(_ board: QueueCopy, _ condition: KeyMap.Condition) -> [TransferID] {
        var chosen: [TransferID] = []
        // `QueueTotals` is a large value: one copy for all rows.
        var situation = KeyApplicability(selected: nil, totals: board.totals)
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
    mutating func announce(
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
        do throws(InvalidValue) {
            return try limit(reading: text)
        } catch {
            throw InputError(error.message)
        }
    }
}
