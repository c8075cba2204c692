import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `A fit of the costs per file and per byte` {
    /// Simulates files that take `perFile` seconds and `perByte` seconds a byte, and predicts the time for `left`.
    private static func foretold(
        _ sizes: [Double], perFile: Double, perByte: Double, left: QueueLeft
    ) -> Double? {
        var fit = QueueFit()
        for (index, size) in sizes.enumerated() {
            let seconds = perFile + perByte * size
            fit.take(SampleInterval(seconds: seconds / 2, bytes: size / 2), done: index)
            fit.take(SampleInterval(seconds: seconds / 2, bytes: size / 2), done: index + 1)
        }
        return fit.timeLeft(left)
    }

    private static let mixed = (0..<200).map { (index: Int) -> Double in
        index % 10 == 0 ? 90_000 : Double(1_000 + index % 7 * 500)
    }

    @Test(arguments: [(0.2, 1e-6), (0.2, 1e-5), (0.02, 1e-5)])
    func `separates the cost of a file from that of a byte`(perFile: Double, perByte: Double) throws {
        // What is left differs from what was measured: few large files.
        let left = QueueLeft(bytes: 5e6, files: 5)
        let expected = perFile * 5 + perByte * 5e6
        let seconds = try require(Self.foretold(Self.mixed, perFile: perFile, perByte: perByte, left: left))
        expectLess(abs(seconds - expected), than: 0.2 * expected)
    }

    @Test func `predicts similar files well even if it cannot separate the costs`() throws {
        let alike = Array(repeating: 10_000.0, count: 100)
        let left = QueueLeft(bytes: 1e6, files: 100)
        let seconds = try require(Self.foretold(alike, perFile: 0.1, perByte: 1e-5, left: left))
        expectLess(abs(seconds - 20), than: 0.5)
    }

    @Test func `uses bytes only until a file ends, and predicts nothing at first`() {
        var fit = QueueFit()
        let left = QueueLeft(bytes: 1_000, files: 3)
        expectNil(fit.timeLeft(left))
        fit.take(SampleInterval(seconds: 2, bytes: 500), done: 0)
        expectEqual(fit.timeLeft(left), 4)
    }

    @Test(arguments: [0, 1])
    func `follows the rate of the next seconds after a change of what runs`(filesPerSecond: Int) throws {
        var fit = QueueFit()
        fit.begin(done: 0)
        let left = QueueLeft(bytes: 60_000, files: 60 * filesPerSecond)
        for second in 1...60 {
            fit.take(SampleInterval(seconds: 1, bytes: 1_000), done: second * filesPerSecond)
        }
        let before = try require(fit.timeLeft(left))
        expectLess(abs(before - 60), than: 3)
        fit.expectChange()
        for _ in 0..<2 { fit.take(SampleInterval(seconds: 2, bytes: 1_000), done: 60 * filesPerSecond) }
        let after = try require(fit.timeLeft(left))
        expectMore(after, than: 1.5 * before, "\(after)")
    }

    @Test(arguments: [10.0, 20_000])
    func `believes no window that a change is greater than fourfold`(bytes: Double) throws {
        var fit = QueueFit()
        fit.begin(done: 0)
        let left = QueueLeft(bytes: 60_000, files: 0)
        for _ in 1...60 { fit.take(SampleInterval(seconds: 1, bytes: 1_000), done: 0) }
        let before = try require(fit.timeLeft(left))
        fit.expectChange()
        fit.take(SampleInterval(seconds: 1, bytes: bytes), done: 0)
        let after = try require(fit.timeLeft(left))
        // A fourfold change, and the window itself among those before it.
        expect(after < 5 * before && after > before / 6, "\(after)")
    }

    @Test func `never predicts a negative time`() throws {
        var fit = QueueFit()
        for step in 0..<50 {
            // Seconds with many files bring fewer bytes, and the other way round.
            fit.take(SampleInterval(seconds: 1, bytes: Double(50 - step) * 1_000), done: step * step / 2)
        }
        let bytesOnly = try require(fit.timeLeft(QueueLeft(bytes: 1e6, files: 0)))
        let filesOnly = try require(fit.timeLeft(QueueLeft(bytes: 0, files: 100)))
        expect(bytesOnly >= 0 && filesOnly >= 0 && bytesOnly + filesOnly > 0)
    }
}
