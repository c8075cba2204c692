import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The progress of a split file` {
    @Test func `keeps the largest parts when there are too many`() {
        // Each fourth is one byte long.
        let ranges = (0..<40).map { (index: Int) -> Range<Int64> in
            let start = Int64(index) * 100
            return start..<start + (index % 4 == 3 ? 1 : 50)
        }
        let progress = SplitProgress(connections: 4, onDisk: ranges, working: [9, 3])
        expectEqual(progress.onDisk.count, 32)
        expectEqual(progress.onDisk, progress.onDisk.sorted { $0.lowerBound < $1.lowerBound })
        expectEqual(progress.onDisk.count { $0.count == 1 }, 2)
        expectEqual(progress.working, [3, 9])
    }
}
