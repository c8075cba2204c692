import WinchCore

/// The tabs with their counts, and what the table is narrowed to.
///
/// When room is short parts go in this order: what rows are sorted by, tabs from the last to the first but for the one that
/// is shown, the count of the tagged, the filter.
struct ListLine {
    let frame: Frame

    private var list: RowList { frame.state.list }
    private var theme: Theme { frame.theme }

    var whole: PartLine {
        PartLine(left: tabs, right: order + tagged(rank: 38) + filter(rank: 39), separator: frame.run(" ", theme.quiet))
    }

    /// For a line that has no tabs: only what is out of the ordinary.
    var selecting: [Part] {
        let view =
            list.view == .all
            ? [] : [Part([frame.run("[\(words(of: list.view))]", theme.key)], rank: 37, target: .view(.all))]
        return filter(rank: 39) + view + tagged(rank: 38)
    }

    private var tabs: [Part] {
        RowView.allCases.map { view in
            let isShown = view == list.view
            let words = "\(view.rawValue + 1) \(words(of: view))"
            let style = isShown ? theme.key : view == .failed && frame.totals.failed > 0 ? theme.failure : theme.quiet
            return Part(
                [frame.run(isShown ? "[\(words)]" : " \(words) ", style)], rank: isShown ? 30 : 25 - view.rawValue,
                target: .view(view))
        }
    }

    private func words(of view: RowView) -> String { "\(view.word) \(view.count(in: frame.totals))" }

    private func filter(rank: Int) -> [Part] {
        guard !list.filterText.isEmpty else { return [] }
        return [
            Part(
                [
                    frame.run("filter ", theme.quiet), frame.run(list.filterText, theme.question),
                    frame.run(" (\(list.order.count))", theme.quiet),
                ], rank: rank, least: 16, target: .key("/"))
        ]
    }

    private func tagged(rank: Int) -> [Part] {
        let count = frame.state.tags.count
        guard count > 0 else { return [] }
        return [Part([frame.run("\(frame.look.symbols.tag) \(count) tagged", theme.question)], rank: rank)]
    }

    /// What the headings cannot say: their column is not there, or there is none.
    private var order: [Part] {
        var parts: [Part] = []
        let sort = list.sort
        let columns = ColumnLayout.fitting(frame.state.columns)
        if !sort.isQueueOrder, !columns.fields.contains(where: { $0.column.sort == sort.column && $0.column != .mark })
        {
            let symbols = frame.look.symbols
            let mark = sort.isAscending ? symbols.ascending : symbols.descending
            parts.append(Part([frame.run("by \(sort.column.words) \(mark)", theme.quiet)], rank: 12))
        }
        if frame.state.selection.holdsLine { parts.append(Part([frame.run("line held", theme.quiet)], rank: 11)) }
        return parts
    }
}
