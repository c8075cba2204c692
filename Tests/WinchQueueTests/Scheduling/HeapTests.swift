import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A heap` {
    private static let seeds = (0..<10).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `returns the smallest element first`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var heap = Heap<Int>()
        var model: [Int] = []
        for step in 0..<300 {
            if Int.random(in: 0..<3, using: &random) < 2 {
                // All numbers are different.
                let number = Int.random(in: 0..<1000, using: &random) * 300 + step
                heap.insert(number)
                model.append(number)
            } else {
                let smallest = model.indices.min { model[$0] < model[$1] }
                expectEqual(heap.popFirst(), smallest.map { model.remove(at: $0) })
            }
        }
    }

    @Test func `stores an element that is inserted repeatedly at most twice`() {
        var heap = Heap<Int>()
        for _ in 0..<10 { for number in (0..<2000).reversed() { heap.insert(number) } }
        expectAtMost(heap.count, 4000)
        var popped: [Int] = []
        while let number = heap.popFirst() { if number != popped.last { popped.append(number) } }
        expectEqual(popped, Array(0..<2000))
    }
}
