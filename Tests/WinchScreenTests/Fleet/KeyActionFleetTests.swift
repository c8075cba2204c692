import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The dashboard over a fleet` {
    @Test(arguments: ["p", "+", "-", "m", "[", "x", ")", "a", "d", "D", "b", "o", "S", "&", "Q", "W"] as [Key])
    func `says why a key has no effect`(key: Key) {
        var sitting = Sitting.fleet()
        sitting.press("g")
        expectEqual(sitting.press(key), [])
        expect(!sitting.message.isEmpty)
        expectEqual(sitting.dashboard.mode, .normal)
    }

    @Test func `pauses, resumes, retries and limits the whole fleet`() {
        var sitting = Sitting.fleet()
        expectEqual(sitting.press("P"), ["pauseAll"])
        expectEqual(sitting.press("R"), ["retryFailed"])
        expectEqual(sitting.press("z").count, 1)
        expectEqual(sitting.press("q"), ["leave"])
    }

    @Test func `has only its own keys in the footer and the help`() {
        var sitting = Sitting.fleet(columns: 200, lines: 60)
        expect(sitting.footer.contains("M machines") && sitting.footer.contains("q leave"))
        expect(!sitting.footer.contains("add") && !sitting.footer.contains("settings"))
        sitting.press("?")
        let help = sitting.lines.joined(separator: "\n")
        expect(help.contains("leave; the fleet goes on") && !help.contains("session") && !help.contains("queue"))
        var own = Sitting(Sitting.fleetRows, columns: 200, lines: 60)
        expect(!own.footer.contains("machines"))
        own.press("M")
        expect(own.message.contains("on this machine"))
        own.press("?")
        expect(!own.lines.joined().contains("fleet"))
    }
}
