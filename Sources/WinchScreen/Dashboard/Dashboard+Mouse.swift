import WinchModel

extension Dashboard {
    /// The last click on a row, to recognize a double click.
    struct Click: Hashable, Sendable {
        var id: TransferID
        var at: Moment
    }

    mutating func point(_ mouse: Mouse, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch mouse {
        case .wheelUp: return scrollByWheel(by: -Self.wheelLines, board: board, now: now)
        case .wheelDown: return scrollByWheel(by: Self.wheelLines, board: board, now: now)
        case .click(let column, let row):
            // The click targets are recorded while a frame is drawn.
            guard let target = draw(board: board, at: now).hits.target(column: column, row: row) else { return [] }
            return click(target, board: board, now: now)
        }
    }

    private mutating func click(_ target: HitMap.Target, board: QueueCopy, now: Moment) -> [ScreenAction] {
        // While a dialog, a prompt or a panel is open, only the keys that it shows can be clicked.
        if case .key(let key) = target { return press(key, board: board, now: now) }
        guard mode == .normal else { return [] }
        notice = nil
        switch target {
        case .row(let id):
            selection.isFollowing = false
            selection.take(id, in: list.order, height: layout.table.count)
            let isSecond = lastClick.map { $0.id == id && now - $0.at < Self.doubleClick } ?? false
            lastClick = isSecond ? nil : Click(id: id, at: now)
            // A double click acts as Enter, which opens the details unless the user has bound it to something else.
            return isSecond ? press(.enter, board: board, now: now) : []
        case .column(let column): sort(list.sort.chosen(column), board: board, now: now)
        case .view(let view): show(view, board: board, now: now)
        case .key: break
        }
        return []
    }

    private mutating func scrollByWheel(by lines: Int, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch mode {
        case .normal, .filter:
            selection.isFollowing = false
            selection.scroll(by: lines, in: list.order, height: layout.table.count)
        case .prompt, .limit, .command, .editing, .question, .secret, .quitting: break
        default:
            var actions: [ScreenAction] = []
            for _ in 0..<abs(lines) { actions += press(lines < 0 ? .up : .down, board: board, now: now) }
            return actions
        }
        return []
    }

    /// 3 lines, as in most programs: the view moves visibly and still keeps some of the rows.
    private static let wheelLines = 3
    /// The longest time between the two clicks of a double click, as on most desktops.
    private static let doubleClick = Duration.milliseconds(400)
}
