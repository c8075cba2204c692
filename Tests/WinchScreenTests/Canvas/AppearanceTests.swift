import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The appearance` {
    private func style(of words: String, look: Appearance = Appearance()) -> Style? {
        var sitting = Sitting(Scenes.busy, columns: 120, lines: 29, look: look)
        sitting.wait(0.6)
        sitting.handle(.tick)
        let canvas = sitting.canvas
        return (0..<canvas.rows).lazy.compactMap { canvas.style(of: words, inRow: $0) }.first
    }

    @Test func `shows states in palette colours`() {
        #expect(style(of: "404 not found") == Style(foreground: .ansi(1), isBold: true))
        #expect(style(of: "stalled 12 s")?.foreground == .ansi(3))
        #expect(style(of: "retry in 3 s")?.foreground == .ansi(3))
        #expect(style(of: "cancelled")?.isDim == true)
        #expect(style(of: "next-in-line.mkv") == Style(isDim: true))
        #expect(style(of: "linux-6.8.1.tar.xz") == .plain)
        #expect(style(of: "debian-12.5")?.isReverse == true)
    }

    @Test func `uses no colour where there is none`() {
        var sitting = Sitting(Scenes.busy, columns: 120, lines: 30, look: Appearance(theme: .rainbow, hasColor: false))
        sitting.press("?")
        let canvas = sitting.canvas
        for row in 0..<canvas.rows {
            for cell in canvas.line(row) {
                #expect(cell.style.foreground == .standard && cell.style.background == .standard)
            }
        }
    }

    @Test func `keeps a failed bar red and a cancelled one grey, at their last positions`() {
        // The first row is selected and therefore has another style.
        let rows: [TransferSnapshot] = [
            .sample(4, "d"), .sample(1, "a", .failed(.httpStatus(500)), have: 50, of: 100),
            .sample(2, "b", .cancelled, have: 50, of: 100),
            .sample(3, "c", .failed(.checksum(type: "md5", expected: "a", got: "b")), have: 100, of: 100),
        ]
        let canvas = Sitting(rows, columns: 150, lines: 20).canvas
        let bar = ColumnLayout.fitting(150)[.bar]
        let start = bar?.start ?? 0
        #expect(canvas[start, 6] == Cell("━", Theme.standard.failure))
        #expect(canvas[start, 7] == Cell("━", Theme.standard.cancelled))
        // The bar of a complete file with a wrong checksum is not shown as full.
        #expect(canvas[(bar?.end ?? 0) - 1, 8].text == "╸")
    }

    @Test func `shows the cause when a bar moves back`() {
        var row = TransferSnapshot.sample(1, "a", .moving, have: 500, of: 1000)
        var sitting = Sitting([row], columns: 120)
        sitting.wait(1)
        row.have = .zero
        row.rebase = Rebase(cause: .rangeIgnored, at: sitting.now, completed: -500, total: 0)
        let rebase = row.rebase
        sitting.update([row]) { $0.rebase = rebase }
        #expect(sitting.lines[2].contains("server ignored the range -500 B"))
        #expect(sitting.lines[5].contains("server ignored the range -500 B"))
        sitting.handle(.resized(columns: 80, rows: 24))
        #expect(sitting.lines[5].contains("range ignored"))
        sitting.wait(5)
        #expect(!sitting.lines[5].contains("ignored"))
    }

    @Test func `shows no percentage for a queue of unknown sizes only`() {
        let rows: [TransferSnapshot] = [.sample(1, "a", .moving, have: 5), .sample(2, "b")]
        let sitting = Sitting(rows) { $0.isIndeterminate = true }
        #expect(sitting.lines[1].hasSuffix("--"))
        #expect(!sitting.lines[1].contains("%"))
    }

    @Test func `shows 100 percent only when everything succeeded`() {
        let rows: [TransferSnapshot] = [
            .sample(1, "a", .finished(.saved(path: "a")), have: 1 << 40, of: 1 << 40),
            .sample(2, "b", .moving, have: 0, of: 1),
        ]
        #expect(Sitting(rows).lines[1].hasSuffix(" 99%"))
        var done = rows
        done[1].phase = .failed(.httpStatus(404))
        #expect(Sitting(done).lines[1].hasSuffix(" done: 1 of 2"))
        #expect(Sitting(done).lines[2].contains("1 of 2 done · 1 failed"))
        done[1].phase = .finished(.saved(path: "b"))
        #expect(Sitting(done).lines[1].hasSuffix("100%"))
    }

    @Test func `counts done, settled and all files in simple mode`() {
        let sitting = Sitting(Scenes.busy) { totals in
            totals.mode = .simple
            totals.fraction = 0.25
        }
        #expect(sitting.lines[1].hasSuffix("2/5/20"))
        #expect(sitting.lines[3].contains("counting files"))
    }
}
