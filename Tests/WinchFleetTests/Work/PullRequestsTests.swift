import Testing
import WinchModel

@testable import WinchFleet

@Suite struct `Requests for entries` {
    private func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

    @Test func `wait for as many deliveries as they ask for`() {
        var requests = PullRequests()
        #expect(requests.begin(2, at: at(0)) == 1)
        #expect(requests.begin(3, at: at(0)) == 2)
        #expect(requests.requested == 5)
        for _ in 0..<3 { requests.noteDelivery(at: at(1)) }
        #expect(requests.requested == 2)
        requests.end(2)
        #expect(requests.isEmpty)
        requests.noteDelivery(at: at(1))
        #expect(requests.requested == 0)
    }

    @Test func `end with their time, when the server's answer is lost`() {
        var requests = PullRequests()
        _ = requests.begin(2, at: at(0))
        for second in 1...12 as ClosedRange<Int64> {
            requests.noteHeartbeat(1, at: at(second))
            #expect(requests.pass(to: at(second)) == false)
        }
        #expect(requests.requested == 2)
        #expect(requests.pass(to: at(13)) == true)
        #expect(requests.isEmpty)
    }

    @Test func `are lost when the server does not show that it has them`() {
        var requests = PullRequests()
        _ = requests.begin(2, at: at(0))
        #expect(requests.pass(to: at(2)) == false)
        #expect(requests.requested == 2)
        #expect(requests.pass(to: at(3)) == true)
        #expect(requests.isEmpty)
    }
}
