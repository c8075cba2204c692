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
    /// The line of messages; while there is none, what the table has no room to say of the selected row. `nil` below 24
    /// rows: a message covers a row of the table, and the footer says the rest.
    let message: Int?
    let footer: Int
    /// The line below the last one of a panel that covers the table.
    var panelEnd: Int { message ?? footer }

    init(columns: Int, rows: Int) {
        footer = max(0, rows - 1)
        margin = columns >= 60 ? 1 : 0
        guard columns >= 40, rows >= 8 else {
            (form, heading, table, graph, message) = (.line, 0, 0..<0, 0..<0, nil)
            return
        }
        form = rows < 16 ? .compact : .roomy
        // Sixty columns leave the graph most of a minute at least. Its last line is the time axis.
        let height = columns < 60 || rows < 30 ? 0 : rows < 36 ? 4 : rows < 44 ? 5 : 7
        graph = 4..<4 + height
        heading = rows < 16 ? 2 : height > 0 ? graph.upperBound + (rows < 44 ? 0 : 1) : 4
        // From 24 rows on a line of its own costs little, and the keys in the footer stay in view beside a message.
        message = rows < 24 ? nil : footer - 1
        table = heading + 1..<(message ?? footer)
    }
}
