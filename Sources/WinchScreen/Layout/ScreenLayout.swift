struct ScreenLayout: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        /// Below 40x8: one line of totals, and rows without a heading where there are lines for them.
        case line
        /// Below 16 rows: counts in the first line, the bar with its words in the second.
        case compact
        /// Title, bar over the whole width, figures, tabs; one line each.
        case roomy
    }

    let form: Form
    /// Columns left free at both sides.
    let margin: Int
    let heading: Int
    /// Lines of the graph of the total rate; empty where there is no room.
    let graph: Range<Int>
    /// Lines of the machines of a fleet and their heading; empty where there is no room, and without a fleet.
    let machines: Range<Int>
    /// First line of a panel that covers the table, and the graph and the machines with it.
    var panelTop: Int { [graph, machines].first { !$0.isEmpty }?.lowerBound ?? heading }
    let table: Range<Int>
    /// The line for messages. Without a message it shows the selected row's state if the table cannot show all of it.
    /// `nil` below 24 rows: there a message covers a row of the table, and the state is shown in the footer.
    let message: Int?
    let footer: Int
    /// The line below the last one of a panel that covers the table.
    var panelEnd: Int { message ?? footer }

    /// - Parameter count: machines of a fleet; 0: there is none.
    init(columns: Int, rows: Int, machines count: Int = 0) {
        footer = max(0, rows - 1)
        margin = columns >= 60 ? 1 : 0
        guard columns >= 40, rows >= 8 else {
            (form, heading, table, graph, machines, message) = (.line, 0, 1..<max(1, footer), 0..<0, 0..<0, nil)
            return
        }
        form = rows < 16 ? .compact : .roomy
        // With 60 columns the graph shows at least most of a minute. Its last line is the time axis.
        let usual = columns < 60 || rows < 30 ? 0 : rows < 36 ? 4 : rows < 44 ? 5 : 7
        // The machines have a quarter of the screen at most, and come before the graph.
        let strip = count == 0 || rows < 20 ? 0 : min(count + 1, rows / 4)
        let height = strip > 0 && rows < 36 ? 0 : usual
        graph = 4..<4 + height
        machines = graph.upperBound..<graph.upperBound + strip
        heading = rows < 16 ? 2 : machines.upperBound + (height > 0 && rows >= 44 ? 1 : 0)
        // From 24 rows on a separate line costs little, and the footer's keys stay visible while a message is shown.
        message = rows < 24 ? nil : footer - 1
        table = heading + 1..<(message ?? footer)
    }
}
