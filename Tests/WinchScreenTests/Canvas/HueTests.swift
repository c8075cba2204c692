import TestSupport
import Testing

@testable import WinchScreen

@Suite struct `The rainbow of a bar` {
    @Test func `has one cycle over the bar and moves to the right`() {
        expectEqual(Hue.rainbow(x: 0, width: 36, time: .zero), Hue.color(degrees: 0))
        expectEqual(Hue.rainbow(x: 18, width: 36, time: .zero), Hue.color(degrees: 180))
        expectEqual(Hue.rainbow(x: 36, width: 36, time: .zero), Hue.color(degrees: 0))
        // 62.5 degrees a second: after 2.88 s the colours have moved by half a bar.
        expectEqual(Hue.rainbow(x: 18, width: 36, time: .seconds(2.88)), Hue.color(degrees: 0))
        expectEqual(Hue.rainbow(x: 0, width: 36, time: .seconds(5.76)), Hue.color(degrees: 0))
    }

    @Test func `has sixty colours`() {
        let colors = Set((0..<3600).map { Hue.color(degrees: Double($0) / 10) })
        expectEqual(colors.count, 60)
        expectEqual(Hue.color(degrees: .nan), .standard)
        expectEqual(Hue.color(degrees: -30), Hue.color(degrees: 330))
        expectEqual(Hue.color(degrees: 0), .rgb(red: 240, green: 70, blue: 70))
    }
}
