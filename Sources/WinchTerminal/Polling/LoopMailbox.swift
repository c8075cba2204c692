import Synchronization
package import WinchModel
package import WinchScreen
import WinchSystem

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
