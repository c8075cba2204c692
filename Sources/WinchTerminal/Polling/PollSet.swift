import Glibc
import WinchModel

/// What a loop waits for: descriptors that become ready, or a deadline.
struct PollSet {
    enum Interest {
        case input(Int32), output(Int32), both(Int32)
    }

    private var entries: [pollfd]

    init(_ interests: [Interest]) {
        entries = interests.map { interest in
            switch interest {
            case .input(let descriptor): pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            case .output(let descriptor): pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            case .both(let descriptor): pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
            }
        }
    }

    /// Blocks until a descriptor is ready or the deadline has passed; `nil`: no deadline.
    mutating func wait(until deadline: Moment?, clock: MonotonicClock) {
        poll(&entries, nfds_t(entries.count), deadline.map { Self.timeout($0 - clock.now()) } ?? -1)
    }

    /// In milliseconds, rounded up, since a wait that ends too early would have to be repeated; at most an hour.
    static func timeout(_ span: Duration) -> Int32 {
        let milliseconds = (max(0, span.nanoseconds) + 999_999) / 1_000_000
        return Int32(min(milliseconds, 3_600_000))
    }

    /// True if reading would not block: there is data, the end of the file or an error.
    func isReadable(_ descriptor: Int32) -> Bool {
        has(descriptor, POLLIN | POLLHUP | POLLERR | POLLNVAL)
    }

    private func has(_ descriptor: Int32, _ events: Int32) -> Bool {
        entries.contains { $0.fd == descriptor && Int32($0.revents) & events != 0 }
    }
}
