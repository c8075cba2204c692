import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The columns panel` {
    private func open(columns: Int = 120, lines: Int = 36, look: Appearance = Appearance()) -> Sitting {
        var sitting = Sitting(Scenes.busy, columns: columns, lines: lines, look: look)
        sitting.press("C")
        return sitting
    }

    private func shown(_ sitting: Sitting) -> [String] {
        sitting.dashboard.columnLayout.fields.map(\.column.rawValue).filter { $0 != "mark" }
    }

    @Test func `shows and hides the selected column at once`() {
        var sitting = open()
        let before = shown(sitting)
        expectEqual(before.prefix(3), ["name", "bar", "percent"])
        sitting.press(" ")
        expectEqual(shown(sitting).first, "name")
        expect(sitting.message.contains("The name is always shown"))
        sitting.press("j", " ")
        expectEqual(shown(sitting), before.filter { $0 != "bar" })
        expect(sitting.lines.contains { $0.contains("[ ] bar") })
        sitting.press(" ")
        expectEqual(shown(sitting), before)
        sitting.press(" ", "a")
        expectEqual(shown(sitting), before)
        expect(sitting.dashboard.columnChoice.isAutomatic, "a restores the standard columns")
    }

    @Test(arguments: [("]", "["), ("J", "K")] as [(Key, Key)])
    func `moves the selected column up to the ends`(later: Key, earlier: Key) {
        var sitting = open()
        sitting.press("j", later)
        expectEqual(shown(sitting).prefix(3), ["name", "percent", "bar"])
        sitting.press(earlier, earlier, earlier)
        expectEqual(shown(sitting).prefix(3), ["bar", "name", "percent"])
    }

    @Test func `is saved with W in the format of the option`() {
        var sitting = open()
        sitting.press("G", "[")
        let saved = sitting.press("W").first ?? ""
        expect(saved.contains(" columns=name,bar,percent,"))
        expect(sitting.dashboard.value(of: .columns, board: sitting.board).hasPrefix("name,bar,percent,"))
    }

    @Test(arguments: [(80, 24), (120, 36), (40, 10), (40, 8)], [false, true])
    func `keeps the selected column visible`(size: (Int, Int), isASCII: Bool) {
        var sitting = open(columns: size.0, lines: size.1, look: Appearance(isASCII: isASCII))
        for _ in ColumnChoice.all {
            guard case .columns(let view) = sitting.dashboard.mode else { return }
            let name = view.columns[view.index].rawValue
            expect(sitting.lines.contains { $0.contains(isASCII ? "> [" : "▸ [") && $0.contains("] \(name)") })
            sitting.press("j")
        }
    }

    @Test func `is also available as a command and a setting`() {
        var sitting = Sitting(Scenes.busy, columns: 120)
        sitting.press(":")
        sitting.type("columns name,rate")
        sitting.press(.enter)
        expectEqual(shown(sitting), ["name", "rate"])
        sitting.press(":")
        sitting.type("columns")
        sitting.press(.enter)
        expect(sitting.canvas.text.contains("show or hide"))
    }
}
