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
    /// Lines of the table.
    let table: Range<Int>
    let footer: Int

    init(columns: Int, rows: Int) {
        footer = max(0, rows - 1)
        margin = columns >= 60 ? 1 : 0
        guard columns >= 40, rows >= 8 else {
            (form, heading, table) = (.line, 0, 0..<0)
            return
        }
        form = rows < 16 ? .compact : .roomy
        heading = rows < 16 ? 2 : 4
        // From 30 rows on a line of air above the footer costs nothing that one misses.
        table = heading + 1..<rows - (rows < 30 ? 1 : 2)
    }
}
