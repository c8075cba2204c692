import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The dashboard for a screen reader` {
    /// A user of speech output: a dashboard and the sentences that it speaks.
    private struct Ear {
        var sitting: Sitting
        var speech = Speech()

        init(_ rows: [TransferSnapshot] = Scenes.busy) {
            sitting = Sitting(columns: 80, lines: 24, look: Appearance(isAnimated: false, colors: .mono))
            _ = update(rows)
        }

        @discardableResult
        mutating func press(_ keys: Key...) -> [String] {
            var heard: [String] = []
            for key in keys {
                sitting.press(key)
                heard += speech.lines(for: sitting.dashboard, board: sitting.board, isKey: true, at: sitting.now)
            }
            return heard
        }

        mutating func update(
            _ rows: [TransferSnapshot], events: [FeedEvent.Kind] = [], details: TransferDetails? = nil,
            change: (inout QueueTotals) -> Void = { _ in }
        ) -> [String] {
            var update = Update.all(rows, change: change)
            update.details = details.map { [$0] } ?? []
            update.events = events.map {
                FeedEvent(id: rows[0].id, at: sitting.now, kind: $0, have: rows[0].have)
            }
            sitting.update(update)
            return speech.lines(for: sitting.dashboard, board: sitting.board, update: update, at: sitting.now)
        }
    }

    @Test func `greets once and mentions how to list the keys`() {
        var ear = Ear()
        expect(ear.update(Scenes.busy).isEmpty)
        var speech = Speech()
        let lines = speech.lines(for: ear.sitting.dashboard, board: ear.sitting.board, at: .at(0))
        expectEqual(lines.first, "Winch has 20 files. Press question mark for the keys.")
    }

    @Test func `reads the row that a key selected as a sentence`() {
        var ear = Ear()
        expectEqual(ear.press("j"), ["2 of 20, linux-6.8.1.tar.xz, downloading, 42 percent, 12.3 MiB/s, 6 s left."])
        expectEqual(ear.press("G"), ["20 of 20, next-in-line.mkv, waiting, 0 percent."])
        expect(ear.press("G").isEmpty, "nothing has changed")
    }

    @Test func `tells that a folder is opened or closed, and a row in it by its path`() {
        var rows: [TransferSnapshot] = [
            .sample(1, "pub/", .finished(.listed(path: "pub/", Found(files: 1)))), .sample(2, "a.iso"),
        ]
        for index in rows.indices { (rows[index].folder, rows[index].namedParts) = ("d/pub", 1) }
        var ear = Ear(rows)
        ear.press("f", "g")
        expectEqual(ear.press(.left), ["1 of 1, folder d/pub, closed, 0 of 1 done."])
        expectEqual(ear.press(.right), ["1 of 2, folder d/pub, open, 0 of 1 done."])
        expectEqual(ear.press("j").first?.hasPrefix("2 of 2, pub/a.iso, waiting"), true)
        expectEqual(
            ear.update([rows[1]] + rows.prefix(1), events: [.failed(.httpStatus(404))]).first,
            "pub/a.iso failed: 404 not found.")
    }

    @Test(
        arguments: [
            (.connecting, "is being listed"), (.waiting(.slot), "not listed yet"),
            (
                .backoff(until: .at(18), attempt: 2, limit: 5, failure: .httpStatus(503)),
                "not listed yet, server busy (503), retry in 18 s (2/5)"
            ),
            (.finished(.listed(path: "pub/", Found())), "no files"),
        ] as [(TransferPhase, String)])
    func `tells of a folder without files that it is listed`(phase: TransferPhase, words: String) {
        var rows: [TransferSnapshot] = [.sample(1, "pub/", phase), .sample(2, "a.iso")]
        for index in rows.indices { rows[index].folder = index == 0 ? "pub" : "d" }
        var ear = Ear(rows)
        ear.press("f", "g", "j", "j")
        expectEqual(ear.press("g"), ["1 of 3, folder pub, open, \(words)."])
    }

    @Test(arguments: [("y", false), ("n", true)] as [(Key, Bool)])
    func `says that all have ended when nothing starts after an answer`(key: Key, isOver: Bool) {
        var ear = Ear([.sample(1, "pub", .moving)])
        let failure = TransferFailure.remoteFolder(path: "/pub", files: 2, folders: 0, isMore: false)
        _ = ear.update([.sample(1, "pub", .failed(failure))], events: [.failed(failure)])
        ear.sitting.wait(1)
        expectEqual(ear.press(key).contains { $0.hasPrefix("All downloads have ended") }, isOver)
    }

    @Test func `reads the details once when they are opened, with the list of connections`() {
        var ear = Ear(SplitScene.rows)
        ear.press("j", "j")
        expect(ear.press(.enter).isEmpty, "they have not come")
        var heard = ear.update(SplitScene.rows, details: SplitScene.details)
        expectEqual(heard.first, "5 connections; more did not help.")
        expect(heard.contains("Connection 1: 400 to 900 MiB, 1.3 MiB/s, from mirror.example.org, open for 4 m 40 s."))
        expect(heard.contains("Connection 12: 2.7 to 3.0 GiB, requested, from mirror.example.org, open for 1 s."))
        expect(heard.contains { $0.hasPrefix("URL: https://") && $0.utf8.count < 200 }, "\(heard)")
        heard = ear.update(SplitScene.rows, details: SplitScene.details)
        expect(heard.isEmpty)
        ear.press(.enter)
        expectEqual(ear.press(.enter).first, "5 connections; more did not help.")
    }

    @Test func `announces a change of the selected row's state, but not of its bytes`() {
        func rows(_ phase: TransferPhase) -> [TransferSnapshot] {
            [.sample(1, "a", phase, have: 10, of: 1000), .sample(2, "b", .moving)]
        }
        var ear = Ear(rows(.moving))
        ear.press("k")
        expect(ear.press("p").isEmpty)
        expect(ear.update(rows(.moving)).isEmpty)
        expectEqual(ear.update(rows(.paused)), ["1 of 2, a, paused, 1 percent."])
        expect(ear.update(rows(.paused)).isEmpty)
        expectEqual(ear.update(rows(.waiting(.slot))), ["1 of 2, a, waiting, 1 percent."])
        expect(ear.update(rows(.moving)).isEmpty)
    }

    @Test func `tells that all are paused or resumed, and what the bar counts, wherever the cursor is`() {
        func rows(_ phase: TransferPhase) -> [TransferSnapshot] {
            [
                .sample(1, "a", .finished(.saved(path: "a")), have: 9, of: 9), .sample(2, "b", phase, of: 1000),
                .sample(3, "c", phase, of: 1000),
            ]
        }
        var ear = Ear(rows(.moving))
        ear.press("g")
        expect(ear.press("P").isEmpty)
        expectEqual(ear.update(rows(.paused)) { $0.isHeld = true }, ["All downloads are paused."])
        expect(ear.update(rows(.paused)) { $0.isHeld = true }.isEmpty)
        expectEqual(ear.update(rows(.waiting(.slot))), ["All downloads are resumed."])
        expectEqual(ear.update(rows(.moving)) { $0.mode = .simple }, ["The bar counts files."])
        expectEqual(ear.update(rows(.moving)), ["The bar counts bytes."])
        _ = ear.update(rows(.paused))
        expect(ear.update(rows(.cancelled)).allSatisfy { !$0.contains("resumed") })
    }

    @Test func `does not call all resumed when one of them is`() {
        var ear = Ear([.sample(1, "a", .paused, of: 1000), .sample(2, "b", .paused, of: 1000)])
        ear.press("g")
        let heard = ear.update([.sample(1, "a", .moving, of: 1000), .sample(2, "b", .paused, of: 1000)])
        expectEqual(heard, ["1 of 2, a, downloading, 0 percent."])
    }

    @Test func `tells the tab with its rows, also if it has none, and reads the selected row`() {
        var ear = Ear([.sample(1, "a", .paused, of: 1000), .sample(2, "b", .moving, of: 1000)])
        ear.press("g")
        expectEqual(ear.press("2"), ["2 active, 1 row.", "1 of 1, b, downloading, 0 percent."])
        expect(ear.press("2").isEmpty)
        expectEqual(ear.press("4"), ["4 failed, no rows."])
        expectEqual(ear.press("1").first, "1 all, 2 rows.")
    }

    @Test func `tells of a row that its pause took out of the tab, then reads the one now selected`() {
        func rows(_ phase: TransferPhase) -> [TransferSnapshot] {
            [.sample(1, "a", phase, of: 1000), .sample(2, "b", .moving, of: 1000)]
        }
        var ear = Ear(rows(.moving))
        ear.press("g", "2", "p")
        expectEqual(ear.update(rows(.paused)), ["a, paused.", "1 of 1, b, downloading, 0 percent."])
        expect(ear.update(rows(.paused)).isEmpty)
    }

    @Test func `tells what Space tags and untags before it reads the next row`() {
        var ear = Ear([.sample(1, "a", .paused, of: 1000), .sample(2, "b", .moving, of: 1000)])
        ear.press("g")
        expectEqual(ear.press(" "), ["a tagged.", "2 of 2, b, downloading, 0 percent."])
        expectEqual(ear.press(" "), ["b tagged."])
        expectEqual(ear.press(" "), ["b untagged."])
        expectEqual(ear.press("U"), ["Untagged 1."])
    }

    @Test func `tells the new place of a row that was moved, but not when others come or go`() {
        let (a, b) = (TransferSnapshot.sample(1, "a", of: 1000), TransferSnapshot.sample(2, "b", of: 1000))
        let c = TransferSnapshot.sample(3, "c", of: 1000)
        var ear = Ear([a, b])
        ear.press("g")
        expectEqual(ear.update([b, a]), ["2 of 2, a, waiting, 0 percent."])
        expect(ear.update([b, a]).isEmpty)
        expect(ear.update([c, b, a]).isEmpty)
        expectEqual(ear.update([a, c, b]), ["1 of 3, a, waiting, 0 percent."])
    }

    @Test func `asks questions in words and announces the result`() {
        var ear = Ear()
        ear.press("j")
        expectEqual(
            ear.press("c"),
            [
                "Cancel linux-6.8.1.tar.xz and delete its partial file? 58.0 MiB of 135 MiB downloaded so far. "
                    + "Press y for yes, n for no."
            ])
        expect(ear.press("x").isEmpty)
        ear.press("n")
        expectEqual(ear.press("r"), ["Nothing to retry: it is active."])
    }

    @Test func `announces transfers that settle or are retried`() {
        var ear = Ear()
        var rows = Scenes.busy
        rows[0].name = "one.bin"
        let heard = ear.update(
            rows,
            events: [
                .started(attempt: 1), .moved, .finished(.saved(path: "x")), .failed(.httpStatus(404)), .cancelled,
                .retrying(in: .seconds(3), failure: .httpStatus(503)),
            ])
        expectEqual(heard.count, 4)
        expectEqual(heard[0], "one.bin is done, 629 MiB.")
        expect(heard[1].hasPrefix("one.bin failed: "))
        expectEqual(heard[2], "one.bin is cancelled.")
        expect(heard[3].hasPrefix("one.bin will be retried in 3 s: "))
    }

    @Test func `announces the queue's progress, at most every ten seconds`() {
        let rows = [TransferSnapshot.sample(1, "a", .moving, have: 10, of: 1000)]
        var ear = Ear(rows)
        func at(_ have: Int64) -> [TransferSnapshot] { [.sample(1, "a", .moving, have: have, of: 1000)] }
        ear.sitting.wait(3)
        expect(ear.update(at(500)).isEmpty, "too soon")
        ear.sitting.wait(8)
        expectEqual(ear.update(at(505)), ["50 percent, 0 of 1 done."])
        ear.sitting.wait(60)
        expect(ear.update(at(510)).isEmpty, "too little")
        expectEqual(ear.update(at(600)), ["60 percent, 0 of 1 done."])
        let done = [TransferSnapshot.sample(1, "a", .finished(.saved(path: "a")), have: 1000, of: 1000)]
        expectEqual(ear.update(done), ["All downloads have ended: 1 of 1 file done."])
        expect(ear.update(done).isEmpty)
    }

    @Test func `announces why a line is refused, each time it is entered`() {
        var ear = Ear()
        ear.press(":")
        ear.press("f", "p", "s")
        expectEqual(ear.press(.enter), ["fps takes a number from 1 to 20, not nothing."])
        ear.press(.backspace, "s")
        expectEqual(ear.press(.enter), ["fps takes a number from 1 to 20, not nothing."])
    }

    @Test func `reads the keys, the settings, the log and completions`() {
        var ear = Ear()
        let keys = ear.press("?")
        expect(keys.contains("q: quit, keep partial files."))
        expect(keys.contains("Enter: open or close details."))
        ear.press(.escape)
        expectEqual(ear.press("S"), ["jobs is 4, from default: files at a time."])
        expectEqual(ear.press("j").first?.hasPrefix("limit-rate is none"), true)
        ear.press(.escape)
        ear.sitting.handle(.notice("something odd"))
        expect(ear.press("l").contains { $0.hasSuffix("something odd.") })
        ear.press(.escape)
        expectEqual(ear.press(":"), ["Type a command, then press Enter. Tab completes it."])
        expect(ear.press("t", "h", "e").isEmpty)
        ear.press(.tab)
        expectEqual(ear.press(.tab), ["theme dark"])
    }

    @Test func `ends a text with one full stop, also one that has it already`() {
        var ear = Ear()
        ear.sitting.dashboard.settingsList = SettingsList([
            .init(name: "jobs", value: "4", origin: .standard, description: "Simultaneous downloads.")
        ])
        expectEqual(ear.press("S").last?.hasSuffix(": Simultaneous downloads."), true)
        ear.press(.escape)
        ear.sitting.handle(.notice("It is odd."))
        expect(ear.press("l").contains { $0.hasSuffix("It is odd.") })
    }

    @Test func `contains no control characters`() {
        var ear = Ear()
        for key in ["j", "?", .escape, "l", .escape, "S", .escape, ":", .tab, .escape, "a", .escape, "q"] as [Key] {
            for line in ear.press(key) {
                expect(!line.unicodeScalars.contains { $0.value < 0x20 && $0 != "\u{1B}" && $0 != "\u{7}" })
            }
        }
    }
}
