import TestSupport
import Testing
import WinchModel

@testable import WinchQueue

@Suite struct `A split controller` {
    @Test func `never repeats a request that may be valid once`() {
        var line = SplitLine(mayRepeat: false) { _ in 4e6 }
        line.run(seconds: 10)
        expectEqual(line.requests, 1)
    }

    @Test func `uses only the slots it is given, up to the ceiling, and gives them up at once`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 2, slots: 3)
        expectEqual(line.open.count, 3)
        line.run(seconds: 0.02, slots: 1)
        expectEqual(line.open, [1])
        var bounded = SplitLine { _ in 4e6 }
        bounded.run(seconds: 2, ceiling: 5)
        expectEqual(bounded.open.count, 5)
    }

    @Test func `ends the splitting when a connection brings another version`() {
        var line = SplitLine { _ in 4e6 }
        line.run(seconds: 1)
        _ = line.controller.apply(.unsplittable, at: line.now)
        line.run(seconds: 1)
        expectEqual(line.open, [1])
    }
}
