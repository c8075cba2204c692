import Testing

@testable import WinchCore

@Suite struct `The logarithm` {
    @Test(arguments: [
        (1.0, 0.0), (2.0, 0.693_147_180_559_945), (10.0, 2.302_585_092_994_046), (0.1, -2.302_585_092_994_046),
        (1.5, 0.405_465_108_108_164), (1e9, 20.723_265_836_946_41), (1e-9, -20.723_265_836_946_41),
    ])
    func `is right to nine digits`(x: Double, expected: Double) {
        #expect(abs(naturalLogarithm(x) - expected) < 1e-9)
    }

    @Test func `turns products into sums, wherever they lie`() {
        for step in 0..<1_000 {
            let x = 1 + Double(step) * 0.013
            #expect(abs(naturalLogarithm(x * 7.3) - naturalLogarithm(x) - naturalLogarithm(7.3)) < 2e-9)
        }
    }

    @Test func `says what it cannot take`() {
        #expect(naturalLogarithm(0) == -.infinity)
        #expect(naturalLogarithm(.infinity) == .infinity)
        #expect(naturalLogarithm(-1).isNaN)
        #expect(naturalLogarithm(.nan).isNaN)
    }
}
