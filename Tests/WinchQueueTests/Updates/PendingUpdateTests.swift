import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `A feed` {
    private let now = Moment(seconds: 1)

    @Test func `keeps the last rebase of each bar when it is cleared`() {
        var feed = PendingUpdate()
        let rebase = Rebase(cause: .retried, at: now, completed: -5, total: 0)
        let step = SumsSnapshot.Step(
            completed: -5, total: 0, shown: (-5, 0), isBackwards: true, isShownBackwards: true, isWholeBackwards: true)
        feed.noteRebase(step, .retried, of: .down, at: now)
        feed.append(RateHistory.Second(number: 1, rate: ByteRate(perSecond: 5)))
        feed.clear()
        expect(feed.rebases == [.down: rebase] && feed.wholeRebase == rebase && feed.seconds.isEmpty)
    }
}
