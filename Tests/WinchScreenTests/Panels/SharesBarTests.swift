import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

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
