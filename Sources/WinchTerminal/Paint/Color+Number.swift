import WinchScreen

extension Color {
    /// The terminal's number for the colour, or for the nearest one that it has; -1 is its default colour.
    func number(at depth: ColorDepth) -> Int32 {
        switch (self, depth) {
        case (.standard, _), (_, .mono): -1
        case (.ansi(let index), .eight): Int32(index % 8)
        case (.ansi(let index), _): Int32(index % 16)
        case (.rgb(let red, let green, let blue), .direct):
            // Numbers below 16 are the colours of the user's palette, so the darkest blues are raised to 16.
            max(16, Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
        case (.rgb(let red, let green, let blue), .indexed256): Self.indexed(RGB(red, green, blue))
        case (.rgb(let red, let green, let blue), .sixteen): Self.nearest(RGB(red, green, blue), of: 16)
        case (.rgb(let red, let green, let blue), .eight): Self.nearest(RGB(red, green, blue), of: 8)
        }
    }

    private struct RGB {
        var red, green, blue: Int32

        init(_ red: some BinaryInteger, _ green: some BinaryInteger, _ blue: some BinaryInteger) {
            (self.red, self.green, self.blue) = (Int32(red), Int32(green), Int32(blue))
        }

        /// The squared distance, weighted by the approximate brightness of each component.
        func distance(to other: RGB) -> Int32 {
            let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
            return 3 * red * red + 6 * green * green + 2 * blue * blue
        }
    }

    /// The cube of 6 x 6 x 6 (from 16) or the 24 greys (from 232), whichever is nearer. The first 16 are not used:
    /// the user can change them, so their shades are unknown.
    private static func indexed(_ color: RGB) -> Int32 {
        let steps: [Int32] = [0, 95, 135, 175, 215, 255]
        func step(_ value: Int32) -> Int {
            steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
        }
        let (red, green, blue) = (step(color.red), step(color.green), step(color.blue))
        let grey = min(max((color.red + color.green + color.blue) / 3 - 3, 0) / 10, 23)
        let greyLevel = 8 + 10 * grey
        let fromCube = color.distance(to: RGB(steps[red], steps[green], steps[blue]))
        let fromGrey = color.distance(to: RGB(greyLevel, greyLevel, greyLevel))
        return fromGrey < fromCube ? 232 + grey : Int32(16 + 36 * red + 6 * green + blue)
    }

    private static func nearest(_ color: RGB, of count: Int) -> Int32 {
        let found = xterm.prefix(count).indices.min { color.distance(to: xterm[$0]) < color.distance(to: xterm[$1]) }
        return Int32(found ?? 7)
    }

    /// The first 16 colours as xterm has them.
    private static let xterm = [
        RGB(0, 0, 0), RGB(205, 0, 0), RGB(0, 205, 0), RGB(205, 205, 0), RGB(0, 0, 238), RGB(205, 0, 205),
        RGB(0, 205, 205), RGB(229, 229, 229), RGB(127, 127, 127), RGB(255, 0, 0), RGB(0, 255, 0), RGB(255, 255, 0),
        RGB(92, 92, 255), RGB(255, 0, 255), RGB(0, 255, 255), RGB(255, 255, 255),
    ]
}
