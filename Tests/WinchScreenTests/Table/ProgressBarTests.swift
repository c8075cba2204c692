import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `A progress bar` {
    private func bar(isASCII: Bool = false, shape: ProgressBar.Shape = .block) -> ProgressBar {
        ProgressBar(look: Appearance(isASCII: isASCII), ink: .flat(.plain), shape: shape)
    }

    private func text(_ cells: [Cell]) -> String {
        String(cells.compactMap(\.text))
    }

    @Test(
        arguments: [
            (
                .block,
                [(0.0, "────────"), (0.062_5, "▌───────"), (0.5, "████────"), (0.55, "████▍───"), (0.99, "███████▉")]
            ),
            (
                .line,
                [(0.0, "────────"), (0.062_5, "╸───────"), (0.125, "━╶──────"), (0.55, "━━━━╶───"), (0.57, "━━━━╸───")]
            ),
            (.line, [(0.9, "━━━━━━━╶"), (0.99, "━━━━━━━╸"), (1.0.nextDown, "━━━━━━━╸")]),
        ] as [(ProgressBar.Shape, [(Double, String)])])
    func `fills in eighths or halves of a cell and is not full before the finish`(
        shape: ProgressBar.Shape, bars: [(Double, String)]
    ) {
        for (fraction, expected) in bars {
            expectEqual(text(bar(shape: shape).cells(fraction: fraction, width: 8, hasMoved: false)), expected)
        }
    }

    @Test(arguments: [ProgressBar.Shape.block, .line])
    func `has the same ASCII form in every shape`(shape: ProgressBar.Shape) {
        let bars: [(Double, String)] = [
            (0.0, "--------"), (0.062_5, ">-------"), (0.5, "####----"), (0.55, "####>---"), (1, "#######>"),
        ]
        for (fraction, expected) in bars {
            expectEqual(
                text(bar(isASCII: true, shape: shape).cells(fraction: fraction, width: 8, hasMoved: false)), expected)
        }
    }

    @Test func `shows a sliver after the first byte and is full only when finished`() {
        expectEqual(text(bar().cells(fraction: 1e-12, width: 4, hasMoved: true)), "▏───")
        expectEqual(text(bar().cells(fraction: 0, width: 4, hasMoved: false)), "────")
        expectEqual(text(bar().cells(fraction: 1, width: 4, hasMoved: true)), "███▉")
        expectEqual(text(bar().cells(fraction: 1, width: 4, hasMoved: true, isFinished: true)), "████")
        expectEqual(text(bar(shape: .line).cells(fraction: 1e-9, width: 4, hasMoved: true)), "╸───")
        expectEqual(text(bar(shape: .line).cells(fraction: 1, width: 4, hasMoved: true, isFinished: true)), "━━━━")
    }

    @Test func `hatches the estimated part`() {
        expectEqual(text(bar().cells(fraction: 0.55, width: 8, hasMoved: true, guessed: 1)), "████▍╌╌╌")
        expectEqual(text(bar(isASCII: true).cells(fraction: 0.55, width: 8, hasMoved: true, guessed: 0.9)), "####>:::")
        expectEqual(text(bar().cells(fraction: 0.25, width: 8, hasMoved: true, guessed: 0.3)), "██────╌╌")
        expectEqual(text(bar().cells(fraction: 0.25, width: 8, hasMoved: true, guessed: 0.001)), "██─────╌")
        expectEqual(text(bar().hatched(width: 4)), "░░░░")
    }

    @Test(arguments: [
        (0.0, "█───────"), (0.2, "▒▓█─────"), (0.3, "░▒▓█────"), (0.6, "───░▒▓█─"), (0.9, "──────░▒"),
        (1.2, "█───────"),
    ])
    func `shows a marquee with a fixed period while the size is unknown`(seconds: Double, expected: String) {
        expectEqual(text(bar().marquee(at: Moment(seconds: 12 + seconds), width: 8)), expected)
    }

    @Test(arguments: [-5, 0, 1, 2, 7, 80, 300])
    func `has exactly the requested width for any values`(width: Int) {
        let fractions = [-1, 0, 0.3, 0.999, 1, 17, .nan, .infinity, -.infinity]
        for isASCII in [false, true] {
            for fraction in fractions {
                for flag in [false, true] {
                    let cells = bar(isASCII: isASCII).cells(
                        fraction: fraction, width: width, hasMoved: flag, isFinished: flag, guessed: fraction)
                    expectEqual(cells.count, max(0, width))
                }
            }
            for time in [Int64.min, -1, 0, 1_199_999_999, .max] {
                expectEqual(
                    bar(isASCII: isASCII).marquee(at: Moment(nanoseconds: time), width: width).count, max(0, width))
            }
        }
    }

    @Test func `is drawn in the rainbow's colours at the given time`() {
        let rainbow = ProgressBar(look: Appearance(theme: .rainbow), ink: .rainbow(.seconds(1)))
        let cells = rainbow.cells(fraction: 0.5, width: 10, hasMoved: true)
        for x in 0..<5 { expectEqual(cells[x].style.foreground, Hue.rainbow(x: x, width: 10, time: .seconds(1))) }
    }
}

@Suite struct `The bar of a row` {
    @Test func `has a gradient in true colour and one colour otherwise`() throws {
        let theme = try require(Theme.named("ocean"))
        let (full, many) = (Appearance(theme: theme, colors: .full), Appearance(theme: theme, colors: .many))
        expect(many.gradient == nil && Appearance(theme: theme).gradient == nil)
        expectNil(Appearance(theme: .mono, colors: .full).gradient)
        func colors(_ look: Appearance) -> [Color] {
            let row = TransferSnapshot.sample(1, "a", .moving, have: 80, of: 100, rate: 1)
            let canvas = Sitting([row], columns: 120, look: look).canvas
            return canvas.line(5).filter { $0.text == "━" }.map(\.style.foreground)
        }
        expectEqual(Set(colors(many)).count, 1)
        expectMore(Set(colors(full)).count, than: 5)
        expect(colors(full).last == theme.barTip.foreground || colors(full).last != colors(full).first)
        let gradient = try require(full.gradient)
        expectEqual(gradient.color(at: 0, of: 50), theme.barStart.foreground)
        expectEqual(gradient.color(at: 49, of: 50), theme.barTip.foreground)
        expectEqual(gradient.color(at: 0, of: 1), theme.barTip.foreground)
        // A bar that grows changes one cell at its end, since the others keep their colours.
        let bar = ProgressBar(look: full, ink: .gradient(gradient))
        expectEqual(
            bar.cells(fraction: 0.5, width: 40, hasMoved: true).prefix(20),
            bar.cells(fraction: 0.6, width: 40, hasMoved: true).prefix(20))
    }
}

@Suite struct `The bar of a file in parts` {
    private func bar(isASCII: Bool = false) -> ProgressBar {
        ProgressBar(look: Appearance(isASCII: isASCII), ink: .flat(.plain), shape: .line)
    }

    private func text(_ cells: [Cell]) -> String { String(cells.compactMap(\.text)) }

    private func cells(
        _ ranges: [Range<Int64>], working: [Int64] = [], of size: Int64 = 1000, width: Int = 8, isASCII: Bool = false
    ) throws -> [Cell] {
        bar(isASCII: isASCII).cells(try require(BarSegments(ranges, working: working, size: size)), width: width)
    }

    @Test(
        arguments: [
            ([0..<250, 500..<600], "━━╶─━╶──", "##>-#---"), ([0..<1, 999..<1000], "╸───────", ">------>"),
            ([560..<1000], "────╺━━╸", "-----##>"), ([0..<999], "━━━━━━━╸", "#######>"), ([], "────────", "--------"),
            ([0..<1000], "━━━━━━━╸", "#######>"), ([-500..<125, 875..<Int64.max], "━╶─────╸", "#>----->"),
        ] as [([Range<Int64>], String, String)])
    func `is filled where the bytes are`(ranges: [Range<Int64>], unicode: String, ascii: String) throws {
        let ends = ranges.map { min($0.upperBound, 999) }
        expectEqual(text(try cells(ranges)), unicode)
        expectEqual(text(try cells(ranges, working: ends, isASCII: true)), ascii)
    }

    @Test func `is bold where a connection works`() throws {
        let cells = try cells([0..<300, 500..<600], working: [300, 600, 900])
        expectEqual(cells.indices.filter { cells[$0].style.isBold }, [2, 4, 7])
        expectEqual(cells[7].text, "╶")
    }

    @Test func `is at most half a cell ahead of that of one connection`() throws {
        for have in Int64(0)..<1000 {
            let halves = try require(BarSegments([0..<have], working: [], size: 1000)).halves(width: 8)
            let plain = Int(Double(have) / 1000 * 16)
            expect(plain...plain + 1 ~= halves.count { $0 })
        }
    }

    @Test func `shows small parts of many connections`() throws {
        let parts = (0..<8).map { (index: Int64) -> Range<Int64> in
            let start = index * 125 + 20
            return start..<start + 60
        }
        expectEqual(text(try cells(parts)), "╸╸╸╸╸╸╸╸")
    }

    @Test func `has as many cells as asked for, whatever the numbers`() throws {
        for width in [0, 1, 2, 300] {
            for size in [1, 2, Int64.max] {
                let cells = try cells([.min..<1, 5..<Int64.max], working: [.min, 0, .max], of: size, width: width)
                expectEqual(cells.count, width)
            }
        }
        expectNil(BarSegments([0..<5], working: [], size: 0))
    }
}
