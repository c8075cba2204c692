import Testing

@testable import WinchModel
@testable import WinchScreen

/// Whole screens as text. `Golden` describes how to record them again.
@Suite struct `The text of the dashboard matches the recording` {
    private func picture(
        _ columns: Int, _ lines: Int, look: Appearance = Appearance(), keys: [Key] = ["j", "j"],
        change: (inout QueueTotals) -> Void = { _ in }
    ) -> String {
        var sitting = Sitting(Scenes.busy, columns: columns, lines: lines, look: look, change: change)
        sitting.wait(0.6)
        sitting.handle(.tick)
        for key in keys { sitting.press(key) }
        return sitting.canvas.text
    }

    @Test func `at its usual size`() throws {
        try Golden.expect(
            picture(80, 24), is: "picture-usual")
    }

    @Test func `with space for sizes`() throws {
        try Golden.expect(
            picture(120, 30), is: "picture-sizes")
    }

    @Test func `with space for hosts`() throws {
        try Golden.expect(
            picture(200, 26), is: "picture-hosts")
    }

    @Test func `at its smallest size`() throws {
        try Golden.expect(
            picture(40, 10), is: "picture-small")
    }

    @Test func `in ASCII`() throws {
        try Golden.expect(
            picture(80, 28, look: Appearance(isASCII: true)), is: "picture-ascii")
    }

    @Test func `in simple mode`() throws {
        try Golden.expect(
            picture(80, 12) { totals in
                totals.mode = .simple
                (totals.completed, totals.total) = (Int64(totals.settled), Int64(totals.count))
                totals.fraction = Double(totals.settled) / Double(totals.count)
                totals.isEstimated = false
                totals.sizing = .init(answered: 3, asked: 40)
            }, is: "picture-files")
    }

    @Test func `with the help open`() throws {
        try Golden.expect(
            picture(80, 24, keys: ["j", "j", "?"]), is: "picture-help")
    }
}
