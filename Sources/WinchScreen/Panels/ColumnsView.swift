/// The state of the panel in which the user chooses and orders the table's columns.
struct ColumnsView: Hashable, Sendable {
    /// All columns that can be chosen, in the order of the panel. At first the shown ones lead, in the table's order.
    private(set) var columns: [ColumnLayout.Column]
    private var shown: Set<ColumnLayout.Column>
    /// Index of the selected column in `columns`.
    private(set) var index = 0

    /// - Parameter shown: the table's columns from left to right; columns that cannot be chosen are dropped.
    init(shown: [ColumnLayout.Column]) {
        let shown = shown.filter(ColumnChoice.choosable.contains)
        self.shown = Set(shown)
        columns = shown + ColumnChoice.choosable.filter { !shown.contains($0) }
    }

    func isShown(_ column: ColumnLayout.Column) -> Bool { shown.contains(column) }

    var choice: ColumnChoice { ColumnChoice(columns.filter(shown.contains)) }

    mutating func move(to target: Int) { index = min(max(0, target), columns.count - 1) }

    /// Shows the selected column if it is hidden, hides it if it is shown.
    ///
    /// - Returns: `false` for the name, which always stays.
    mutating func toggle() -> Bool {
        guard columns[index] != .name else { return false }
        if shown.remove(columns[index]) == nil { shown.insert(columns[index]) }
        return true
    }

    /// Moves the selected column by one place; at the end of the list it stays.
    mutating func shift(by step: Int) {
        let target = index + step
        guard columns.indices.contains(target) else { return }
        columns.swapAt(index, target)
        index = target
    }
}
