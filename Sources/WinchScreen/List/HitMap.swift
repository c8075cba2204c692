import WinchModel

/// The click target of every cell. Widgets record their targets while they draw, so that picture and targets cannot
/// differ.
struct HitMap: Sendable {
    enum Target: Hashable, Sendable {
        case row(TransferID)
        /// A heading of the table.
        case column(RowSort.Column)
        case view(ListTab)
        /// As if the key were pressed.
        case key(Key)
    }

    private struct Area: Sendable {
        let columns: Range<Int>
        let rows: Range<Int>
        let target: Target?
    }

    private var areas: [Area] = []

    /// Records the target of an area; it replaces targets that were recorded earlier.
    ///
    /// - Parameter target: `nil`: the area cannot be clicked, because something without a target covers it.
    mutating func mark(_ target: Target?, columns: Range<Int>, rows: Range<Int>) {
        guard !columns.isEmpty, !rows.isEmpty else { return }
        areas.append(Area(columns: columns, rows: rows, target: target))
    }

    /// The target that was recorded last for this cell.
    func target(column: Int, row: Int) -> Target? {
        areas.last { $0.columns.contains(column) && $0.rows.contains(row) }?.target
    }
}
