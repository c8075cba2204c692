import TestSupport
import Testing
import WinchModel

@testable import WinchQueue

@Suite struct `The wait for a full disk` {
    private let now = Moment(seconds: 100)

    @Test func `doubles from 3 seconds to a minute until a file went through`() {
        var wait = FullDiskWait()
        var at = now
        for seconds in [3, 6, 12, 24, 48, 60, 60] {
            wait.begin(at: at)
            expectEqual(wait.until, at + .seconds(seconds))
            at = at + .seconds(seconds)
            let isOver = wait.ends(at: at)
            expect(isOver)
        }
        wait.reset()
        wait.begin(at: at)
        expectEqual(wait.until, at + .seconds(3))
    }

    @Test func `is not longer for a second write that fails meanwhile`() {
        var wait = FullDiskWait()
        wait.begin(at: now)
        wait.begin(at: now + .seconds(2))
        let ends = [wait.ends(at: now + .seconds(2)), wait.ends(at: now + .seconds(3)), wait.ends(at: now)]
        expectEqual(ends, [false, true, true])
    }

    @Test func `takes the longer of two waits for the same disk`() {
        var wait = FullDiskWait()
        wait.begin(at: now)
        wait.join(now + .seconds(1))
        expectEqual(wait.until, now + .seconds(3))
        wait.join(now + .seconds(9))
        expectEqual(wait.until, now + .seconds(9))
    }
}
