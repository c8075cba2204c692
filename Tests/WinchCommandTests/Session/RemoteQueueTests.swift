import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing
import WinchModel
import WinchScreen
import WinchSession

@testable import WinchTerminal
@testable import winch

@Suite(.timeLimit(.minutes(5))) struct `The queue of a session` {
    private let server: Int32
    private let link: SessionConnection

    init() throws {
        var pair: [Int32] = [0, 0]
        try require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let client = OpenFile(pair[1])
        client.setNonBlocking()
        (server, link) = (pair[0], try SessionConnection(reading: client, writing: client))
    }

    @Test func `on another machine is not said to be stopped when it is out of reach`() throws {
        let mailbox = try LoopMailbox()
        let queue = RemoteQueue(link, try RemoteSession(host: "far", command: nil, session: nil), mailbox)
        queue.start()
        close(server)
        var isLost = false
        while !isLost {
            var interest = pollfd(fd: mailbox.wake.descriptor, events: Int16(POLLIN), revents: 0)
            try require(poll(&interest, 1, 60_000) == 1)
            mailbox.wake.drain()
            isLost = mailbox.takeEvents().contains { if case .connectionLost(.some) = $0 { true } else { false } }
        }
        expect(!queue.stopSession())
    }

    @Test func `says how many of the entries are new, and when it has ended`() throws {
        let (replies, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = Mutex(0)
        let queue = RemoteQueue(link, nil, try LoopMailbox())
        let buffer = UpdateBuffer { ends.signal() }
        queue.feed.subscribe(buffer)
        let urls = [try TransferURL("http://h/a")]
        queue.add([TransferSpec(urls: urls), TransferSpec(urls: urls)]) { added in
            count.withLock { $0 = added }
            replies.signal()
        }
        let answer = Array("{\"reply\":{\"n\":1,\"added\":1}}\n".utf8)
        expectEqual(write(server, answer, answer.count), answer.count)
        queue.start()
        try require(replies.wait(timeout: .now() + .seconds(60)) == .success)
        expectEqual(count.withLock { $0 }, 1)
        expect(!queue.feed.hasEnded)
        close(server)
        try require(ends.wait(timeout: .now() + .seconds(60)) == .success)
        expect(queue.feed.hasEnded)
    }
}
