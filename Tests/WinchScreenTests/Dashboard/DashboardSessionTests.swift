import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The keys for sessions` {
    private static let rows: [TransferSnapshot] = [
        .sample(1, "a.iso", .moving, have: 50, of: 100, rate: 10), .sample(2, "b.iso", of: 100),
    ]

    @Test func `hand the run over, and name before that what would begin again`() {
        var whole = Sitting(Self.rows)
        expectEqual(whole.press("&"), ["plan to hand over"])
        expectEqual(whole.handle(.handOverPlanned(optionsLeft: "")), ["hand over"])
        var rows = Self.rows
        rows[0].wouldBeginAgain = true
        var sitting = Sitting(rows)
        expectEqual(sitting.handle(.handOverPlanned(optionsLeft: "")), [])
        let screen = sitting.lines.joined()
        expect(screen.contains("1 transfer begins again") && screen.contains("a.iso"))
        expect(!screen.contains("take over"))
        expectEqual(sitting.press("n"), [])
        sitting.handle(.handOverPlanned(optionsLeft: ""))
        expectEqual(sitting.press(.escape), [])
        expect(!sitting.lines.joined().contains("begins again"))
        sitting.handle(.handOverPlanned(optionsLeft: ""))
        expectEqual(sitting.press("y"), ["hand over"])
    }

    @Test func `name the options that a session does not take over before they hand the run over`() {
        var sitting = Sitting(Self.rows)
        for (key, actions) in [("n", []), ("y", ["hand over"])] as [(Key, [String])] {
            expectEqual(sitting.handle(.handOverPlanned(optionsLeft: "-j 1 and --log x")), [])
            let screen = sitting.lines.joined()
            expect(screen.contains("does not take over") && screen.contains("and --log x."))
            expect(!screen.contains("begin"))
            expectEqual(sitting.press(key), actions)
        }
    }

    @Test func `leave a session, or end it when that is confirmed`() {
        var sitting = Sitting(Self.rows)
        sitting.dashboard.isAttached = true
        expectEqual(sitting.press("&"), [])
        expect(sitting.message.contains("runs in the background already"))
        expectEqual(sitting.press("Q"), [])
        expect(sitting.lines.joined().contains("Stop the session"))
        expectEqual(sitting.press("n"), [])
        expectEqual(sitting.press("Q", "y"), ["stop the session"])
        var other = Sitting(Self.rows, columns: 200)
        other.dashboard.isAttached = true
        expect(other.footer.contains("q leave"), "\(other.footer)")
        expectEqual(other.press("q"), ["leave"], "the session goes on, so nothing is asked")
    }

    @Test func `are beside a header that says that this is a session`() {
        for size in [(60, 8), (60, 15), (60, 24), (80, 24), (180, 50)] {
            var sitting = Sitting(Self.rows, columns: size.0, lines: size.1, title: "1 URL")
            expect(!sitting.lines[0].contains("session"))
            sitting.dashboard.isAttached = true
            sitting.dashboard.sessionName = "far"
            expect(sitting.lines[0].contains("winch · session far"), "\(size) \(sitting.lines[0])")
            expect(!sitting.lines[0].contains("URL"))
        }
        var tiny = Sitting(Self.rows, columns: 40, lines: 2)
        tiny.dashboard.isAttached = true
        expect(tiny.lines[0].hasPrefix("session 0/2"))
    }

    @Test func `are only those that have an effect`() {
        var own = Sitting(Self.rows, columns: 200, lines: 60)
        expectEqual(own.press("Q"), [])
        expect(own.message.contains("This is no session"))
        own.press("?")
        let help = own.lines.joined(separator: "\n")
        expect(help.contains("go on in the background") && !help.contains("stop the session"))
        var attached = Sitting(Self.rows, columns: 200, lines: 60)
        attached.dashboard.isAttached = true
        attached.press("?")
        let other = attached.lines.joined(separator: "\n")
        expect(!other.contains("go on in the background") && other.contains("stop the session"))
        expect(other.contains("Ctrl-C  leave; the session goes on") && !other.contains("quit"))
    }

    @Test func `are beside neither a rate nor a time left while the connection is lost`() {
        var sitting = Sitting([], columns: 120)
        sitting.dashboard.isAttached = true
        var row = Self.rows[0]
        row.finish = sitting.now + .seconds(75)
        sitting.update([row])
        let known = sitting.lines.joined(separator: "\n")
        expect(known.contains("10 B/s") && known.contains("1 m 15 s"), "\(known)")
        sitting.handle(.connectionLost("Connection to far lost"))
        let lost = sitting.lines.joined(separator: "\n")
        expect(!lost.contains("10 B/s") && !lost.contains("1 m 15 s"), "\(lost)")
        sitting.handle(.connectionLost(nil))
        expect(sitting.lines.joined(separator: "\n").contains("1 m 15 s"))
    }

    @Test func `connect again when the connection is lost, which is said as long as it is so`() {
        var sitting = Sitting(Self.rows)
        sitting.dashboard.isAttached = true
        sitting.press("g")
        sitting.handle(.connectionLost("Connection to far lost; r tries now"))
        sitting.wait(60)
        sitting.handle(.tick)
        sitting.press("j")
        expect(sitting.message.contains("Connection to far lost"))
        expectEqual(sitting.press("r"), ["reconnect"])
        sitting.handle(.connectionLost(nil))
        expect(sitting.message.contains("Connected again"))
        expect(sitting.press("r") != ["reconnect"])
        expect(!sitting.message.contains("lost"))
    }
}

@Suite struct `Quitting the dashboard` {
    private let running: [TransferSnapshot] = [
        .sample(1, "a", .moving), .sample(2, "b", .connecting), .sample(3, "c", .verifying), .sample(4, "d"),
    ]

    @Test(arguments: ["q", .control("c")] as [Key])
    func `needs confirmation while a transfer runs`(key: Key) {
        var sitting = Sitting(running)
        expect(sitting.press(key).isEmpty)
        expect(sitting.canvas.text.contains("Quit? This stops 3 downloads."))
        expect(sitting.footer.contains("y yes  n no"))
        expect(sitting.press(.escape).isEmpty)
        expect(sitting.press(key).isEmpty)
        expectEqual(sitting.press("y"), ["leave"])
        expect(sitting.footer.contains("Quitting"))
    }

    @Test func `tells which bytes are kept, and which are sent again`() {
        var rows = [TransferSnapshot.sample(1, "a", .moving, have: 5), .sample(2, "b", .moving, direction: .up)]
        for (have, words) in [
            (0, "This stops 2 downloads. Partial files are kept."),
            (5, "This stops 2 downloads. 1 transfer begins again from 0. Partial files are kept."),
        ] as [(Int64, String)] {
            rows[1] = .sample(2, "b", .moving, have: have, direction: .up)
            rows[1].wouldBeginAgain = have > 0
            var sitting = Sitting(rows)
            sitting.press("q")
            expect(
                sitting.dashboard.dialog(for: .quit(KeptBytes(sitting.board)), board: sitting.board).question
                    == "Quit? \(words)")
        }
    }

    @Test(arguments: [(1, "This stops 2 transfers."), (2, "This stops 2 uploads.")])
    func `names what it stops`(uploads: Int, words: String) {
        let rows = (1...2).map { TransferSnapshot.sample($0, "f\($0)", .moving, direction: $0 > uploads ? .down : .up) }
        var sitting = Sitting(rows) { totals in
            totals.uploads = .init(
                completed: 0, total: 0, fraction: 0, isEstimated: false, count: uploads, finished: 0, failed: 0,
                cancelled: 0)
        }
        sitting.press("q")
        expect(sitting.canvas.text.contains(words))
    }

    @Test func `needs no answer any more when all has ended meanwhile`() {
        var sitting = Sitting(running)
        sitting.press("q")
        expectEqual(sitting.update(.all([.sample(1, "a", .moving)])), [])
        expectEqual(sitting.update(.all([.sample(1, "a", .cancelled), .sample(2, "b", .paused)])), [])
        expectEqual(sitting.update(.all([.sample(1, "a", .cancelled)])), ["leave"])
    }

    @Test(
        arguments: [
            (.backoff(until: .at(9), attempt: 2, limit: 5, failure: .httpStatus(503)), "is not retried"),
            (.waiting(.slot), "will not start"),
        ] as [(TransferPhase, String)])
    func `needs confirmation while a transfer is about to start or to be retried`(phase: TransferPhase, words: String) {
        var sitting = Sitting([.sample(1, "a", phase)]) { $0.isStarting = phase == .waiting(.slot) }
        expect(sitting.press("q").isEmpty)
        expect(sitting.canvas.text.contains("Quit? 1 download \(words)."))
    }

    @Test(
        arguments: [
            ([], QueueTotals.Listings(open: 1, done: 0, failed: 0, active: 1), false, "1 folder is"),
            ([], .init(open: 3, done: 0, failed: 0, paused: 1), false, "2 folders are"),
            ([], .init(open: 3, done: 0, failed: 0, active: 1), true, "1 folder is"),
            (
                [.sample(1, "a", .moving)], .init(open: 1, done: 0, failed: 0), false,
                "This stops 1 download. 1 folder is"
            ),
        ] as [([TransferSnapshot], QueueTotals.Listings, Bool, String)])
    func `needs confirmation while a folder is listed or is to be listed`(
        rows: [TransferSnapshot], listings: QueueTotals.Listings, isHeld: Bool, words: String
    ) {
        let listing = TransferSnapshot.sample(9, "pub/", .connecting)
        for key in ["q", .control("c")] as [Key] {
            var sitting = Sitting(columns: 120)
            var update = Update.all(rows + [listing])
            update.totals = QueueTotals.counted(rows)
            (update.totals.listings, update.totals.isHeld) = (listings, isHeld)
            sitting.update(update)
            expectEqual(sitting.press(key), [])
            expectEqual(sitting.dashboard.mode, .question(.quit(KeptBytes(sitting.board))))
            expect(
                sitting.dashboard.dialog(for: .quit(KeptBytes(sitting.board)), board: sitting.board).question
                    .contains("\(words) not listed to the end."))
        }
    }

    @Test func `needs no confirmation while all folders to be listed are paused`() {
        for (paused, isHeld) in [(2, false), (0, true)] {
            var sitting = Sitting([.sample(1, "a", .paused)]) { totals in
                totals.isHeld = isHeld
                totals.listings = QueueTotals.Listings(open: 2, done: 1, failed: 0, paused: paused)
            }
            expectEqual(sitting.press("q"), ["leave"])
        }
    }

    @Test(arguments: ["q", .control("c")] as [Key])
    func `needs no confirmation otherwise`(key: Key) {
        for rows in [[], [.sample(1, "a", .paused)], [.sample(1, "a", .cancelled)], [.sample(1, "a")]]
            as [[TransferSnapshot]]
        {
            var sitting = Sitting(rows)
            expectEqual(sitting.press(key), ["leave"])
        }
    }

    @Test func `is immediate with a second Ctrl-C, from the keyboard or as a signal`() {
        for second in [ScreenEvent.key(.control("c")), .interrupt] {
            var asking = Sitting(running)
            asking.handle(.interrupt)
            expectEqual(asking.handle(second), ["leaveAtOnce"])
            var quitting = Sitting()
            expectEqual(quitting.handle(.interrupt), ["leave"])
            expectEqual(quitting.handle(second), ["leaveAtOnce"])
        }
    }

    @Test(arguments: [[], ["a"], ["?"], ["c"]] as [[Key]])
    func `is possible with Ctrl-C in every mode, and never with Esc`(opening: [Key]) {
        var sitting = Sitting(running)
        for key in opening { sitting.press(key) }
        var other = sitting
        expect(sitting.press(.control("c")).isEmpty)
        expectEqual(sitting.dashboard.mode, .question(.quit(KeptBytes(sitting.board))))
        expect(other.press(.escape, .escape, .escape).isEmpty)
        expectEqual(other.dashboard.mode, .normal)
    }

    @Test func `is automatic, if configured, once all transfers are settled and shown`() {
        var sitting = Sitting(running, quitsWhenSettled: true)
        expect(sitting.actions.isEmpty)
        let done = running.map { row in
            var row = row
            row.phase = .finished(.saved(path: "x"))
            return row
        }
        sitting.update(done)
        expect(sitting.actions.isEmpty)
        sitting.wait(0.3)
        expect(sitting.handle(.tick).isEmpty)
        sitting.wait(sitting.nextFrame ?? 99)
        sitting.wait(0.15)
        expectEqual(sitting.handle(.tick), ["leave"])
        expect(sitting.handle(.tick).isEmpty)

        var still = Sitting(running, look: Appearance(isAnimated: false), quitsWhenSettled: true)
        still.update(done)
        expectEqual(still.actions.map(\.words), ["leave"])

        var empty = Sitting([], quitsWhenSettled: true)
        expect(empty.handle(.tick).isEmpty)
    }

    @Test func `waits until an open prompt is closed`() {
        var sitting = Sitting([.sample(1, "a", .moving)], quitsWhenSettled: true)
        sitting.press("a")
        sitting.update([.sample(1, "a", .finished(.saved(path: "a")))])
        sitting.wait(5)
        expect(sitting.handle(.tick).isEmpty)
        expectEqual(sitting.press(.escape), ["leave"])
    }
}
