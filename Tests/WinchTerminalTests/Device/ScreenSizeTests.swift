import Glibc
import TestSupport
import Testing
import WinchScreen

@testable import TerminalEmulator
@testable import WinchTerminal

@Suite struct `A screen size` {
    @Test(arguments: [(-1, 0, 1, 1), (80, 24, 80, 24), (.max, .max, 1000, 500)])
    func `is limited to a reasonable number of cells`(columns: Int, rows: Int, wide: Int, high: Int) {
        let size = ScreenSize(columns: columns, rows: rows)
        expect((size.columns, size.rows) == (wide, high))
    }
}
