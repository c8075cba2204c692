import WinchModel

/// The rate limit of single transfers, which is typed after `x`.
extension Dashboard {
    /// Opens the prompt for the rate limit of the chosen transfers. A failed or cancelled transfer can have one too:
    /// it holds when the transfer is retried.
    mutating func askLimit(board: QueueCopy, now: Moment) -> [ScreenAction] {
        let chosen = chosen(board)
        guard !chosen.isEmpty else { return nothingSelected(board: board, now: now) }
        if chosen.contains(where: { board[$0].map { !ListTab.done.contains($0.phase) } ?? false }) {
            // Under a total limit a row's limit is its share of that one: only the details have its own.
            if tags.isEmpty, board[chosen[0]].map({ board.totals.limits($0.direction) }) ?? false {
                return ask(for: .limit, board: board, now: now)
            }
            mode = .limit(Prompt(text: ownLimit(of: chosen, board)?.typed ?? "", isSelected: true))
        } else {
            notice = Notice("Nothing to limit: \(tags.isEmpty ? "it is" : "all tagged are") done", now: now)
        }
        return []
    }

    /// The rate limit that all chosen transfers have in common; `nil` if they differ. Also `nil` while the queue has
    /// a limit: then a row's limit is its share of that one.
    private func ownLimit(of chosen: [TransferID], _ board: QueueCopy) -> ByteRate? {
        let limits = Set(chosen.map { board[$0]?.limit })
        guard board.totals.rateLimit == nil, limits.count == 1, let limit = limits.first else { return nil }
        return limit
    }

    mutating func press(_ key: Key, inLimit prompt: Prompt, board: QueueCopy, now: Moment) -> [ScreenAction] {
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
            let stays = board.totals.rateLimit.map { "; the total limit of \(NumberFormat.rate($0)) stays" } ?? ""
            let words = limit.map { "Limit \(NumberFormat.rate($0))" + whose } ?? "Limit removed" + whose + stays
            notice = Notice(words, now: now)
            return chosen.isEmpty ? [] : [.send(.setRateLimitEach(chosen, limit))]
        }
        return []
    }
}
