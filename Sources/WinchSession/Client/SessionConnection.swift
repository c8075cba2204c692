import FoundationEssentials
import Glibc
import Synchronization
package import WinchModel
import WinchSystem

/// A client's connection to a session: over its socket, or over a pair of pipes to an ssh that leads to one.
///
/// Requests may be sent on any thread; one thread at a time calls `receive`.
package final class SessionConnection: Sendable {
    fileprivate struct Input {
        var lines = LineBuffer(most: SessionConnection.mostFromServer)
        let decoder = JSONDecoder()
        var assembler = UpdateAssembler(secondShift: 0)
    }

    private struct Output {
        var bytes: [UInt8] = []
        var lastRequest = 0
        var isClosed = false
    }

    package enum Message: Sendable {
        case reply(SessionReply)
        case update(Update)
        /// The session closes the connection; why.
        case closing(String)
        /// A message to the user that belongs to no transfer.
        case notice(String)
        case ping
    }

    private let reading: OpenFile
    private let writing: OpenFile
    /// What the connection depends on, such as the process of ssh.
    private let support: (any Sendable)?
    private let wakePort: WakePort
    private let input = Mutex(Input())
    private let output = Mutex(Output())
    /// Winch's version at the other end; empty before `begin`.
    private let version = Mutex("")

    /// A shell's greeting may have so many lines.
    private static let mostOtherLines = 100
    /// 16 MiB: no server sends a longer line.
    private static let mostFromServer = 16 << 20

    /// - Parameters:
    ///   - reading: lines of the server come from here; does not block.
    ///   - writing: may be the same; does not block.
    ///   - support: kept as long as the connection.
    package init(
        reading: OpenFile, writing: OpenFile, support: (any Sendable)? = nil
    ) throws(SessionFailure) {
        (self.reading, self.writing, self.support) = (reading, writing, support)
        wakePort = try WakePort { SessionFailure.system(path: "eventfd", reason: String(cString: strerror($0))) }
    }

    /// Exchanges the first lines.
    ///
    /// - Parameters:
    ///   - client: the name and version of this program.
    ///   - origin: the calendar time at which this process's clock read zero.
    ///   - patience: for the first line; over ssh the user may have to type a password before it.
    package func begin(client: String, origin: UnixTime, patience: Duration) throws(SessionFailure) -> Greeting {
        var line = try firstLine(within: patience)
        // What the shell of another machine prints at its start.
        var others = 0
        while line.first != UInt8(ascii: "{"), others < Self.mostOtherLines {
            others += 1
            line = try firstLine(within: patience)
        }
        guard let greeting = try? JSONDecoder().decode(Greeting.self, untrusted: line) else {
            if let reason = (try? JSONDecoder().decode(ServerLine.self, untrusted: line))?.closing {
                throw .closed(reason: reason)
            }
            throw .unknownProtocol("what answers is no session of winch")
        }
        guard greeting.protocol == Greeting.version else {
            throw .unknownProtocol(
                "the session of winch \(greeting.winch) speaks version \(greeting.protocol) of the protocol, \(client) version \(Greeting.version)"
            )
        }
        let shift = try ClockShift(from: greeting, to: origin, boot: BootID.current)
        input.withLock { input in
            if let key = CodingUserInfoKey.clockShift { input.decoder.userInfo[key] = shift.seconds * 1_000_000_000 }
            input.assembler = UpdateAssembler(secondShift: shift.seconds)
        }
        version.withLock { $0 = greeting.winch }
        write(Introduction(client: client))
        return greeting
    }

    private func firstLine(within patience: Duration) throws(SessionFailure) -> Data {
        var left = patience.nanoseconds / 1_000_000
        while true {
            if let line = input.withLock({ $0.lines.next().map { Data($0) } }) { return line }
            guard left > 0 else { throw .silent(after: patience) }
            let isOpen = wait(milliseconds: 50)
            left -= 50
            if !isOpen, input.withLock({ $0.lines.isEmpty }) { throw .closed(reason: nil) }
        }
    }

    /// - Returns: the number that its reply will have.
    @discardableResult package func send(_ request: SessionRequest) -> Int {
        var request = request
        request.n = output.withLock { output in
            output.lastRequest += 1
            return output.lastRequest
        }
        write(request)
        return request.n
    }

    /// Ends a `receive` that waits, and all later ones.
    package func close() {
        output.withLock { $0.isClosed = true }
        wakePort.wake()
    }

    private func write(_ line: some Encodable) {
        guard let data = try? JSONEncoder().encode(line) else { return }
        output.withLock { output in
            output.bytes += data
            output.bytes.append(UInt8(ascii: "\n"))
        }
        flush()
        wakePort.wake()
    }

    /// Writes what the other side takes.
    private func flush() {
        output.withLock { output in
            while !output.bytes.isEmpty {
                // A session that closes the connection is to be heard, not to end this process by SIGPIPE.
                var count = Glibc.send(writing.number, output.bytes, output.bytes.count, Int32(MSG_NOSIGNAL))
                if count < 0, errno == ENOTSOCK {
                    count = Glibc.write(writing.number, output.bytes, output.bytes.count)
                }
                if count < 0, errno == EINTR { continue }
                // The end of the connection is noticed by reading.
                guard count > 0 else { return }
                output.bytes.removeFirst(count)
            }
        }
    }

    /// Waits for messages.
    ///
    /// - Parameter milliseconds: at most; `nil`: until there are some.
    /// - Returns: empty when none came in time.
    /// - Throws: `.closed` at the end of the connection, or after `close`.
    package func receive(milliseconds: Int32? = nil) throws(SessionFailure) -> [Message] {
        let deadline = milliseconds.map { ContinuousClock.now + .milliseconds(Int($0)) }
        while true {
            let messages = try takeMessages()
            if !messages.isEmpty { return messages }
            guard !output.withLock({ $0.isClosed }) else { throw .closed(reason: nil) }
            let left = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let left, left <= .zero { return [] }
            // A request that is sent ends the wait as well.
            let isOpen = wait(milliseconds: left.map { Int32($0 / .milliseconds(1)) + 1 } ?? -1)
            let more = try takeMessages()
            if !more.isEmpty { return more }
            if !isOpen { throw .closed(reason: nil) }
        }
    }

    private func takeMessages() throws(SessionFailure) -> [Message] {
        try input.withLock { (input) throws(SessionFailure) in try input.takeMessages() }
    }

    /// - Returns: false at the end of the connection.
    private func wait(milliseconds: Int32) -> Bool {
        let hasUnsent = output.withLock { !$0.bytes.isEmpty }
        var entries = [
            pollfd(fd: wakePort.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hasUnsent ? writing.number : -1, events: Int16(POLLOUT), revents: 0),
        ]
        guard poll(&entries, 3, milliseconds) > 0 else { return true }
        if entries[0].revents != 0 { wakePort.drain() }
        if entries[2].revents != 0 { flush() }
        return entries[1].revents == 0 || read()
    }

    private func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(reading.number, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return true }
        guard count > 0 else { return false }
        input.withLock { $0.lines.append(buffer[..<count]) }
        return true
    }
}

extension SessionConnection {
    /// Sends a request and waits for its reply.
    ///
    /// - Parameters:
    ///   - patience: how long the session may say nothing at all. What is added is acknowledged when it is saved, which may take
    ///     longer on a slow disk.
    ///   - take: gets each update that comes before the reply.
    /// - Throws: `.refused` in the words of the session, `.closed`, `.silent`.
    @discardableResult package func request(
        _ request: SessionRequest, patience: Duration = .seconds(8), take: (Update) -> Void = { _ in }
    ) throws(SessionFailure) -> SessionReply {
        let n = send(request)
        while true {
            let messages = try receive(milliseconds: Int32(clamping: patience.nanoseconds / 1_000_000))
            if messages.isEmpty { throw .silent(after: patience) }
            for message in messages {
                switch message {
                case .reply(let reply) where reply.n == n:
                    if let error = reply.error { throw .refused(refusal(error)) }
                    return reply
                case .update(let update): take(update)
                case .closing(let reason): throw .closed(reason: reason)
                case .reply, .notice, .ping: break
                }
            }
        }
    }

    /// A session of an older version does not know all requests.
    private func refusal(_ words: String) -> String {
        guard words.hasPrefix(SessionReply.unknownRequest) else { return words }
        let version = version.withLock(\.self)
        return "\(words): the session runs winch \(version); stop it, and start it again with this version"
    }

    package func status() throws(SessionFailure) -> QueueCopy {
        var copy = QueueCopy()
        try request(SessionRequest(.status)) { copy.apply($0) }
        return copy
    }
}

extension SessionConnection.Input {
    fileprivate mutating func takeMessages() throws(SessionFailure) -> [SessionConnection.Message] {
        var messages: [SessionConnection.Message] = []
        while let line = lines.next() {
            if line.isEmpty { continue }
            guard let parsed = try? decoder.decode(ServerLine.self, untrusted: Data(line)) else {
                throw .unknownProtocol("the session sends a line that is not of the protocol")
            }
            if let reply = parsed.reply { messages.append(.reply(reply)) }
            if let update = parsed.update { messages.append(.update(try assembler.update(update))) }
            if let reason = parsed.closing { messages.append(.closing(reason)) }
            if let words = parsed.notice { messages.append(.notice(words)) }
            if parsed.ping != nil { messages.append(.ping) }
        }
        if lines.isTooLong { throw .unknownProtocol("the session sends a line without end") }
        return messages
    }
}
