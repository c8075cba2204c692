import Dispatch
import Glibc
import Testing
import WinchModel
import WinchScreen
import WinchSession

@testable import winch

@Suite(.timeLimit(.minutes(5))) struct `A dashboard of a session on another machine` {
    @Test func `does not claim to have stopped a session that it does not reach`() throws {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let (server, client) = (pair[0], OpenFile(pair[1]))
        client.setNonBlocking()
        let events = DispatchSemaphore(value: 0)
        let attachment = SessionAttachment(
            try SessionConnection(reading: client, writing: client),
            try RemoteSession(host: "far", command: nil, session: nil), UpdateBuffer {}, wake: { events.signal() })
        attachment.start()
        close(server)
        var isLost = false
        while !isLost {
            try #require(events.wait(timeout: .now() + .seconds(60)) == .success)
            isLost = attachment.takeEvents().contains { if case .connectionLost(.some) = $0 { true } else { false } }
        }
        #expect(!attachment.stopSession())
    }
}
