import WinchModel

/// The tabs with their counts; at the right the sort order, the number of tagged transfers, the filter and the
/// queue's settings.
struct TabBar {
    let frame: Frame

    private var list: RowList { frame.state.list }
    private var theme: Theme { frame.theme }
    private var look: Appearance { frame.look }

    func draw(on canvas: inout Canvas, row: Int) {
        let (margin, columns) = (frame.state.layout.margin, frame.state.columns)
        let tabs = StyledLine(left: tabs, separator: frame.run("", theme.quiet))
        let right = StyledLine(right: order + tagged(rank: 38) + filter(rank: 39) + ways, separator: frame.separator)
        // The tabs get their width first, but tagged transfers and filter are always shown: keys depend on them.
        let wanted = right.fitting(max(columns - 2 * margin - tabs.columns - 2, 0)).columns
        let least = StyledLine(right: tagged(rank: 38) + filter(rank: 39), separator: frame.separator)
        let room = max(wanted <= columns - 2 * margin - tabs.columns - 2 ? wanted : 0, least.isEmpty ? 0 : least.needed)
        let shown = room == 0 ? StyledLine(separator: frame.separator) : right
        tabs.draw(on: &canvas, column: margin, row: row, width: columns - 2 * margin - room - (room > 0 ? 2 : 0))
        shown.draw(on: &canvas, column: columns - margin - room, row: row, width: room)
    }

    /// The parts for a layout without tabs: filter, view and number of tagged transfers, unless they have their
    /// default.
    var selecting: [Part] {
        let view =
            list.view == .all
            ? [] : [frame.part("[\(words(of: list.view))]", theme.key, rank: 37, target: .view(.all))]
        return filter(rank: 39) + view + tagged(rank: 38)
    }

    private var tabs: [Part] {
        ListTab.allCases.map { view in
            let runs = view == list.view ? chosen(view) : other(view)
            return Part(runs, rank: view == list.view ? 30 : 25 - view.rawValue, target: .view(view))
        }
    }

    /// The current tab: filled, with half a cell of its colour at both ends, so that it is recognizable without
    /// colour.
    private func chosen(_ view: ListTab) -> [Run] {
        let fill = theme.tab
        let edge = Style(foreground: fill.isReverse || fill.background == .standard ? fill.foreground : fill.background)
        let ends = look.symbols.tabEnds
        return [
            frame.run(String(ends.left), edge), frame.run("\(view.rawValue + 1) \(words(of: view))", fill),
            frame.run(String(ends.right), edge),
        ]
    }

    private func other(_ view: ListTab) -> [Run] {
        let count = count(of: view)
        let style = view == .failed && frame.totals.failed > 0 ? theme.failure : count > 0 ? theme.text : theme.quiet
        return [frame.run(" \(view.rawValue + 1) ", theme.quiet), frame.run("\(words(of: view)) ", style)]
    }

    private func words(of view: ListTab) -> String { "\(view.word) \(count(of: view))" }

    private func count(of view: ListTab) -> Int { view.count(in: frame.totals, isGrouped: list.tree != nil) }

    private func filter(rank: Int) -> [Part] {
        guard !list.filterText.isEmpty else { return [] }
        return [
            Part(
                [
                    frame.run("filter ", theme.quiet), frame.run(list.filterText, theme.question),
                    frame.run(" (\(list.count))", theme.quiet),
                ], rank: rank, least: 16, target: .key("/"))
        ]
    }

    private func tagged(rank: Int) -> [Part] {
        let count = frame.state.tagCount
        guard count > 0 else { return [] }
        return [frame.part("\(look.symbols.tagBar) \(count) tagged", theme.tagged, rank: rank)]
    }

    /// The queue's settings that a key can change.
    private var ways: [Part] {
        let counting = frame.totals.mode == .accurate ? "counting bytes" : "counting files"
        return [
            frame.part("\(frame.totals.slots.counted("file")) at a time", theme.quiet, rank: 10),
            frame.part(counting, theme.quiet, rank: 13, target: .key("m")),
        ]
    }

    /// What the headings cannot show: the sort order if its column is not in the table, and that the cursor line is
    /// fixed.
    private var order: [Part] {
        var parts: [Part] = []
        let sort = list.sort
        let columns = frame.state.columnLayout
        if !sort.isQueueOrder,
            !columns.fields.contains(where: { $0.column.traits.sort == sort.column && $0.column != .mark })
        {
            let symbols = look.symbols
            let mark = sort.isAscending ? symbols.ascending : symbols.descending
            parts.append(frame.part("by \(sort.column.words) \(mark)", theme.quiet, rank: 15))
        }
        if frame.state.selection.holdsLine { parts.append(frame.part("line fixed", theme.quiet, rank: 14)) }
        return parts
    }
}
