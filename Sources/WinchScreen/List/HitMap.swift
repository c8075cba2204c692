import WinchCore

/// What a click would reach, told by the widgets as they draw: the picture and the places in it cannot differ.
struct HitMap: Sendable {
    enum Target: Hashable, Sendable {
        case row(TransferID)
        /// A heading of the table.
        case column(RowSort.Column)
        case view(RowView)
        /// As if the key were pressed.
        case key(Key)
    }

    private struct Area: Sendable {
        let columns: Range<Int>
        let rows: Range<Int>
        let target: Target?
    }

    private var areas: [Area] = []

    /// - Parameter target: `nil`: nothing is to be reached there any more, since something lies above it.
    mutating func mark(_ target: Target?, columns: Range<Int>, rows: Range<Int>) {
        guard !columns.isEmpty, !rows.isEmpty else { return }
        areas.append(Area(columns: columns, rows: rows, target: target))
    }

    /// What was drawn last at this cell.
    func target(column: Int, row: Int) -> Target? {
        areas.last { $0.columns.contains(column) && $0.rows.contains(row) }?.target
    }
}
