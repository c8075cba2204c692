/// The list in which the table's columns are chosen and ordered.
struct ColumnsView: Hashable, Sendable {
    /// All that can be chosen, those that are shown in the table's order.
    private(set) var columns: [ColumnLayout.Column]
    private var shown: Set<ColumnLayout.Column>
    private(set) var index = 0

    /// - Parameter shown: from left to right; what is no choice is left out.
    init(shown: [ColumnLayout.Column]) {
        let shown = shown.filter(ColumnChoice.choosable.contains)
        self.shown = Set(shown)
        columns = shown + ColumnChoice.choosable.filter { !shown.contains($0) }
    }

    func isShown(_ column: ColumnLayout.Column) -> Bool { shown.contains(column) }

    var choice: ColumnChoice { ColumnChoice(columns.filter(shown.contains)) }

    mutating func move(to target: Int) { index = min(max(0, target), columns.count - 1) }

    /// Shows the marked column or hides it.
    ///
    /// - Returns: `false` for the name, which always stays.
    mutating func toggle() -> Bool {
        guard columns[index] != .name else { return false }
        if shown.remove(columns[index]) == nil { shown.insert(columns[index]) }
        return true
    }

    /// Moves the marked column by one place.
    mutating func shift(by step: Int) {
        let target = index + step
        guard columns.indices.contains(target) else { return }
        columns.swapAt(index, target)
        index = target
    }
}
