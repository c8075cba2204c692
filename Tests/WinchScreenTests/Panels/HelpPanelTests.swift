import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The help panel` {
    @Test func `lists every key`() {
        for size in [(80, 24), (120, 36), (200, 60)] {
            var sitting = Sitting(Scenes.busy, columns: size.0, lines: size.1)
            sitting.press("?")
            var text = sitting.canvas.text
            for _ in 0..<sitting.dashboard.helpPanel.lastTop {
                sitting.press("j")
                text += sitting.canvas.text
            }
            for binding in KeyMap.standard.bindings where binding.applies != .attached && binding.applies != .fleet {
                expect(text.contains(binding.words), "\(binding.words) at \(size)")
                for key in binding.keys { expect(text.contains(key.name(isASCII: false))) }
            }
        }
    }

    @Test func `fits its columns`() {
        for binding in KeyMap.standard.bindings {
            let keys = binding.keys.map { $0.name(isASCII: true) }.joined(separator: " ")
            expectLess(keys.count, than: HelpPanel.keyWidth, "\(keys)")
            expectAtMost(binding.words.count, HelpPanel.wordsWidth, "\(binding.words)")
        }
    }

    @Test func `scrolls to its last line in a low window`() {
        var sitting = Sitting(Scenes.busy, columns: 40, lines: 10)
        sitting.press("h")
        expect(!sitting.canvas.text.contains("last row"))
        sitting.press(.end)
        expect(sitting.canvas.text.contains("last row"))
        sitting.press(.home, .down, .pageDown, .pageUp, .up)
        expectEqual(sitting.dashboard.mode, .help(top: 0))
        sitting.press(.end)
        sitting.handle(.resized(columns: 120, rows: 40))
        expectEqual(sitting.dashboard.mode, .help(top: 0))
    }

    @Test func `does not stop updates of the header`() {
        var sitting = Sitting(Scenes.busy)
        sitting.press("?")
        sitting.update([.sample(1, "only", .moving)])
        expect(sitting.lines[2].contains("0 of 1 done"))
    }
}
