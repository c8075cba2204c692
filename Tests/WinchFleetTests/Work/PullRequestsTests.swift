import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite struct `Requests for entries` {
    private func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

    @Test func `wait for as many deliveries as they ask for`() {
        var requests = PullRequests()
        expectEqual(requests.begin(2, at: at(0)), 1)
        expectEqual(requests.begin(3, at: at(0)), 2)
        expectEqual(requests.requested, 5)
        for _ in 0..<3 { requests.noteDelivery(at: at(1)) }
        expectEqual(requests.requested, 2)
        requests.end(2)
        expect(requests.isEmpty)
        requests.noteDelivery(at: at(1))
        expectEqual(requests.requested, 0)
    }

    @Test func `end with their time, when the server's answer is lost`() {
        var requests = PullRequests()
        _ = requests.begin(2, at: at(0))
        for second in 1...12 as ClosedRange<Int64> {
            requests.noteHeartbeat(1, at: at(second))
            expectEqual(requests.pass(to: at(second)), false)
        }
        expectEqual(requests.requested, 2)
        expectEqual(requests.pass(to: at(13)), true)
        expect(requests.isEmpty)
    }

    @Test func `are lost when the server does not show that it has them`() {
        var requests = PullRequests()
        _ = requests.begin(2, at: at(0))
        expectEqual(requests.pass(to: at(2)), false)
        expectEqual(requests.requested, 2)
        expectEqual(requests.pass(to: at(3)), true)
        expect(requests.isEmpty)
    }
}
