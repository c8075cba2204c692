import TestSupport
import Testing

@testable import WinchScreen
@testable import WinchTerminal

@Suite struct `A colour palette` {
    @Test(arguments: [
        (Color.standard, ColorDepth.direct, Int32(-1)), (.rgb(red: 1, green: 2, blue: 3), .mono, -1),
        (.ansi(12), .direct, 12), (.ansi(12), .indexed256, 12), (.ansi(12), .sixteen, 12), (.ansi(12), .eight, 4),
        (.rgb(red: 255, green: 128, blue: 32), .direct, 0xFF8020), (.rgb(red: 0, green: 0, blue: 0), .direct, 16),
        (.rgb(red: 255, green: 0, blue: 0), .indexed256, 196), (.rgb(red: 0, green: 0, blue: 0), .indexed256, 16),
        (.rgb(red: 255, green: 255, blue: 255), .indexed256, 231),
        (.rgb(red: 128, green: 128, blue: 128), .indexed256, 244),
        (.rgb(red: 95, green: 135, blue: 175), .indexed256, 67), (.rgb(red: 250, green: 10, blue: 5), .sixteen, 9),
        (.rgb(red: 200, green: 10, blue: 5), .eight, 1), (.rgb(red: 240, green: 240, blue: 240), .eight, 7),
    ])
    func `finds the nearest available colour`(color: Color, depth: ColorDepth, number: Int32) {
        expectEqual(color.number(at: depth), number)
    }

    @Test func `defines each pair once`() {
        var palette = ColorPalette(depth: .indexed256, pairs: 65_536)
        let red = palette.pen(for: Style(foreground: .ansi(1)))
        let bold = palette.pen(for: Style(foreground: .ansi(1), isBold: true))
        expectEqual(red?.pair, 1)
        expectEqual(bold?.pair, 1)
        expect(red?.attributes != bold?.attributes)
        expectEqual(palette.takeFresh().count, 1)
        expectEqual(palette.pen(for: Style(foreground: .ansi(1))), red)
        expect(palette.takeFresh().isEmpty)
        expectEqual(palette.pen(for: .plain), CursesStyle())
    }

    @Test func `reports that it is full and starts over`() {
        var palette = ColorPalette(depth: .indexed256, pairs: 4)
        for color in 1...3 { expect(palette.pen(for: Style(foreground: .ansi(UInt8(color)))) != nil) }
        expectNil(palette.pen(for: Style(foreground: .ansi(4))))
        expectEqual(palette.pen(for: .plain), CursesStyle())
        palette.startOver()
        expectEqual(palette.pen(for: Style(foreground: .ansi(4)))?.pair, 1)
    }

    @Test func `has space for all colours of the rainbow`() {
        var palette = ColorPalette(depth: .direct, pairs: 65_536)
        for step in 0..<1_530 {
            let (sector, rest) = (step / 255, UInt8(step % 255))
            let channels: [(UInt8, UInt8, UInt8)] = [
                (255, rest, 0), (255 - rest, 255, 0), (0, 255, rest), (0, 255 - rest, 255), (rest, 0, 255),
                (255, 0, 255 - rest),
            ]
            let (red, green, blue) = channels[sector]
            expect(palette.pen(for: Style(foreground: .rgb(red: red, green: green, blue: blue))) != nil)
        }
    }

    @Test(
        arguments: [
            // The empty parts of bars in the themes dark, light, ocean and ember.
            (0x4A, 0x53, 0x63, Style(isDim: true)), (0xA0, 0xA8, 0xB2, Style(isDim: true)),
            (0x2F, 0x4A, 0x5C, Style(isDim: true)), (0x4D, 0x3B, 0x2E, Style(isDim: true)), (240, 240, 240, .plain),
            (5, 5, 5, .plain), (200, 10, 5, Style(foreground: .ansi(1))),
        ] as [(UInt8, UInt8, UInt8, Style)])
    func `avoids the background's colour for grey where there are eight colours, and uses bold for bright ones`(
        red: UInt8, green: UInt8, blue: UInt8, expected: Style
    ) {
        var palette = ColorPalette(depth: .eight, pairs: 64)
        let bright = Style(foreground: .ansi(9))
        expectEqual(palette.pen(for: bright), palette.pen(for: Style(foreground: .ansi(1), isBold: true)))
        let color = Color.rgb(red: red, green: green, blue: blue)
        expectEqual(palette.pen(for: Style(foreground: color)), palette.pen(for: expected))
        expectEqual(palette.pen(for: Style(foreground: color)), palette.pen(for: expected), "a second time as well")
    }
}
