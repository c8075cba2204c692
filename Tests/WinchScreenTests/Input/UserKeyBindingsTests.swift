import TestSupport
import Testing
import WinchBatch

@testable import WinchModel
@testable import WinchScreen

@Suite struct `User-defined keys` {
    private func sitting(_ choices: (String, String)...) -> (Sitting, [String]) {
        let keys = UserKeyBindings(
            choices.enumerated().map { number, choice in
                NameValueLines.Line(number: number + 1, setting: NameValueLine(name: choice.0, value: choice.1))
            })
        var sitting = Sitting()
        sitting.dashboard = Dashboard(title: "", look: Appearance(), columns: 120, rows: 40, keys: keys)
        sitting.update(Scenes.busy)
        return (sitting, keys.problems.map { "\($0.line): \($0.message)" })
    }

    @Test func `replace the built-in ones, in footer and help too`() {
        var (sitting, problems) = sitting(("pause-all", "F5 Ctrl-P p"), ("retry", ""))
        expect(problems.isEmpty)
        expectEqual(sitting.press(.function(5)), ["pauseAll"])
        expectEqual(sitting.press(.control("p")), ["pauseAll"])
        expectEqual(sitting.press("p"), ["pauseAll"], "it is removed from its previous action")
        expect(sitting.press("P").isEmpty)
        expect(sitting.press("r").isEmpty)
        expect(sitting.footer.contains("F5 pause all"))
        sitting.press("?")
        expect(sitting.canvas.text.contains("F5 Ctr"))
    }

    @Test(
        arguments: [
            ("nonsense", "p", "1: there is no action nonsense"), ("pause", "Foo", "1: there is no key Foo"),
            ("puase", "p", "1: there is no action puase; did you mean pause?"),
            ("pause", "Entre", "1: there is no key Entre; did you mean Enter?"),
            ("pause", "Ctrl-C", "1: Ctrl-C always ends the program"),
            ("interrupt", "x", "1: Ctrl-C always ends the program"),
        ])
    func `report an invalid line and keep the others`(action: String, keys: String, problem: String) {
        var (sitting, problems) = sitting((action, keys), ("pause-all", "F5"))
        expectEqual(problems, [problem])
        expectEqual(sitting.press(.function(5)), ["pauseAll"])
    }
}
