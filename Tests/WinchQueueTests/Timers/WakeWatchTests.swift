import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The watch after a wake-up` {
    private let now = Moment(seconds: 5)
    private let position = WakeWatch.Position(phase: .moving, position: 0)

    @Test func `returns its transfers once, when its time is over`() {
        var watch = WakeWatch()
        watch.begin([.sample(2): position, .sample(1): position], until: now + .seconds(5))
        let due = [now, now + .seconds(5), now + .seconds(9)].map { watch.takeDue(at: $0).map(\.id.transfer.number) }
        expectEqual(due, [[], [1, 2], []])
    }

    @Test func `is cleared when the next wake-up finds no connections`() {
        var watch = WakeWatch()
        watch.begin([.sample(1): position], until: now)
        watch.begin([:], until: now)
        let due = watch.takeDue(at: now + .seconds(1))
        expect(due.isEmpty)
    }
}
