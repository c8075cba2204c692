import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing
import WinchModel
import WinchScreen
import WinchSession
import WinchSystem

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
        let count = Mutex(AdditionReply.added(0))
        let queue = RemoteQueue(link, nil, try LoopMailbox())
        let buffer = UpdateBuffer { ends.signal() }
        queue.feed.subscribe(buffer)
        let urls = [try TransferURL("http://h/a")]
        queue.add([TransferSpec(urls: urls), TransferSpec(urls: urls)]) { reply in
            count.withLock { $0 = reply }
            replies.signal()
        }
        let answer = Array("{\"reply\":{\"n\":1,\"added\":1,\"startedAnew\":1,\"problems\":[\"no\"]}}\n".utf8)
        expectEqual(write(server, answer, answer.count), answer.count)
        queue.start()
        try require(replies.wait(timeout: .now() + .seconds(60)) == .success)
        expectEqual(count.withLock { $0 }, .added(1, startedAnew: 1, refused: ["no"]))
        expect(!queue.feed.hasEnded)
        close(server)
        try require(ends.wait(timeout: .now() + .seconds(60)) == .success)
        expect(queue.feed.hasEnded)
    }

    @Test func `gets an entry again that the lost connection has not answered`() throws {
        var pair: [Int32] = [0, 0]
        try require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let client = OpenFile(pair[1])
        client.setNonBlocking()
        let next = try SessionConnection(reading: client, writing: client)
        let far = try RemoteSession(host: "far", command: nil, session: nil)
        let queue = RemoteQueue(link, far, try LoopMailbox()) { _ in next }
        let replies = Replies()
        queue.add([TransferSpec(urls: [try TransferURL("http://h/a")])], reply: replies.take)
        queue.start()
        close(server)
        queue.retry()
        // It is the first request of the new connection.
        let answer = Array("{\"reply\":{\"n\":1,\"added\":1}}\n".utf8)
        expectEqual(write(pair[0], answer, answer.count), answer.count)
        expectEqual(try replies.next(), .added(1))
        var buffer = [UInt8](repeating: 0, count: 1000)
        let count = read(pair[0], &buffer, buffer.count)
        expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).contains("http:\\/\\/h\\/a"))
        close(pair[0])
        queue.close()
    }

    @Test func `says that it has refused an entry, or has ended before its answer`() throws {
        let queue = RemoteQueue(link, nil, try LoopMailbox())
        let (refused, unanswered) = (Replies(), Replies())
        queue.add([TransferSpec(urls: [try TransferURL("http://h/a")])], reply: refused.take)
        queue.add([TransferSpec(urls: [try TransferURL("http://h/b")])], reply: unanswered.take)
        let answer = Array("{\"reply\":{\"n\":1,\"error\":\"no\"}}\n".utf8)
        expectEqual(write(server, answer, answer.count), answer.count)
        queue.start()
        expectEqual(try refused.next(), .refused("no"))
        close(server)
        guard case .refused = try unanswered.next() else {
            Issue.record("it is said to be added")
            return
        }
    }

    private final class Replies: Sendable {
        private let last = Mutex<AdditionReply?>(nil)
        private let come = DispatchSemaphore(value: 0)

        @Sendable func take(_ reply: AdditionReply) {
            last.withLock { $0 = reply }
            come.signal()
        }

        func next() throws -> AdditionReply {
            try require(come.wait(timeout: .now() + .seconds(60)) == .success)
            return try require(last.withLock { $0 })
        }
    }
}
