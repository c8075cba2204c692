import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The details panel` {
    private func open(_ columns: Int = 120, _ lines: Int = 40, details: TransferDetails? = .full) -> Sitting {
        var sitting = Sitting(Scenes.busy, columns: columns, lines: lines)
        sitting.press("j", "j", .enter)
        if let details { sitting.update(.details(details, of: Scenes.busy)) }
        return sitting
    }

    @Test func `is opened by Enter, follows the selection and is closed by Esc`() {
        var sitting = Sitting(Scenes.busy)
        expectEqual(sitting.press("j", .enter), ["watch(Optional(TransferID(number: 2)), by: 0)"])
        expectEqual(sitting.press("j"), ["watch(Optional(TransferID(number: 3)), by: 0)"])
        expectEqual(sitting.press("p").first, "pause([TransferID(number: 3)])", "other keys go on as ever")
        expectEqual(sitting.press(.escape), ["watch(nil, by: 0)"])
        expect(!sitting.dashboard.isDetailsOpen)
        expectEqual(sitting.press(.enter, .enter), ["watch(nil, by: 0)"])
    }

    @Test func `shows that details are loading, and none of another transfer`() {
        var other = TransferDetails.full
        other.id = TransferID(5)
        for sitting in [open(details: nil), open(details: other)] {
            expect(sitting.canvas.text.contains("Loading details"))
            expect(!sitting.canvas.text.contains("192.0.2.33"))
        }
    }

    @Test func `scrolls up to its end`() {
        var sitting = open(80, 20)
        expect(!sitting.canvas.text.contains("accept-ranges"))
        for _ in 0..<30 { sitting.press("J") }
        expect(sitting.canvas.text.contains("accept-ranges"))
        let end = sitting.canvas
        sitting.press("J")
        expectEqual(sitting.canvas, end)
        for _ in 0..<30 { sitting.press("K") }
        expect(sitting.canvas.text.contains("URL"))
    }

    @Test func `is closed with the last transfer`() {
        var sitting = open()
        var gone = Update(order: [], totals: QueueTotals(), at: .at(1))
        gone.removed = Scenes.busy.map(\.id)
        sitting.update(gone)
        expect(!sitting.dashboard.isDetailsOpen)
        expect(sitting.press(.enter).isEmpty)
    }
}

@Suite struct `A bar of shares` {
    private func cells(
        _ ok: Double, _ failed: Double, _ cancelled: Double, width: Int = 10, isFinished: Bool = false,
        isASCII: Bool = false
    ) -> [Cell] {
        let symbols = UnicodeAndASCIISymbols(isASCII: isASCII)
        return SharesBar(
            shares: [
                .init(fraction: ok, symbol: symbols.full, style: Style(foreground: .ansi(2))),
                .init(fraction: failed, symbol: symbols.fullFailed, style: Style(foreground: .ansi(1))),
                .init(fraction: cancelled, symbol: symbols.fullCancelled, style: Style(isDim: true)),
            ], symbols: symbols, track: Style(isDim: true)
        ).cells(width: width, isFinished: isFinished)
    }

    @Test func `has a colour for each share, and a sign in ASCII`() {
        expectEqual(String(cells(0.5, 0.2, 0.1, isASCII: true).compactMap(\.text)), "#####xx=--")
        expectEqual(
            cells(0.5, 0.2, 0.1).prefix(7).map(\.style.foreground),
            Array(repeating: .ansi(2), count: 5) + [
                .ansi(1), .ansi(1),
            ])
    }

    @Test func `uses the next share's colour as the background of a divided cell`() {
        let cell = cells(0.25, 0.25, 0)[2]
        expectEqual(cell.text, "▌")
        expectEqual(cell.style, Style(foreground: .ansi(2), background: .ansi(1)))
    }

    @Test func `shows a share of one in ten thousand and is full only at the end`() {
        expectEqual(cells(0.5, 0.000_1, 0)[5].text, "▏")
        expectEqual(cells(1, 0, 0).last?.text, "▉")
        expectEqual(cells(0.9, 0.1, 0, isFinished: true).last?.text, "▓")
        expect(cells(0, 0, 0).allSatisfy { $0.text == "─" })
        for width in [0, 1, 2, 99] { expectEqual(cells(0.3, 0.3, 0.4, width: width, isFinished: true).count, width) }
    }
}
