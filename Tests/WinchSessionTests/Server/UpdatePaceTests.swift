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
        #expect(updates(until: 1000) == Array(stride(from: 0, to: 1000, by: 50)))
    }

    @Test func `sends those after a request at once, and later ones later by as much`() {
        let sent = updates(asking: [120], until: 1000)
        #expect(sent.prefix(5) == [0, 50, 100, 120, 121])
        #expect(sent.count <= 23)
    }

    @Test func `does not hurry for movements alone`() {
        #expect(updates(asking: [120], isNotable: false, until: 1000) == updates(until: 1000))
    }

    @Test func `is never far ahead, however much a client asks`() {
        let sent = updates(asking: Set(0..<2000), until: 2000)
        #expect(sent.count <= 44)
        #expect(zip(sent, sent.dropFirst()).allSatisfy { $1 - $0 <= 200 })
    }

    @Test(arguments: [(630, 70), (1 << 20, 100)])
    func `sends long updates less often, but ten a second`(bytes: Int, span: Int) {
        #expect(updates(bytes: bytes, until: 1000) == Array(stride(from: 0, to: 1000, by: span)))
    }
}
