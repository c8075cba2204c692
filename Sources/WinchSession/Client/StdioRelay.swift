import Glibc
package import WinchModel

/// Carries bytes between a session and a client at the other ends of two pipes, as `winch attach --stdio` does for a client that
/// reaches it over ssh. While the session says nothing it sends a ping, so that the client notices a lost connection.
package struct StdioRelay {
    private let socket: OpenFile
    private let input: OpenFile
    private let output: OpenFile
    private let now: () -> Moment
    private let pingInterval: Duration

    /// Bytes on their way in one direction.
    private struct Passage {
        var bytes: [UInt8] = []
        var isEnded = false
        /// What was passed on so far ends with a whole line.
        var isAtLineStart = false

        /// 256 KiB: no more is read while the other side does not take it.
        var hasRoom: Bool { !isEnded && bytes.count < 256 << 10 }

        mutating func read(from file: Int32) {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { return }
            guard count > 0 else {
                isEnded = true
                return
            }
            bytes += buffer[..<count]
            isAtLineStart = buffer[count - 1] == UInt8(ascii: "\n")
        }

        mutating func write(to file: Int32) -> Bool {
            let count = Glibc.write(file, bytes, bytes.count)
            if count < 0 { return errno == EINTR || errno == EAGAIN }
            bytes.removeFirst(count)
            return true
        }
    }

    /// - Parameters:
    ///   - socket: of the session.
    ///   - input: from the client.
    ///   - output: to the client.
    ///   - pingInterval: 15 s, so that three missing pings are noticed within a minute.
    ///   - now: reads the monotonic clock.
    package init(
        socket: OpenFile, input: OpenFile, output: OpenFile, pingInterval: Duration = .seconds(15),
        now: @escaping () -> Moment
    ) {
        (self.socket, self.input, self.output) = (socket, input, output)
        (self.pingInterval, self.now) = (pingInterval, now)
        input.setNonBlocking()
        output.setNonBlocking()
    }

    /// Returns when the session has ended the connection, or the client takes nothing more. At the end of the input the session
    /// gets what is on its way, and answers it before it ends the connection.
    package func run() {
        var (toClient, toSession) = (Passage(), Passage())
        var (nextPing, pings) = (now() + pingInterval, 0)
        var isEndKnown = false
        while !toClient.isEnded || !toClient.bytes.isEmpty {
            if toSession.isEnded, toSession.bytes.isEmpty, !isEndKnown {
                isEndKnown = true
                shutdown(socket.number, Int32(SHUT_WR))
            }
            var entries = [
                Self.entry(socket.number, reads: toClient.hasRoom, writes: !toSession.bytes.isEmpty),
                Self.entry(input.number, reads: toSession.hasRoom, writes: false),
                Self.entry(output.number, reads: false, writes: !toClient.bytes.isEmpty),
            ]
            let wait = max(0, (nextPing - now()).nanoseconds / 1_000_000 + 1)
            guard poll(&entries, 3, Int32(min(wait, 60_000))) >= 0 || errno == EINTR else { return }
            let (came, left) = (Int16(POLLIN | POLLHUP | POLLERR), Int16(POLLOUT | POLLERR))
            if entries[0].revents & came != 0, toClient.hasRoom { toClient.read(from: socket.number) }
            if entries[1].revents & came != 0, toSession.hasRoom { toSession.read(from: input.number) }
            if entries[0].revents & left != 0, !toSession.bytes.isEmpty, !toSession.write(to: socket.number) { return }
            if !toClient.bytes.isEmpty {
                guard entries[2].revents & left == 0 || toClient.write(to: output.number) else { return }
                nextPing = now() + pingInterval
            } else if nextPing <= now() {
                pings += 1
                if toClient.isAtLineStart { toClient.bytes += Array("{\"ping\":\(pings)}\n".utf8) }
                nextPing = now() + pingInterval
            }
        }
    }

    private static func entry(_ file: Int32, reads: Bool, writes: Bool) -> pollfd {
        // Without an interest not even the end is reported, which would come again and again.
        guard reads || writes else { return pollfd(fd: -1, events: 0, revents: 0) }
        return pollfd(fd: file, events: Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), revents: 0)
    }
}
