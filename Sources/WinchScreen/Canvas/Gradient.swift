/// A gradient from one colour to another, in few steps: a terminal has few colour pairs, and each change of colour
/// costs 20 bytes of output.
struct Gradient: Hashable, Sendable {
    private let colors: [Color]

    /// 24 steps: more cannot be distinguished along a bar.
    static let steps = 24

    /// - Returns: `nil` unless both are RGB colours: the shades of the terminal's palette are unknown.
    init?(from start: Color, to end: Color, steps: Int = Self.steps) {
        guard case .rgb(let red, let green, let blue) = start, case .rgb(let red2, let green2, let blue2) = end,
            steps > 1
        else { return nil }
        colors = (0..<steps).map { step in
            func mixed(_ from: UInt8, _ to: UInt8) -> UInt8 {
                UInt8(Int(from) + (Int(to) - Int(from)) * step / (steps - 1))
            }
            return .rgb(red: mixed(red, red2), green: mixed(green, green2), blue: mixed(blue, blue2))
        }
    }

    /// The colour at `place` of `count` places, from 0; the last place has the end colour.
    func color(at place: Int, of count: Int) -> Color {
        guard count > 1 else { return colors[colors.count - 1] }
        let place = min(max(place, 0), count - 1)
        return colors[min(colors.count - 1, place * colors.count / (count - 1))]
    }
}
