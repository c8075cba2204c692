/// Cells of a terminal's window.
struct WindowSize: Equatable, Sendable, CustomStringConvertible {
    var columns: Int
    var rows: Int

    var description: String { "\(columns)x\(rows)" }

    /// The smallest size that contains both.
    func union(_ other: WindowSize) -> WindowSize {
        WindowSize(columns: max(columns, other.columns), rows: max(rows, other.rows))
    }
}
