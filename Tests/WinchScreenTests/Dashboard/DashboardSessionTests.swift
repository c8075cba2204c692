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
        expectEqual(whole.press("&"), ["hand over"])
        var rows = Self.rows
        rows[0].wouldBeginAgain = true
        var sitting = Sitting(rows)
        expectEqual(sitting.press("&"), [])
        let screen = sitting.lines.joined()
        expect(screen.contains("1 transfer begins again") && screen.contains("a.iso"))
        expectEqual(sitting.press("n"), [])
        expectEqual(sitting.press("&", .escape), [])
        expect(!sitting.lines.joined().contains("begins again"))
        expectEqual(sitting.press("&", "y"), ["hand over"])
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
