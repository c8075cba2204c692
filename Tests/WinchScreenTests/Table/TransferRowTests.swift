import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

/// The visible differences between selected, tagged and settled rows.
@Suite struct `The style of a row` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "one", .moving, have: 50, of: 100, rate: 10, finish: 60),
        .sample(2, "two", .failed(.httpStatus(404))),
        .sample(3, "three", .finished(.saved(path: "three")), have: 100, of: 100),
        .sample(4, "four", of: 100),
    ]

    private func canvas(_ look: Appearance, keys: [Key] = [], columns: Int = 120) -> Canvas {
        var sitting = Sitting(Self.rows, columns: columns, lines: 20, look: look)
        sitting.wait(2)
        sitting.handle(.tick)
        for key in keys { sitting.press(key) }
        return sitting.canvas
    }

    /// The first row of the table.
    private let top = 5

    @Test(arguments: Theme.builtIn, [ColorRange.mono, .palette, .many, .full])
    func `is different over the whole width when it is selected`(theme: Theme, colors: ColorRange) {
        let look = Appearance(theme: theme, colors: colors)
        for (place, keys) in [[], ["j"], ["j", "j"]].enumerated() as EnumeratedSequence<[[Key]]> {
            let canvas = canvas(look, keys: keys)
            let line = canvas.line(top + place)
            if colors >= .many, look.theme.selectedRow.background != .standard {
                expectEqual(Set(line.map(\.style.background)), [look.theme.selectedRow.background])
                expect(line.allSatisfy { !$0.style.isDim })
                expect(line.allSatisfy { $0.style.foreground != .standard })
            } else {
                // With palette colours the whole row has one style, so that no two colours meet that are unreadable
                // together.
                expectEqual(
                    Set(line.map { Style(foreground: $0.style.foreground, background: $0.style.background) }).count, 1
                )
                expect(line.allSatisfy { $0.style.isReverse == look.theme.selected.isReverse && $0.style.isBold })
            }
            expect(canvas.lines[top + place].contains("▸"), "not by colour alone")
            expect(canvas.line(top + 3).allSatisfy { $0.style.background == .standard && !$0.style.isReverse })
        }
    }

    @Test(arguments: Theme.builtIn, [ColorRange.palette, .full])
    func `has a mark, another name style and often a background when it is tagged`(theme: Theme, colors: ColorRange) {
        let look = Appearance(theme: theme, colors: colors)
        let canvas = canvas(look, keys: ["j", " ", "g"])
        expect(canvas.lines[top + 1].hasPrefix(" ▌"))
        let style = canvas.style(of: "two", inRow: top + 1)
        expectEqual(style?.isBold, true)
        expect(style != canvas.style(of: "four", inRow: top + 3))
        if colors == .full, theme.taggedRow.background != .standard {
            expect(canvas.line(top + 1).allSatisfy { $0.style.background == theme.taggedRow.background })
        }
    }

    @Test func `shows the full bar for a moment at the finish`() {
        var sitting = Sitting([.sample(1, "a", .moving, have: 99, of: 100)], columns: 120)
        sitting.wait(5)
        sitting.handle(.tick)
        sitting.update([.sample(1, "a", .finished(.saved(path: "a")), have: 100, of: 100)])
        sitting.wait(0.3)
        sitting.handle(.tick)
        expect(sitting.lines[5].contains("━━━"))
        sitting.wait(0.3)
        sitting.handle(.tick)
        expect(!sitting.lines[5].contains("━"))
    }

    @Test func `includes a small rate graph where there is space`() {
        let columns = ColumnLayout.fitting(200)
        var sitting = Sitting(columns: 200)
        for second in 0..<60 {
            sitting.now = .at(Double(second))
            let rate = second < 30 ? 100.0 : 800
            sitting.update(
                .all([.sample(1, "a", .moving, have: Int64(second), of: 1000, rate: rate)], at: Double(second)))
        }
        let graph = columns[.graph].map { field in
            String(sitting.canvas.line(5)[(5 * 200 + field.start)..<(5 * 200 + field.end)].compactMap(\.text))
        }
        expectEqual(graph?.hasPrefix("▁▁▁▁▁▁▁▁▁"), true, "\(graph ?? "")")
        expectEqual(graph?.contains("████████"), true)
        sitting.update([.sample(1, "a", .paused, have: 60, of: 1000)])
        expect(!sitting.lines[5].contains("█"))
    }
}

@Suite struct `The name of a row` {
    private func sitting(_ names: [(String, folder: String)], columns: Int = 120) -> Sitting {
        let rows = names.enumerated().map { index, name in
            var row = TransferSnapshot.sample(index + 1, name.0)
            row.folder = name.folder
            return row
        }
        return Sitting(rows, columns: columns)
    }

    @Test func `has its folder before it where another row has the same name in another folder`() {
        let text = sitting([("s1.iso", "/data/a"), ("s1.iso", "/data/b/"), ("s2.iso", "/data/a")]).canvas.text
        expect(text.contains(" /data/a/s1.iso ") && text.contains(" /data/b/s1.iso "))
        expect(text.contains(" s2.iso ") && !text.contains("/s2.iso"))
        expect(
            !sitting([("s1.iso", "/data/a"), ("s1.iso", "/data/a")]).canvas.text.contains("/s1.iso"),
            "it would tell nothing")
    }

    @Test func `has before that of a listed folder the folder above`() {
        let text = sitting([("a/", "/pub/x/a"), ("a/", "/pub/y/a"), ("b/", "/pub/b")]).canvas.text
        expect(text.contains(" /pub/x/a/ ") && text.contains(" /pub/y/a/ ") && text.contains(" b/ "))
    }

    @Test(arguments: [120, 160])
    func `of a listed folder has the path from the folder on that was named, whatever else is in view`(columns: Int) {
        let folders = ["pub", "pub/dir-0", "pub/dir-1", "pub/dir-1/dir-0"]
        let rows = folders.enumerated().map { index, path in
            let parts = path.split(separator: "/")
            var row = TransferSnapshot.sample(index + 1, "\(parts.last ?? "")/")
            (row.folder, row.namedParts) = ("dw/" + path, UInt8(parts.count))
            return row
        }
        let lines = Sitting(rows, columns: columns).lines
        for folder in folders { expect(lines.contains { $0.contains(" \(folder)/  ") }, "\(folder)") }
    }

    @Test func `has its folder in a column of its own on a wide screen where there are several`() {
        let lines = sitting([("s1.iso", "/data/a"), ("s1.iso", "/data/b")], columns: 140).lines
        expect(lines.contains { $0.contains("Name") && $0.contains("Folder") })
        expect(lines.contains { $0.contains(" s1.iso ") && $0.contains(" /data/b ") })
        let same = sitting([("s1.iso", "/data/a"), ("s2.iso", "/data/a")], columns: 140).lines
        expect(!same.contains { $0.contains("Folder") || $0.contains("/data/a") })
    }

    @Test func `stays in its column with a long folder before it`() {
        let folder = "/" + String(repeating: "long-", count: 30)
        for columns in 40..<140 {
            let sitting = sitting([("s1.iso", folder + "a"), ("s1.iso", folder + "b")], columns: columns)
            let lines = sitting.lines.filter { $0.contains("s1.iso") }
            expect(lines.count == 2 && lines[0].contains("-a/s1.iso"), "at \(columns)")
        }
    }

    @Test func `of unknown size has its bytes also below 40 columns, where enough of the name is left`() {
        let row = TransferSnapshot.sample(1, "stream-without-length.bin", .moving, have: 31 << 20)
        for columns in 20..<40 {
            let line = Sitting([row], columns: columns, lines: 8).lines.first { $0.contains("stre") } ?? ""
            expect(line.hasSuffix(columns < 27 ? " --" : " 31.0 MiB"), "\(columns): \(line)")
        }
    }

    @Test func `in any script keeps to its column`() {
        for columns in [64, 80, 120, 200] {
            let sitting = Sitting(Scenes.busy, columns: columns, lines: 30)
            let canvas = sitting.canvas
            let percent = ColumnLayout.fitting(columns)[.percent]?.end ?? 0
            for row in sitting.dashboard.layout.table.prefix(8) {
                // Or the bytes of a file of unknown size.
                expect(["%", "-", "B"].contains(canvas[percent - 1, row].text), "row \(row) of \(columns)")
                expectEqual(canvas[percent, row].text, " ")
            }
        }
    }
}

@Suite struct `A transfer that receives nothing` {
    private func row(isLimited: Bool = false, rate: Double = 0) -> TransferSnapshot {
        var row = TransferSnapshot.sample(1, "file-a", .moving, have: 10, of: 100, rate: rate, finish: 90)
        row.isAtRateLimit = isLimited
        if rate == 0, !isLimited { row.stalledSince = Moment(nanoseconds: 0) }
        return row
    }

    @Test(arguments: [80, 120, 200])
    func `is shown as stalled in its row and in the header`(columns: Int) {
        let lines = Sitting([row()], columns: columns, lines: 24).lines
        let line = lines.first { $0.contains(" file-a ") } ?? ""
        expect(line.contains("stalled"))
        expect(!line.contains("0 B/s") && !line.contains("downloading") && !line.contains("1 m"))
        expect(lines[2].contains("1 stalled") && !lines[2].contains("downloading"))
    }

    @Test func `is not shown as stalled when a limit slows it down`() {
        let lines = Sitting([row(isLimited: true)], columns: 120) { $0.rateLimit = ByteRate(perSecond: 1) }.lines
        expect(!lines.contains { $0.contains("stalled") })
        expect(lines[5].contains("total limit"))
    }

    @Test func `is not shown as stalled in the header while another waits for its response, nor once bytes arrive`() {
        let other = TransferSnapshot.sample(2, "file-b", .requested)
        let lines = Sitting([row(), other], columns: 120).lines
        expect(lines[2].contains("2 downloading") && !lines[2].contains("stalled"))
        let again = Sitting([row(rate: 1)], columns: 120).lines
        expect(again[2].contains("1 downloading") && again[5].contains("1 B/s"), "any number of bytes is enough")
    }
}

@Suite struct `A row that is being verified` {
    private func line(_ change: (inout TransferSnapshot) -> Void, columns: Int = 100) -> String {
        var row = TransferSnapshot.sample(1, "a.bin", .verifying, have: 1000, of: 1000)
        change(&row)
        return Sitting([row], columns: columns).lines.first { $0.contains("a.bin") } ?? ""
    }

    private func filled(_ line: String) -> Int { line.count { $0 == "━" } }

    @Test func `has a bar for the progress of its hash`() {
        let full = line { _ in }
        let half = line { $0.verified = ByteCount(bytes: 500) }
        expect(full.contains("  finishing") && !full.contains("50%"))
        expect(half.contains("checking 50%"), "\(half)")
        expect(filled(half) > 0 && filled(half) * 2 <= filled(full) + 2, "\(half)\n\(full)")
        expectEqual(filled(line { $0.verified = .zero }), 0)
        let done = line {
            $0.phase = .finished(.saved(path: "a.bin"))
            $0.verified = ByteCount(bytes: 500)
        }
        expect(done.contains("100%") && !done.contains("checking"), "during verification only")
    }

    @Test(arguments: [
        (200, "done, but HTML, not .zip"), (120, "done, but HTML, not .zip"), (80, "HTML, not .zip"),
        (60, "done?"),
    ])
    func `ends with the warning if there is one`(columns: Int, words: String) {
        let shown = line(
            {
                $0.phase = .finished(.saved(path: "a.bin"))
                $0.warning = .page(expected: ".zip")
            }, columns: columns)
        expect(shown.contains(words), "\(shown)")
    }

    @Test func `ends like any other after a stream was read to its end first`() {
        var row = TransferSnapshot.sample(1, "a.bin", .finished(.sent(path: "a.bin")), have: 1000, of: 1000)
        let usual = Sitting([row]).canvas
        row.warning = .streamKept
        expectEqual(Sitting([row]).canvas, usual)
        row.warning = .remoteSizeUnknown
        expect(Sitting([row]).canvas != usual)
    }
}

@Suite struct `The row of a split file` {
    private static let mebi: Int64 = 1 << 20

    private func row(_ connections: Int, reason: String? = nil) -> TransferSnapshot {
        var row = TransferSnapshot.sample(
            1, "disk.iso", .moving, have: 40 * Self.mebi, of: 100 * Self.mebi, rate: 5e6, finish: 12)
        row.split = SplitProgress(
            connections: connections, onDisk: [0..<20 * Self.mebi, 50 * Self.mebi..<70 * Self.mebi],
            working: [20 * Self.mebi, 70 * Self.mebi], reason: reason)
        return row
    }

    private func sitting(_ row: TransferSnapshot, columns: Int) -> Sitting {
        var sitting = Sitting([row], columns: columns)
        sitting.wait(2)
        sitting.handle(.tick)
        return sitting
    }

    private let top = 5

    @Test func `says how many connections there are where a state has room`() {
        expect(sitting(row(3), columns: 120).lines[top].contains("3 connections"))
        expect(sitting(row(16), columns: 104).lines[top].contains("16 connections"))
        expect(sitting(row(3), columns: 200).lines[top].contains("3 connections"))
        let one = sitting(row(1), columns: 120)
        expect(one.lines[top].contains("downloading") && !one.message.contains("connection"))
    }

    @Test func `says below the table that more did not help`() {
        let words = "3 connections; more did not help"
        for columns in [80, 200] {
            expect(sitting(row(3, reason: "more did not help"), columns: columns).message.contains(words))
        }
        expect(
            sitting(row(4, reason: "the server allows 4"), columns: 80).message.contains(
                "4 connections; the server allows 4"))
    }
}
