/// Cells of a terminal's window.
package struct WindowSize: Equatable, Sendable, CustomStringConvertible {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    package var description: String { "\(columns)x\(rows)" }

    /// The smallest size that contains both.
    func union(_ other: WindowSize) -> WindowSize {
        WindowSize(columns: max(columns, other.columns), rows: max(rows, other.rows))
    }
}
