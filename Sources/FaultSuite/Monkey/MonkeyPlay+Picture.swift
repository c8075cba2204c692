import Glibc

/// What the screen shows, held against what a redraw makes of it.
extension MonkeyPlay {
    /// Holds what is on the screen against what a redraw makes of it. Only of a screen that does not change by itself.
    func comparePicture() {
        guard plan.face == .dashboard else { return }
        // Out of whatever is open.
        for key in ["\u{1B}", "\u{1B}", "\u{1B}"] {
            press(Array(key.utf8))
            pump(milliseconds: 60)
        }
        heedStop()
        guard !isOver, isQuiet || pausesAll, !isOver, !process.isStopped, screen.modes.isTaken else { return }
        screen.knowsSize()
        let shown = screen.grid
        let count = screen.bytesTaken
        done.append("compare the picture")
        // With the size as it is, the whole screen is drawn anew.
        process.signal(SIGWINCH)
        guard pump(until: .now + .seconds(2), { screen.bytesTaken > count }), waitForQuiet(150, atMost: 600) else {
            return
        }
        let first = screen.grid
        guard !shown.differences(from: first).isEmpty else {
            result.picturesCompared += 1
            return
        }
        // It may have changed by itself after all.
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

    /// Longer than anything is shown for a while (4 s) or counts: none of that is quiet.
    var isQuiet: Bool { waitForQuiet(4300, atMost: 4400) }

    var pausesAll: Bool {
        press([UInt8(ascii: "P")])
        return waitForQuiet(4300, atMost: 7000)
    }
}
