import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A list grouped by folder` {
    private func sitting(columns: Int = 120) -> Sitting {
        var sitting = Sitting(Scenes.folders, columns: columns, lines: 36)
        sitting.press("f")
        return sitting
    }

    /// The names in the table and the marks of folders, without blanks.
    private func names(_ sitting: Sitting) -> [String] {
        sitting.dashboard.visible(sitting.board).map { id in
            guard let folder = sitting.dashboard.list.folder(id, sitting.board.totals) else {
                return sitting.board[id]?.name ?? "?"
            }
            return (folder.isOpen ? "-" : "+") + folder.name
        }
    }

    /// Moves the cursor to the line of this name.
    private func go(to name: String, _ sitting: inout Sitting) {
        sitting.press("g")
        for line in names(sitting) {
            if line == name { return }
            sitting.press("j")
        }
        Issue.record("no line \(name)")
    }

    private func selectedFolder(_ sitting: Sitting) -> String? {
        sitting.dashboard.selection.id.flatMap { sitting.dashboard.list.folder($0, sitting.board.totals)?.name }
    }

    private func ids(_ words: [String]) -> [String] {
        words.map { words in (1...9).reduce(words) { $0.replacing("TransferID(number: \($1))", with: String($1)) } }
    }

    @Test func `has a line for each folder, which Left closes and Right opens`() {
        var sitting = sitting()
        let whole = [
            "index.html", "README", "-pub", "disc-1.iso", "notes.txt", "+images", "+photos/2024", "-live",
            "stream.bin", "+東京",
        ]
        expectEqual(names(sitting), whole)
        go(to: "notes.txt", &sitting)
        sitting.press(.left)
        expectEqual(selectedFolder(sitting), "pub")
        sitting.press(.left)
        expectEqual(names(sitting), ["index.html", "README", "+pub", "-live", "stream.bin", "+東京"])
        sitting.press(.right)
        expectEqual(names(sitting), whole)
        go(to: "+images", &sitting)
        sitting.press(.right, .right)
        expectEqual(sitting.selected, 3)
        sitting.press("f")
        expectEqual(sitting.selected, 3)
        expectEqual(names(sitting), Scenes.folders.map(\.name))
        sitting.press("f")
        expectEqual(sitting.selected, 3, "the folder of the cursor is open")
    }

    @Test func `shows the sums of a folder, what failed first`() {
        let sitting = sitting()
        let line = sitting.lines.first { $0.contains("▿ pub") } ?? ""
        // 4 m 35 s at this rate, but the whole queue takes no longer than 1 m 40 s, which its only moving row takes as well.
        for words in ["21%", "✗1 2/3/5", "305 MiB", "1.3 GiB", "4.0 MiB/s", "1 m 40 s"] {
            expect(line.contains(words), "\(words)")
        }
        let guessed = sitting.lines.first { $0.contains("▿ live") } ?? ""
        expect(guessed.contains("~") && guessed.hasSuffix(" ~6 s"), "\(guessed)")
        let done = sitting.lines.first { $0.contains("▹ photos/2024") } ?? ""
        expect(done.contains("✓") && done.contains("100%") && done.contains("2/2/2"))
        let narrow = self.sitting(columns: 80).lines.first { $0.contains("▿ pub") } ?? ""
        expect(narrow.contains("✗1 2/3/5"))
    }

    @Test(
        arguments: [
            ([.finished(.saved(path: "x")), .finished(.saved(path: "x"))], true),
            ([.finished(.saved(path: "x")), .failed(.httpStatus(404))], false),
            ([.finished(.saved(path: "x")), .cancelled], false), ([.cancelled], false),
        ] as [([TransferPhase], Bool)], [120, 80, 40])
    func `is at 100% and has a full bar only when all in it has succeeded`(
        ends: ([TransferPhase], Bool), columns: Int
    ) {
        func rows(_ phases: [TransferPhase]) -> [TransferSnapshot] {
            phases.enumerated().map { index, phase in
                var row = TransferSnapshot.sample(index + 1, "f\(index)", phase, have: 10, of: 10)
                row.folder = "pub"
                return row
            }
        }
        var sitting = Sitting(columns: columns, lines: 24)
        sitting.press("f")
        sitting.update(rows(ends.0.map { _ in .moving }))
        func line() -> String { sitting.lines.first { $0.contains("▿ pub") } ?? "" }
        expect(line().contains("99%"))
        sitting.update(rows(ends.0))
        for _ in 0..<4 {
            expectEqual(line().contains("100%"), ends.1, "\(line())")
            if !ends.1 { expect(!line().contains("━"), "\(line())") }
            sitting.wait(0.2)
            sitting.handle(.tick)
        }
        if columns == 120 { expectEqual(line().contains("✓"), ends.1, "\(line())") }
    }

    @Test(
        arguments: [
            ("p", "-pub", "pause([2, 3])"), ("r", "-pub", "retry([4])"), ("d", "-pub", "remove([4, 5, 6])"),
            ("p", "+東京", "resume([8])"), ("[", "-pub", "shift([2, 3, 4], QueueShift.earlier)"),
            ("{", "-live", "shift([7, 8], QueueShift.first)"), ("}", "+images", "shift([3], QueueShift.last)"),
            ("]", "-pub", "shift([2, 3, 4], QueueShift.later)"), ("(", "-live", "changeConnections([7, 8], by: -1)"),
            ("J", "-pub", nil), ("K", "+images", nil), ("u", "-pub", nil), ("y", "+images", nil),
            (")", "-live", "changeConnections([7, 8], by: 1)"), ("o", "+photos/2024", "open pub/photos/2024"),
            ("r", "-live", nil), ("c", "+photos/2024", nil), ("y", "-pub", nil), ("e", "-pub", nil),
        ] as [(Character, String, String?)])
    func `has keys act on all transfers of the selected folder`(key: Character, folder: String, command: String?) {
        var sitting = sitting()
        go(to: folder, &sitting)
        expectEqual(ids(sitting.press(.character(key))), command.map { [$0] } ?? [])
        expect(!sitting.message.isEmpty)
    }

    @Test func `asks before it cancels a folder, and limits and tags the transfers in it`() {
        var sitting = sitting()
        go(to: "-pub", &sitting)
        sitting.press("c")
        expect(sitting.canvas.text.contains("Cancel 2 downloads and delete"))
        expectEqual(ids(sitting.press("y")), ["cancel([2, 3])"])
        sitting.press("x")
        expect(sitting.footer.contains("Rate limit for each in pub"))
        sitting.type("1M")
        expectEqual(ids(sitting.press(.enter)).first?.hasPrefix("setRateLimitEach([2, 3, 4], "), true)
        sitting.press(" ")
        expectEqual(sitting.dashboard.tags.map(\.number), [2, 3, 4, 5, 6])
        go(to: "-pub", &sitting)
        sitting.press(" ")
        expect(sitting.dashboard.tags.isEmpty)
        sitting.press("*")
        expectEqual(sitting.dashboard.tags.count, 9)
    }

    @Test func `with a filter shows folders with a matching row alone, all of them open`() {
        var sitting = sitting()
        sitting.press("/")
        sitting.type("jpg")
        sitting.press(.enter)
        expectEqual(names(sitting), ["-pub", "-photos/2024", "a.jpg", "b.jpg"])
        sitting.press("2", .escape)
        expectEqual(names(sitting), ["-pub", "disc-1.iso", "-live", "stream.bin"])
    }

    @Test func `with a folder's name as the filter shows the files in it, if the folder is downloaded as a whole`() {
        let rows = Scenes.folders.map { given in
            var row = given
            row.namedParts = given.folder == "pub" ? 1 : 0
            return row
        }
        var sitting = sitting()
        sitting.update(rows)
        sitting.press("/")
        sitting.type("pub")
        sitting.press(.enter)
        expectEqual(names(sitting), ["-pub", "disc-1.iso", "notes.txt"])
        expect(sitting.canvas.text.contains("filter pub (2)"))
        sitting.press(.escape, "/")
        sitting.type("live")
        sitting.press(.enter)
        expectEqual(names(sitting), [])
    }

    @Test func `has the uploads of a folder in it, and any other in none`() {
        var rows: [TransferSnapshot] = [
            .sample(1, "a.jpg", direction: .up), .sample(2, "b.iso", direction: .up),
        ]
        rows[0].folder = "photos/2024"
        rows[1].folder = "."
        var sitting = Sitting(rows, columns: 120, lines: 36)
        sitting.press("f")
        expectEqual(names(sitting), ["b.iso", "-photos/2024", "a.jpg"])
    }

    @Test(arguments: [([.up, .up], "↑"), ([.down, .down], "↓"), ([.up, .down], "○")] as [([Direction], String)])
    func `has the arrow of the rows that move, which is none for both directions`(
        directions: [Direction], mark: String
    ) {
        // The row that waits has no say.
        var rows: [TransferSnapshot] = [.sample(9, "later", direction: .down)]
        for (index, direction) in directions.enumerated() {
            rows.append(.sample(index + 1, "a\(index)", .moving, have: 1, of: 100, rate: 5, direction: direction))
        }
        for index in rows.indices { rows[index].folder = "pub" }
        var sitting = Sitting(rows, columns: 120, lines: 36)
        sitting.press("f")
        let line = sitting.lines.first { $0.contains("▿ pub") } ?? ""
        expect(line.contains("\(mark) ▿ pub"), "\(line)")
    }

    @Test func `opens and closes a folder by a click on its mark, and by Enter`() {
        var sitting = sitting()
        sitting.click("▿ pub")
        expect(names(sitting).contains("+pub"))
        go(to: "+pub", &sitting)
        sitting.press(.enter)
        expect(names(sitting).contains("-pub"))
        expect(!sitting.dashboard.isDetailsOpen)
    }

    @Test func `has a folder's line selected by a click on its name, and opened or closed by a second one`() {
        var sitting = sitting()
        sitting.click("▹ images", at: 3)
        expectEqual(selectedFolder(sitting), "images")
        expect(names(sitting).contains("+images"))
        sitting.click("▹ images", at: 3)
        expect(names(sitting).contains("-images"))
        expect(!sitting.dashboard.isDetailsOpen)
        sitting.wait(1)
        sitting.click("▿ images", at: 3)
        expect(names(sitting).contains("-images"))
    }

    @Test func `moves under the cursor with the wheel, and opens or closes nothing by it`() {
        var sitting = Sitting(Scenes.folders, columns: 120, lines: 12)
        sitting.press("f")
        let lines = sitting.dashboard.list.order
        sitting.press(.mouse(.wheelDown))
        expectEqual(sitting.dashboard.selection.top, min(3, lines.count - sitting.dashboard.layout.table.count))
        expectEqual(sitting.dashboard.list.order, lines)
        expect(!sitting.dashboard.selection.isFollowing)
    }

    @Test func `stays in view where a folder's mark is clicked, whatever appears above the cursor`() {
        let rows = (1...101).map { number in
            var row = TransferSnapshot.sample(number, "f\(number)")
            row.folder = number < 4 ? "a" : number < 101 ? "b" : "c"
            return row
        }
        var sitting = Sitting(rows, columns: 120, lines: 36)
        sitting.press("f")
        go(to: "-b", &sitting)
        sitting.press(.left, "G")
        sitting.click("▹ b")
        expectEqual(selectedFolder(sitting), "b")
        expectEqual(names(sitting).prefix(6), ["-a", "f1", "f2", "f3", "-b", "f4"])
    }

    @Test func `says why a folder stays open while not all rows are shown`() {
        var sitting = sitting()
        sitting.press("/")
        sitting.type("jpg")
        sitting.press(.enter)
        for key in [Key.enter, .left] {
            go(to: "-pub", &sitting)
            sitting.press(key)
            expect(sitting.message.contains("Esc clears the filter"), "\(sitting.message)")
        }
        sitting.press("j")
        sitting.click("▿ pub")
        expect(sitting.message.contains("Esc clears the filter"), "\(sitting.message)")
        sitting.press(.escape, "2")
        go(to: "-pub", &sitting)
        sitting.press(.enter)
        expect(sitting.message.contains("press 1 to show all"), "\(sitting.message)")
        expect(names(sitting).contains("-pub"))
    }

    @Test func `offers no keys of details on a folder, which has none`() {
        var sitting = sitting()
        sitting.press("g", .enter)
        expect(sitting.footer.contains("y copy URL"))
        go(to: "-pub", &sitting)
        expect(!sitting.footer.contains("copy URL") && !sitting.footer.contains("Enter close"))
        sitting.press("J")
        expect(sitting.message.contains("choose a file in it"), "\(sitting.message)")
        sitting.press(.left, "y")
        expect(sitting.message.contains("Right opens it"), "\(sitting.message)")
        sitting.press(.escape)
        expect(!sitting.dashboard.isDetailsOpen)
    }

    @Test func `has the cursor on its line when a folder is added again`() {
        var sitting = sitting()
        update(&sitting)
        var again = Update(at: .at(1))
        again.totals = sitting.board.totals
        again.addedAgain = [.init(id: TransferID(10), isStartedAnew: false)]
        sitting.update(again)
        expectEqual(selectedFolder(sitting), "docs")
    }

    @Test func `takes new rows, and opens the folder of a row that is added again`() {
        var sitting = sitting()
        var row = TransferSnapshot.sample(10, "new.bin")
        row.folder = "later"
        sitting.wait(1)
        sitting.update(Scenes.folders + [row])
        expectEqual(names(sitting).suffix(2), ["-later", "new.bin"])
        row = .sample(11, "more.bin")
        row.folder = "later"
        var more = Update(rows: [row.id: row], totals: sitting.board.totals, at: .at(2))
        more.order = .appended([row.id])
        sitting.wait(1)
        sitting.update(more)
        expectEqual(names(sitting).suffix(3), ["-later", "new.bin", "more.bin"])
        var update = Update(at: .at(1))
        update.totals = sitting.board.totals
        update.addedAgain = [.init(id: TransferID(6), isStartedAnew: false)]
        sitting.update(update)
        expectEqual(sitting.selected, 6)
    }

    @Test func `shows in a folder's line that it is listed, and below it that this has failed`() {
        var sitting = sitting()
        var row = TransferSnapshot.sample(10, "docs/", .connecting)
        row.folder = "docs"
        sitting.update(Scenes.folders + [row])
        expectEqual(names(sitting).last, "-docs")
        go(to: "-docs", &sitting)
        expect(sitting.footer.contains("p pause") && sitting.footer.contains("c cancel"))
        expectEqual(sitting.press("p"), ["pause([TransferID(number: 10)])"])
        row.phase = .failed(.httpStatus(403))
        sitting.update(Scenes.folders + [row])
        expectEqual(names(sitting).suffix(2), ["-docs", "docs/"])
    }

    /// The line of `docs`, in which `rows` are besides the one that lists it.
    @Test func `counts the files of a folder alone, not the rows that list folders`() {
        var row = TransferSnapshot.sample(10, "pub/", .finished(.listed(path: "pub/", Found(files: 5))))
        row.folder = "pub"
        var sitting = sitting()
        sitting.update(Scenes.folders + [row])
        go(to: "-pub", &sitting)
        expectEqual(ids(sitting.press("d")), ["remove([4, 5, 6, TransferID(number: 10)])"])
        expect(sitting.message.contains("3 downloads taken off the list"), "\(sitting.message)")
        sitting.press("x")
        sitting.type("1M")
        sitting.press(.enter)
        expect(sitting.message.contains("for each of 3 downloads"), "\(sitting.message)")
        sitting.press(" ")
        expectEqual(sitting.dashboard.tags.count, 6)
        expect(sitting.canvas.text.contains("5 tagged"))
        sitting.press("U")
        expect(sitting.message.contains("Untagged 5"))
        row.phase = .connecting
        row.folder = "docs"
        sitting.update(Scenes.folders + [row])
        go(to: "-docs", &sitting)
        sitting.press("p")
        expect(sitting.message.contains("1 folder paused"))
    }

    @Test func `marks a closed folder when all files in it are tagged`() {
        var sitting = sitting()
        let bar = String(sitting.dashboard.look.symbols.tagBar)
        func line(_ name: String) -> String { sitting.lines.first { $0.contains(name) } ?? "" }
        go(to: "+photos/2024", &sitting)
        sitting.press(" ")
        expect(line("▹ photos/2024").contains(bar))
        go(to: "-pub", &sitting)
        sitting.press(.left)
        expect(!line("▹ pub").contains(bar))
        sitting.press(" ")
        go(to: "+pub", &sitting)
        sitting.press(.down)
        expect(line("▹ pub").contains(bar))
        sitting.press("U")
        expect(!line("▹ pub").contains(bar))
    }

    @Test func `is followed by the cursor to the first line where something is to come`() {
        func rows(done: Int) -> [TransferSnapshot] {
            (1...90).map { number in
                var row = TransferSnapshot.sample(
                    number, "f\(number)", number <= done ? .finished(.saved(path: "x")) : .waiting(.slot), of: 10)
                row.folder = number <= 60 ? "a" : number <= 75 ? "b/c" : "b/d"
                return row
            }
        }
        var sitting = Sitting(rows(done: 0))
        sitting.press("f")
        sitting.update(rows(done: 40))
        expectEqual(sitting.selected, 41)
        sitting.update(rows(done: 80))
        expectEqual(selectedFolder(sitting), "d", "c is settled, and the rows of neither have lines")
        sitting.press("k")
        sitting.update(rows(done: 0))
        sitting.update(rows(done: 40))
        expectEqual(selectedFolder(sitting), "c")
    }

    /// The rows with one that lists `docs`.
    private static let listing: [TransferSnapshot] = {
        var row = TransferSnapshot.sample(10, "docs/", .connecting)
        row.folder = "docs"
        return Scenes.folders + [row]
    }()

    private func update(
        _ sitting: inout Sitting, _ rows: [TransferSnapshot] = Self.listing,
        _ listings: QueueTotals.Listings? = QueueTotals.Listings(open: 1, done: 0, failed: 0)
    ) {
        sitting.update(rows) { $0.listings = listings }
    }

    @Test func `is made without a word when a row comes that lists a folder, and stays when that leaves`() {
        var sitting = Sitting(Scenes.folders, columns: 120, lines: 36)
        expectNil(sitting.dashboard.list.tree)
        update(&sitting)
        expectEqual(names(sitting).first, "index.html")
        expectEqual(names(sitting).last, "-docs")
        expectNil(sitting.dashboard.notice)
        update(&sitting, Scenes.folders, nil)
        expect(names(sitting).contains("-pub"))
    }

    @Test func `is not made when the user has decided, until the setting is auto again`() {
        var sitting = Sitting(Scenes.folders, columns: 120, lines: 36)
        sitting.press("f", "f")
        update(&sitting)
        expectNil(sitting.dashboard.list.tree)
        func set(_ value: String) {
            sitting.press(":")
            sitting.type("group " + value)
            sitting.press(.enter)
        }
        set("auto")
        expect(names(sitting).contains("-pub"))
        sitting.press("f")
        update(&sitting)
        expectNil(sitting.dashboard.list.tree)
        update(&sitting, Scenes.folders, nil)
        set("on")
        set("auto")
        expectNil(sitting.dashboard.list.tree, "no row lists a folder")
        expectEqual(sitting.press("W").first?.contains(" group=auto"), true)
    }

    @Test func `leaves the cursor on its row and on its line of the screen when it is made by itself`() {
        let many = (1...90).map { number in
            var row = TransferSnapshot.sample(number, "f\(number)", number <= 60 ? .cancelled : .waiting(.slot))
            row.folder = number % 2 == 0 ? "a/b" : "a/c"
            return row
        }
        var listing = TransferSnapshot.sample(91, "docs/", .connecting)
        listing.folder = "docs"
        var sitting = Sitting(many)
        func line() -> Int { sitting.dashboard.selection.index - sitting.dashboard.selection.top }
        expectEqual(sitting.selected, 61)
        sitting.press("k")
        let before = line()
        update(&sitting, many + [listing])
        expectEqual(sitting.selected, 60)
        expectEqual(line(), before)
        var following = Sitting(many)
        update(&following, many + [listing])
        expect(following.dashboard.selection.isFollowing)
        expectEqual(selectedFolder(following), "a")
    }

    @Test func `is a setting, and is off until the user wants it`() {
        var sitting = Sitting(Scenes.folders, columns: 120, lines: 36)
        expectNil(sitting.dashboard.list.tree)
        sitting.press(.left)
        expect(sitting.message.contains("f groups them by folder"))
        sitting.press(":")
        sitting.type("group on")
        sitting.press(.enter)
        expect(names(sitting).contains("-pub"))
        expectEqual(sitting.press("W").first?.contains(" group=on"), true)
    }
}
