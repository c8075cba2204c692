import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `The deviation of a rate` {
    private static func noise(of values: [Double]) -> (noise: Double, isBiased: Bool) {
        var deviation = RateDeviation()
        for (step, value) in values.enumerated() {
            deviation.take(value, over: 0.1, age: Double(step) / 10, total: Double(step) / 10)
        }
        return (deviation.noise(total: Double(values.count) / 10), deviation.isBiased)
    }

    @Test func `is small for a steady stream`() {
        let (noise, isBiased) = Self.noise(of: Array(repeating: 0, count: 600))
        #expect(noise < 0.03)
        #expect(!isBiased)
    }

    @Test func `is the amplitude of a wave`() {
        let (noise, isBiased) = Self.noise(of: (0..<600).map { $0 / 10 % 2 == 0 ? 0.4 : -0.4 })
        #expect((0.3..<0.5).contains(noise))
        #expect(!isBiased)
    }

    @Test func `to one side is a bias, not noise`() {
        let (noise, isBiased) = Self.noise(of: Array(repeating: 0.3, count: 600))
        #expect(noise < 0.05)
        #expect(isBiased)
    }

    @Test func `is not changed by a single outlier`() {
        let (noise, isBiased) = Self.noise(of: (0..<600).map { $0 == 590 ? -3 : 0 })
        #expect(noise < 0.03)
        #expect(!isBiased)
    }

    @Test func `is large for a new stream`() {
        #expect(Self.noise(of: [0, 0]).noise > 0.3)
    }
}
