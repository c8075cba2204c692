import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `The easing of a bar` {
    @Test(arguments: [
        (0.0, 1.0), (0.5, 0.606_530_659_712_633_4), (1, 0.367_879_441_171_442_3), (3, 0.049_787_068_367_863_94),
        (12, 6.144_212_353_328_21e-6), (700, 0), (-1, 1),
    ])
    func `decays as e to the minus x`(x: Double, expected: Double) {
        expectAtMost(abs(AnimationEasing.decay(x) - expected), expected * 1e-14)
    }

    @Test func `goes 95% of the way in 250 ms, all of it during a suspension, and never backwards`() {
        expectEqual(AnimationEasing.step(from: 0.2, to: 0.8, elapsed: .seconds(-5)), 0.2)
        expectEqual(AnimationEasing.step(from: 0.2, to: 0.8, elapsed: .seconds(3600)), 0.8)
        expectLess(
            abs(AnimationEasing.step(from: 0, to: 1, elapsed: .milliseconds(250)) - 0.950_212_931_632_136), than: 1e-12)
        expectEqual(AnimationEasing.step(from: 0.2, to: 0.8, elapsed: .zero), 0.2)
    }
}
