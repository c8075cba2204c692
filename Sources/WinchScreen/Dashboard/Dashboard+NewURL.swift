import WinchModel

/// Typing a new URL for a transfer.
extension Dashboard {
    /// The selected transfer if its URL can be changed; else `nil`, and a notice says why.
    mutating func readdressable(board: QueueCopy, now: Moment) -> TransferID? {
        guard let id = selection.id, let row = board[id] else {
            _ = nothingSelected(board: board, now: now)
            return nil
        }
        guard KeyApplicability(selected: row, totals: board.totals).satisfies(.selectedCanChangeURL) else {
            let reason = row.direction == .up ? "it is an upload" : row.phase.inapplicableReason
            notice = Notice("Its URL cannot be changed: \(reason)", now: now)
            return nil
        }
        return id
    }

    mutating func press(_ key: Key, editing id: TransferID, _ prompt: Prompt, now: Moment) -> [ScreenAction] {
        var prompt = prompt
        switch prompt.press(key) {
        case .edited, .ignored: mode = .editing(id, prompt)
        case .closed: mode = .normal
        case .entered:
            do throws(InputError) {
                let actions = try setURL(of: id, to: prompt.text, now: now)
                mode = .normal
                return actions
            } catch {
                mode = .editing(id, prompt.refused(error))
            }
        }
        return []
    }
}
