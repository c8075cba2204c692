import Glibc

/// One accepted connection. Its thread reads and writes and waits; `interrupt` alone may be called from others.
struct ConnectionSocket: Sendable {
    /// The client has disconnected, or the server is being shut down.
    struct Gone: Error {}

    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Blocks until something has arrived.
    ///
    /// - Parameter most: bytes at most, above 0.
    /// - Returns: no bytes when the client has ended its direction.
    func read(most: Int) throws(Gone) -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { space, filled in
            repeat { count = recv(descriptor, space.baseAddress, most, 0) } while count < 0 && errno == EINTR
            filled = max(0, count)
        }
        guard count >= 0 else { throw Gone() }
        return bytes
    }

    /// Blocks until the kernel has taken every byte.
    ///
    /// - Returns: bytes that the kernel has taken, fewer than there are when the client has disconnected.
    func write(_ bytes: [UInt8]) -> Int {
        var sent = 0
        bytes.withUnsafeBytes { bytes in
            while sent < bytes.count {
                let count = send(
                    descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
                if count > 0 { sent += count } else if errno != EINTR { return }
            }
        }
        return sent
    }

    /// What ended a wait.
    enum Event { case time, input, clientEnded }

    /// Waits for the time to pass or for one of the other events.
    ///
    /// - Parameters:
    ///   - duration: `nil` is for ever.
    ///   - awaitsInput: whether arrived bytes end the wait.
    func wait(_ duration: Duration?, awaitsInput: Bool = false) throws(Gone) -> Event {
        let end = duration.map { ContinuousClock.now + $0 }
        while true {
            var milliseconds: Int32 = -1
            if let end {
                let left = ContinuousClock.now.duration(to: end)
                guard left > .zero else { return .time }
                milliseconds = Int32(min(1e9, (left / .milliseconds(1)).rounded(.up)))
            }
            var entry = pollfd(descriptor, awaitsInput ? Int32(POLLIN) | Self.clientEnded : Self.clientEnded)
            guard poll(&entry, 1, milliseconds) > 0 else { continue }
            let events = Int32(entry.revents)
            guard events & Int32(POLLERR | POLLHUP | POLLNVAL) == 0 else { throw Gone() }
            if events & Int32(POLLIN) != 0 { return .input }
            if events & Self.clientEnded != 0 { return .clientEnded }
        }
    }

    /// Waits, unless the client disconnects or ends its direction meanwhile.
    func sleep(_ duration: Duration?) throws(Gone) {
        guard try wait(duration) == .time else { throw Gone() }
    }

    func endOutput() { Glibc.shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes every call that blocks return; the descriptor stays the thread's own to close.
    func interrupt() { Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Drops what has arrived: a close with unread bytes would send RST and cost the client the answer.
    func dropArrived() {
        var space: [UInt8] = .init(repeating: 0, count: 64 << 10)
        while recv(descriptor, &space, space.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    /// Makes the close send RST, but only after the client's kernel has every byte sent before it.
    ///
    /// A RST discards what is still in the send buffer: without the wait `drop=N&reset` would deliver anything from 0 to N
    /// bytes.
    func resetAtClose() {
        let deadline = ContinuousClock.now + .seconds(2)
        while unacknowledged > 0, ContinuousClock.now < deadline { usleep(1000) }
        // With SO_LINGER on and a time of 0, close sends RST.
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    }

    /// Bytes that the kernel may hold for the connection while the server does not read.
    func setReceiveBuffer(_ count: Int64) {
        var size = Int32(clamping: count)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bytes in the send buffer the other side has not acknowledged.
    private var unacknowledged: Int32 {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : 0
    }

    /// POLLRDHUP, which Glibc declares for `_GNU_SOURCE` only.
    private static let clientEnded: Int32 = 0x2000
}

extension pollfd {
    fileprivate init(_ descriptor: Int32, _ events: Int32) {
        self.init(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
    }
}
