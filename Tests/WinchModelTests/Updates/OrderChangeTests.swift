import TestSupport
import Testing

@testable import WinchModel

@Suite struct `Changes of the order` {
    @Test(arguments: 0..<20)
    func `are one change together, a whole one only where transfers did more than join`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (order, shown): ([TransferID], [TransferID]) = ([], [])
        var update = Update(at: Moment(seconds: 1))
        var isShuffled = false
        for number in 1...300 {
            var next = Update(at: Moment(seconds: 1))
            if Int.random(in: 0..<8, using: &random) == 0 {
                order.shuffle(using: &random)
                next.order = .whole(order)
                isShuffled = true
            } else {
                order.append(TransferID(number))
                next.order = .appended([TransferID(number)])
            }
            update.merge(next)
            guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
            expectEqual(update.order?.isWhole, isShuffled)
            update.order?.apply(to: &shown)
            expectEqual(shown, order)
            (update, isShuffled) = (Update(at: Moment(seconds: 1)), false)
        }
    }
}
