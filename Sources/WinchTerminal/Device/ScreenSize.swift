import CTerminal

/// The size of the terminal in cells.
package struct ScreenSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    /// Clamps the size to 1...1000 columns and 1...500 rows: a larger one comes from a broken or hostile terminal,
    /// and cells cost memory.
    package init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), 1000)
        self.rows = min(max(rows, 1), 500)
    }

    /// The size of a terminal by the kernel; `nil` if the kernel does not know it.
    init?(of descriptor: Int32) {
        var (rows, columns): (Int32, Int32) = (0, 0)
        guard winch_terminal_size(descriptor, &rows, &columns) == 0, rows > 0, columns > 0 else { return nil }
        self.init(columns: Int(columns), rows: Int(rows))
    }

    /// Assumed for a terminal of unknown size.
    static let fallback = ScreenSize(columns: 80, rows: 24)
}
