import TestSupport
import Testing
import WinchModel

@testable import WinchSession

@Suite struct `The pace of updates` {
    private let start = Moment(seconds: 10)

    /// The milliseconds at which updates are sent, when there is always one to send.
    private func updates(asking: Set<Int> = [], isNotable: Bool = true, bytes: Int = 100, until end: Int) -> [Int] {
        var pace = UpdatePace()
        return (0..<end).filter { millisecond in
            let now = start + .milliseconds(millisecond)
            if asking.contains(millisecond) { pace.expectAnswer() }
            guard pace.isDue(at: now, isNotable: isNotable) else { return false }
            pace.noteUpdate(of: bytes, at: now)
            return true
        }
    }

    @Test func `sends the first one at once, and then 20 a second`() {
        expectEqual(updates(until: 1000), Array(stride(from: 0, to: 1000, by: 50)))
    }

    @Test func `sends those after a request at once`() {
        let sent = updates(asking: [120], until: 1000)
        expectEqual(sent.prefix(8), [0, 50, 100, 120, 121, 122, 150, 200])
        expectEqual(sent.count, 23)
    }

    @Test func `does not hurry for movements alone`() {
        expectEqual(updates(asking: [120], isNotable: false, until: 1000), updates(until: 1000))
    }

    /// A key that is held down, and the effect of each press 3 ms later.
    @Test func `does not hold back the effect of any request, however many there are`() {
        var pace = UpdatePace()
        for press in 0..<100 {
            let now = start + .milliseconds(30 * press)
            pace.expectAnswer()
            expect(pace.isDue(at: now + .milliseconds(3), isNotable: true), "press \(press)")
            pace.noteUpdate(of: 100, at: now + .milliseconds(3))
        }
    }

    @Test(arguments: [(630, 70), (1 << 20, 100)])
    func `sends long updates less often, but ten a second`(bytes: Int, span: Int) {
        expectEqual(updates(bytes: bytes, until: 1000), Array(stride(from: 0, to: 1000, by: span)))
    }
}
