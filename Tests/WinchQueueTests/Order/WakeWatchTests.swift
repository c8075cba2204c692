import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The watch after a sleep` {
    private let now = Moment(seconds: 5)
    private let position = WakeWatch.Position(connection: .sample(1), phase: .moving, have: .zero)

    @Test func `gives the transfers back once, when its time is over`() {
        var watch = WakeWatch()
        watch.begin([TransferID(2): position, TransferID(1): position], until: now + .seconds(5))
        let due = [now, now + .seconds(5), now + .seconds(9)].map { watch.takeDue(at: $0).map(\.id.number) }
        #expect(due == [[], [1, 2], []])
    }

    @Test func `is over when another sleep found no connection`() {
        var watch = WakeWatch()
        watch.begin([TransferID(1): position], until: now)
        watch.begin([:], until: now)
        let due = watch.takeDue(at: now + .seconds(1))
        #expect(due.isEmpty)
    }
}
