import Testing

@testable import WinchModel
@testable import WinchSession

@Suite struct `The greeting of a session` {
    @Test func `names the version of the protocol and the origin of the clock in seconds`() {
        let greeting = Greeting(winch: "1.2", session: "night", pid: 7, origin: UnixTime(milliseconds: 1_500))
        #expect(greeting.protocol == Greeting.version)
        #expect(greeting.origin == 1.5)
    }

    @Test func `is answered with the same version`() {
        let introduction = Introduction(client: "winch 1.2")
        #expect(introduction.hello == Greeting.version)
        #expect(introduction.client == "winch 1.2")
    }
}
