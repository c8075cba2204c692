import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The bar of the tabs` {
    @Test(arguments: [(.all, "1"), (.active, "2"), (.waiting, "3"), (.failed, "4"), (.done, "5")] as [(ListTab, Key)])
    func `contain the number of rows that they show`(view: ListTab, key: Key) {
        var sitting = Sitting(Scenes.busy, columns: 120, lines: 40)
        sitting.press(key)
        let count = sitting.dashboard.list.order.count
        expect(sitting.lines[3].contains("▐\(view.rawValue + 1) \(view.word) \(count)▌"))
        expectEqual(count, view.count(in: sitting.board.totals))
        expect(sitting.dashboard.list.order.allSatisfy { sitting.board[$0].map { view.contains($0.phase) } ?? false })
    }

    @Test func `are reduced in a low window to the selected one`() {
        var sitting = Sitting(Scenes.busy, columns: 80, lines: 12)
        expect(!sitting.lines[0].contains("["))
        sitting.press("4")
        expect(sitting.lines[0].contains("[Failed 3]"))
    }

    @Test func `show the selected one, the filter and the tags at any width`() {
        for width in 40...300 {
            var sitting = Sitting(Scenes.busy, columns: width, lines: 20)
            sitting.press("5", " ", "/")
            sitting.type("a")
            sitting.press(.enter)
            expect(sitting.lines[3].contains("filter a") && sitting.lines[3].contains("tagged"), "at \(width)")
            if width >= 60 { expect(sitting.lines[3].contains("▐5 Done 2▌"), "at \(width)") }
        }
    }
}
