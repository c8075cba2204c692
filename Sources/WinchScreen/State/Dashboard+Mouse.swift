import WinchCore

extension Dashboard {
    /// The last click on a row, for telling two clicks from a double one.
    struct Click: Hashable, Sendable {
        var id: TransferID
        var at: Moment
    }

    mutating func point(_ mouse: Mouse, board: Board, now: Moment) -> [ScreenAction] {
        switch mouse {
        case .wheelUp: return turnWheel(by: -Self.wheelLines, board: board, now: now)
        case .wheelDown: return turnWheel(by: Self.wheelLines, board: board, now: now)
        case .click(let column, let row):
            // What is drawn says what is there.
            guard let target = draw(board: board, at: now).hits.target(column: column, row: row) else { return [] }
            return click(target, board: board, now: now)
        }
    }

    private mutating func click(_ target: HitMap.Target, board: Board, now: Moment) -> [ScreenAction] {
        // Only a key can be meant while a question or a page is open.
        if case .key(let key) = target { return press(key, board: board, now: now) }
        guard mode == .normal else { return [] }
        notice = nil
        switch target {
        case .row(let id):
            selection.isFollowing = false
            selection.take(id, in: list.order, height: layout.table.count)
            let isSecond = lastClick.map { $0.id == id && now - $0.at < Self.doubleClick } ?? false
            lastClick = isSecond ? nil : Click(id: id, at: now)
            // As the key that looks closer; nothing while there is none.
            return isSecond ? press(.enter, board: board, now: now) : []
        case .column(let column): sort(list.sort.chosen(column), board: board, now: now)
        case .view(let view): show(view, board: board, now: now)
        case .key: break
        }
        return []
    }

    private mutating func turnWheel(by lines: Int, board: Board, now: Moment) -> [ScreenAction] {
        switch mode {
        case .normal, .filter:
            selection.isFollowing = false
            selection.scroll(by: lines, in: list.order, height: layout.table.count)
        case .prompt, .limit, .command, .editing, .question, .secret, .leaving: break
        default:
            var actions: [ScreenAction] = []
            for _ in 0..<abs(lines) { actions += press(lines < 0 ? .up : .down, board: board, now: now) }
            return actions
        }
        return []
    }

    /// As in most programs: a flick moves, and does not lose the place.
    private static let wheelLines = 3
    /// As in most desktops.
    private static let doubleClick = Duration.milliseconds(400)
}
