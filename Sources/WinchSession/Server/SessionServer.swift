import Dispatch
import Glibc
import Synchronization
package import WinchModel
import WinchSystem

/// Shows a queue to any number of clients, and carries out what they ask for. It has a thread of its own, which alone uses the
/// sockets.
///
/// Without a client that follows, it does not hear of the queue at all.
package final class SessionServer: Sendable {
    private let listener: SessionListener
    private let greeting: Greeting
    private let ports: SessionActions
    private let wakePort: WakePort
    private let notices: ServerMailbox<String>
    private let reason = Mutex<SessionEnd?>(nil)
    private let end = DispatchSemaphore(value: 0)

    package init(_ listener: SessionListener, greeting: Greeting, ports: SessionActions) throws(SessionFailure) {
        (self.listener, self.greeting, self.ports) = (listener, greeting, ports)
        let wakePort = try WakePort { SessionFailure.system(path: "eventfd", reason: String(cString: strerror($0))) }
        self.wakePort = wakePort
        notices = ServerMailbox(most: Self.mostNotices) { wakePort.wake() }
    }

    /// What the server's thread does not take is in the session's log as well.
    private static let mostNotices = 100
    /// 100 ms: a process without free descriptors would be told of the waiting client again and again.
    private static let refusalSpan = Duration.milliseconds(100)

    /// 200 ms: a client that reads has its last lines long before.
    private static let closingSpan = Duration.milliseconds(200)

    package func start() { DispatchQueue(label: "winch.session").async { self.run() } }

    /// Shows a message in the dashboards of all clients. May be called on any thread.
    package func show(_ words: String) { notices.put(words) }

    /// Closes all connections and ends the thread. Call it once, after `start`.
    package func stop(_ reason: SessionEnd = .stopped) {
        self.reason.withLock { $0 = reason }
        wakePort.wake()
        end.wait()
    }

    private func run() {
        let wakePort = wakePort
        var desk = ConnectedClients(greeting: greeting, ports: ports, notices: notices) { wakePort.wake() }
        var refusalEnd: Moment?
        while reason.withLock({ $0 == nil }) {
            if let end = refusalEnd, end <= ports.now() { refusalEnd = nil }
            let mayAccept = !desk.isFull && refusalEnd == nil
            var entries = [
                pollfd(fd: wakePort.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: mayAccept ? listener.socket.number : -1, events: Int16(POLLIN), revents: 0),
            ]
            entries += desk.interests
            let next = [desk.nextTime, refusalEnd].compactMap(\.self).min()
            let timeout = next.map { max(0, min(($0 - ports.now()).nanoseconds / 1_000_000 + 1, 60_000)) }
            let count = poll(&entries, nfds_t(entries.count), Int32(timeout ?? -1))
            if count > 0, entries[0].revents != 0 { wakePort.drain() }
            // Before a new client may take the place of one whose introduction has come.
            desk.serve(count > 0 ? Array(entries[2...]) : [])
            if count > 0, entries[1].revents != 0 {
                if let file = UnixSocket.accept(from: listener.socket.number) {
                    desk.admit(file)
                } else {
                    refusalEnd = ports.now() + Self.refusalSpan
                }
            }
        }
        desk.close((reason.withLock(\.self) ?? .stopped).rawValue)
        let deadline = ContinuousClock.now + Self.closingSpan
        while ContinuousClock.now < deadline {
            var entries = desk.unsent
            guard !entries.isEmpty else { break }
            _ = poll(&entries, nfds_t(entries.count), 20)
            desk.flush()
        }
        listener.removeSocket()
        end.signal()
    }
}

/// The queue that a session shows, and what else it does for its clients. Called on the server's thread; no closure may block for long.
package struct SessionActions: Sendable {
    package struct Batch: Sendable {
        package var specs: [TransferSpec]
        /// Lines that were left out, and why.
        package var problems: [String]

        package init(_ specs: [TransferSpec], problems: [String]) { (self.specs, self.problems) = (specs, problems) }
    }

    package let queue: any QueueAccess
    /// Parses lines of a batch. The second is the folder that relative paths are below.
    package var parseBatch: @Sendable (String, String) -> Batch
    /// Tries transfers again. The reply may come on any thread, with the reasons why uploads were not started.
    package var retry: @Sendable ([TransferID], @escaping @Sendable (_ refused: [String]) -> Void) -> Void
    /// Takes over what other runs have left. The reply may come on any thread: how many transfers go on, and why others do not.
    package var takeOver: @Sendable (@escaping @Sendable (_ count: Int, _ refused: [String]) -> Void) -> Void
    package var now: @Sendable () -> Moment
    /// The calendar time at which that clock read zero. Asked for each client, because the time of day may be set, and the clock
    /// stands still while the machine sleeps; `nil`: it is as the greeting says.
    package var origin: (@Sendable () -> UnixTime)?

    /// Why the queue cannot be saved at the moment; `nil`: it is.
    package var unsaved: @Sendable () -> String? = { nil }

    package init(
        _ queue: any QueueAccess, parseBatch: @escaping @Sendable (String, String) -> Batch,
        retry: @escaping @Sendable ([TransferID], @escaping @Sendable (_ refused: [String]) -> Void) -> Void,
        takeOver: @escaping @Sendable (@escaping @Sendable (_ count: Int, _ refused: [String]) -> Void) -> Void,
        now: @escaping @Sendable () -> Moment,
        origin: (@Sendable () -> UnixTime)? = nil
    ) {
        (self.queue, self.parseBatch, self.retry, self.takeOver) = (queue, parseBatch, retry, takeOver)
        (self.now, self.origin) = (now, origin)
    }
}

/// Values for the server's thread, until it takes them in the order in which they were put.
final class ServerMailbox<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let most: Int
    private let ring: @Sendable () -> Void

    /// - Parameters:
    ///   - most: beyond so many the oldest are dropped.
    ///   - ring: wakes the server's thread.
    init(most: Int = .max, ring: @escaping @Sendable () -> Void) {
        self.most = most
        self.ring = ring
    }

    /// May be called on any thread.
    func put(_ element: Element) {
        elements.withLock { elements in
            if elements.count == most { elements.removeFirst() }
            elements.append(element)
        }
        ring()
    }

    func take() -> [Element] {
        elements.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
