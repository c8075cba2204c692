import Dispatch
import Glibc
import Synchronization
package import WinchModel

/// Shows a queue to any number of clients, and carries out what they ask for. It has a thread of its own, which alone uses the
/// sockets.
///
/// Without a client that follows, it does not hear of the queue at all.
package final class SessionServer: Sendable {
    private let listener: SessionListener
    private let greeting: Greeting
    private let feed: UpdateFeed
    private let ports: SessionPorts
    private let bell: EventBell
    private let isStopped = Atomic(false)
    private let end = DispatchSemaphore(value: 0)

    /// - Parameter feed: of the queue.
    package init(
        _ listener: SessionListener, greeting: Greeting, feed: UpdateFeed, ports: SessionPorts
    ) throws(SessionFault) {
        (self.listener, self.greeting, self.feed, self.ports) = (listener, greeting, feed, ports)
        bell = try EventBell()
    }

    /// Starts the thread.
    package func start() {
        DispatchQueue(label: "winch.session").async { self.run() }
    }

    /// Closes all connections and ends the thread. Call it once, after `start`.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        bell.ring()
        end.wait()
    }

    private func run() {
        let bell = bell
        var desk = SessionDesk(greeting: greeting, feed: feed, ports: ports, buffer: UpdateBuffer { bell.ring() })
        while !isStopped.load(ordering: .acquiring) {
            var entries = [
                pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: desk.isFull ? -1 : listener.socket.number, events: Int16(POLLIN), revents: 0),
            ]
            entries += desk.interests
            let timeout = desk.nextTime.map { max(0, min(($0 - ports.now()).nanoseconds / 1_000_000 + 1, 60_000)) }
            let count = poll(&entries, nfds_t(entries.count), Int32(timeout ?? -1))
            if count > 0, entries[0].revents != 0 { bell.drain() }
            if count > 0, entries[1].revents != 0, let file = LocalSocket.accept(from: listener.socket.number) {
                desk.admit(file)
            }
            desk.serve(count > 0 ? Array(entries[2...]) : [])
        }
        desk.close("the session ends")
        end.signal()
    }
}
