import CTerminal

/// How many cells the terminal has.
public struct ScreenSize: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    /// Held inside 1...1000 by 1...500: beyond it is a broken or hostile terminal, and cells cost memory.
    public init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), 1000)
        self.rows = min(max(rows, 1), 500)
    }

    /// What the kernel says of the terminal; `nil` when it does not know.
    init?(of descriptor: Int32) {
        var (rows, columns): (Int32, Int32) = (0, 0)
        guard winch_terminal_size(descriptor, &rows, &columns) == 0, rows > 0, columns > 0 else { return nil }
        self.init(columns: Int(columns), rows: Int(rows))
    }

    /// Of a terminal that never said.
    static let usual = ScreenSize(columns: 80, rows: 24)
}
