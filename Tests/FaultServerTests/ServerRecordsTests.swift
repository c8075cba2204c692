import Testing

@testable import FaultServer

@Suite struct `On a limited host` {
    private let reception = ServerRecords()

    private func admit(_ name: String) -> ServerRecords.Admission {
        reception.admit(
            ReceivedRequest(
                method: "GET", target: "/f/\(name)?size=9&limit=1&limitkey=k", headers: [], isKeepAlive: true),
            connection: 1, now: 0)
    }

    /// Otherwise a client would be refused because of its own refused request, whose answer is still being sent.
    @Test func `a refused request does not occupy a connection slot`() {
        var first = admit("a")
        let second = admit("b")
        #expect(first.plan.status == 200)
        #expect(second.plan.status == 503)
        first.makeRoom(in: reception)
        #expect(admit("c").plan.status == 200)
    }
}
