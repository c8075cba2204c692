import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A notice above the footer` {
    @Test func `shows problems until a key is pressed, and the log lists all of them`() {
        let problems = [
            "/home/me/.config/winch/winch.conf:3: there is no option colour", "/x/sea.theme:9: no such colour",
        ]
        var sitting = Sitting(Scenes.busy)
        sitting.handle(.problems(problems))
        sitting.wait(1000)
        sitting.handle(.tick)
        expectEqual(
            sitting.message, " 2 problems (l shows all), the first: winch.conf:3: there is no option colour")
        sitting.press("l", "w")
        for problem in problems {
            expect(sitting.lines.contains { $0.contains("WARN") && $0.contains(problem.suffix(20)) })
        }
        sitting.press(.escape)
        expect(sitting.footer.contains("? help"))
    }

    @Test func `shows a single problem on as many lines as it needs`() {
        var sitting = Sitting(Scenes.busy, columns: 40, lines: 12)
        sitting.handle(.problems(["winch.conf:3: limit-rate: bytes a second, such as 500K or 2M, not 'fast'"]))
        expect(sitting.canvas.text.contains("winch.conf:3: limit-rate: bytes a"))
        expect(sitting.message.contains("(l shows it again)"))
    }

    @Test func `shows a notice for four seconds, without control characters`() {
        var sitting = Sitting(Scenes.busy)
        sitting.handle(.notice("line 3: bad URL \u{1B}[2J"))
        expectEqual(sitting.message, " line 3: bad URL �[2J")
        sitting.wait(3.9)
        sitting.handle(.tick)
        expect(sitting.message.contains("bad URL"))
        sitting.wait(0.2)
        sitting.handle(.tick)
        expect(sitting.footer.contains("? help"))
    }
}
