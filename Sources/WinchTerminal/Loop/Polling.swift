import Glibc
import Synchronization
package import WinchModel
package import WinchScreen
import WinchSystem

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
        let events = POLLIN | POLLHUP | POLLERR | POLLNVAL
        return entries.contains { $0.fd == descriptor && Int32($0.revents) & events != 0 }
    }
}

/// The clock that moments are read from, `CLOCK_MONOTONIC`: it never jumps, and its values have no meaning outside
/// the process.
package struct MonotonicClock: Sendable {
    package init() {}

    package func now() -> Moment { Moment(nanoseconds: Self.nanoseconds(of: CLOCK_MONOTONIC)) }

    /// Seconds to add to a moment's seconds to get the seconds since 1970.
    package func unixOffset() -> Double {
        Double(Self.nanoseconds(of: CLOCK_REALTIME) - Self.nanoseconds(of: CLOCK_MONOTONIC)) / 1e9
    }

    /// The time of day in the user's time zone, with its present offset from UTC.
    package func wallClock() -> WallClock {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        return WallClock(offset: .seconds(unixOffset() + Double(parts.tm_gmtoff)))
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// What waits for the loop of a front end: the updates of its queue, and events of other threads. Both wake the loop.
package final class LoopMailbox: Sendable {
    let wake: WakePort
    /// To be subscribed to the feed of the queue.
    package let updates: UpdateBuffer
    private let events = Mutex<[ScreenEvent]>([])

    /// - Throws: if the process has no descriptor left.
    package init() throws(TerminalFailure) {
        let wake = try WakePort { TerminalFailure.system(call: "eventfd", code: $0) }
        self.wake = wake
        updates = UpdateBuffer { wake.wake() }
    }

    /// May be called on any thread; never blocks.
    ///
    /// - Parameter isVoid: true for waiting events that these replace.
    package func show(_ shown: [ScreenEvent], insteadOf isVoid: (ScreenEvent) -> Bool = { _ in false }) {
        guard !shown.isEmpty else { return }
        events.withLock { events in
            events.removeAll(where: isVoid)
            events += shown
        }
        wake.wake()
    }

    package func takeEvents() -> [ScreenEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
