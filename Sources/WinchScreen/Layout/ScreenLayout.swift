/// Which line of the screen shows what.
struct ScreenLayout: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        /// Below 40x8: one honest line.
        case line
        /// Below 16 rows: counts in the first line, the bar with its words in the second.
        case compact
        /// Title, bar over the whole width, counts; then air.
        case roomy
    }

    let form: Form
    /// Columns left free at both sides.
    let margin: Int
    let heading: Int
    /// Lines of the graph of the total rate; empty where there is no room.
    let graph: Range<Int>
    /// First line of a panel that covers the table, and the graph with it.
    var panelTop: Int { graph.isEmpty ? heading : graph.lowerBound }
    /// Lines of the table.
    let table: Range<Int>
    /// What the table has no room to say of the selected row; `nil`: the footer says it.
    let remark: Int?
    let footer: Int
    /// The line below the last one of a panel that covers the table.
    var panelEnd: Int { remark ?? footer }

    init(columns: Int, rows: Int) {
        footer = max(0, rows - 1)
        margin = columns >= 60 ? 1 : 0
        guard columns >= 40, rows >= 8 else {
            (form, heading, table, graph, remark) = (.line, 0, 0..<0, 0..<0, nil)
            return
        }
        form = rows < 16 ? .compact : .roomy
        // Sixty columns leave the graph a minute at least.
        let height = columns < 60 || rows < 30 ? 0 : rows < 44 ? 4 : 6
        graph = 4..<4 + height
        heading = rows < 16 ? 2 : height > 0 ? graph.upperBound + (rows < 44 ? 0 : 1) : 4
        // From 30 rows on a line above the footer, most often of air, costs nothing that one misses.
        remark = rows < 30 ? nil : footer - 1
        table = heading + 1..<(remark ?? footer)
    }
}
