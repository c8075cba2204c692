import WinchModel

/// Colours by their angle on the colour circle.
enum Hue {
    /// The rainbow's colour at cell `x` of `width`, `time` after its start: it turns once over the bar's width and runs
    /// to the right at 62.5 degrees a second, a round in 5.76 s.
    ///
    /// hue(x, t) = (360 x / W - 62.5 t) mod 360
    static func rainbow(x: Int, width: Int, time: Duration) -> Color {
        let turned = 360 * Double(x) / Double(max(1, width)) - 62.5 * time.seconds
        return color(degrees: turned)
    }

    /// The colour at an angle, rounded down to steps of 6 degrees: finer steps are not visible on a bar, and a
    /// terminal has few colour pairs.
    static func color(degrees: Double) -> Color {
        guard degrees.isFinite else { return .standard }
        let wrapped = degrees.truncatingRemainder(dividingBy: 360)
        let step = Int((wrapped < 0 ? wrapped + 360 : wrapped) / 6) % 60
        let sector = step / 10
        let rise = Double(step % 10) / 10
        let (low, high) = (70.0, 240.0)
        let up = low + (high - low) * rise
        let down = high - (high - low) * rise
        switch sector {
        case 0: return rgb(high, up, low)
        case 1: return rgb(down, high, low)
        case 2: return rgb(low, high, up)
        case 3: return rgb(low, down, high)
        case 4: return rgb(up, low, high)
        default: return rgb(high, low, down)
        }
    }

    private static func rgb(_ red: Double, _ green: Double, _ blue: Double) -> Color {
        .rgb(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
    }
}
