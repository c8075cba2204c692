import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `A sample interval` {
    @Test func `ends at the first sample after a tenth of a second, at the time of that sample`() {
        var cutter = IntervalCutter()
        cutter.begin(at: 1, with: 500)
        #expect(cutter.cut(at: 1.06, with: 700) == nil)
        #expect(cutter.cut(at: 1.125, with: 1_000) == SampleInterval(seconds: 0.125, bytes: 500))
        #expect(cutter.cut(at: 1.2, with: 1_100) == nil)
    }

    @Test func `loses no bytes between two intervals`() {
        var cutter = IntervalCutter()
        cutter.begin(at: 0, with: 0)
        var sum = SampleInterval.zero
        for step in 1...1_000 {
            if let interval = cutter.cut(at: Double(step) / 64, with: Int64(step) * 100) { sum += interval }
        }
        #expect(sum.bytes / sum.seconds == 6_400)
        #expect(sum.bytes > 99_000)
    }
}
