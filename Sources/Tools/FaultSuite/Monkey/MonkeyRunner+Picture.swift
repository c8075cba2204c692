import Glibc
import TerminalEmulator

/// Compares the screen with a full redraw of it.
extension MonkeyRunner {
    /// Compares the screen with a full redraw of it, if it does not change by itself.
    func comparePicture() {
        guard plan.outputMode == .dashboard else { return }
        // Closes prompts and panels.
        for key in ["\u{1B}", "\u{1B}", "\u{1B}"] {
            press(Array(key.utf8))
            pump(milliseconds: 60)
        }
        checkStop()
        guard !isOver, isQuiet || pausesAll, !isOver, !process.isStopped, screen.modes.isTaken else { return }
        screen.knowsSize()
        let shown = screen.grid
        let count = screen.bytesTaken
        done.append("compare the picture")
        // At SIGWINCH with an unchanged size the program draws the whole screen anew.
        process.signal(SIGWINCH)
        guard pump(until: .now + .seconds(2), { screen.bytesTaken > count }), waitForQuiet(150, atMost: 600) else {
            return
        }
        let first = screen.grid
        guard !shown.differences(from: first).isEmpty else {
            result.picturesCompared += 1
            return
        }
        // The screen may have changed by itself after all: a difference counts only if a second redraw gives the same
        // screen.
        process.signal(SIGWINCH)
        pump(milliseconds: 150)
        guard waitForQuiet(1100, atMost: 1200), screen.grid == first else { return }
        result.picturesCompared += 1
        let places = shown.differences(from: first)
        let rows = Set(places.map(\.row)).sorted().prefix(4)
        let lines = rows.map { row in
            let columns = places.filter { $0.row == row }.map(\.column)
            func text(_ grid: CellGrid) -> String { columns.map { grid[$0, row].text }.joined() }
            let place = columns[0]
            return "row \(row): \(text(shown).debugDescription) is drawn anew as \(text(first).debugDescription);"
                + " the first \(shown[place, row].pen), then \(first[place, row].pen)"
        }
        fault("\(places.count) cells were not as drawn, from \(places[0]) on\n    " + lines.joined(separator: "\n    "))
    }

    /// Waits for 4.3 s without output: longer than a notice is shown (4 s), and than a counter keeps its value.
    var isQuiet: Bool { waitForQuiet(4300, atMost: 4400) }

    var pausesAll: Bool {
        press([UInt8(ascii: "P")])
        return waitForQuiet(4300, atMost: 7000)
    }
}
