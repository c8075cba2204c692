import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The schedule of updates` {
    private var schedule = PostingSchedule()
    private let start = Moment(seconds: 10)

    @Test mutating func `holds nothing back before the first update`() {
        expectNil(schedule.hold(at: start))
    }

    @Test mutating func `waits 4 ms from the first change on, for reports of other threads`() {
        schedule.posted(at: start)
        expectEqual(schedule.hold(at: start + .milliseconds(100)), start + .milliseconds(104))
        expectEqual(schedule.hold(at: start + .milliseconds(103)), start + .milliseconds(104))
        schedule.posted(at: start + .milliseconds(104))
        expectEqual(schedule.hold(at: start + .milliseconds(200)), start + .milliseconds(204))
    }

    @Test mutating func `lets 10 ms pass between two updates`() {
        schedule.posted(at: start)
        expectEqual(schedule.hold(at: start + .milliseconds(1)), start + .milliseconds(10))
    }
}
