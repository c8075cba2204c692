import Synchronization
public import WinchCore

/// Everything that reaches the engine, in the order of happening, from any thread; nobody ever waits for it.
public final class Inbox: Sendable {
    /// One thing for the engine.
    enum Item: Sendable {
        case event(QueueEvent)
        case reports([TransportReport])
    }

    private let items = Mutex<[Item]>([])
    private let signal: AsyncStream<Void>.Continuation
    let signals: AsyncStream<Void>

    public init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What a person asked for.
    public func send(_ command: Command) { put(.event(.command(command))) }
    /// Transfers that join the queue.
    public func add(_ additions: [Addition]) { put(.event(.added(additions))) }
    /// What the transport saw, in its order.
    public func report(_ reports: [TransportReport]) { put(.reports(reports)) }
    func space(_ reading: SpaceReading?, in folder: String) { put(.event(.space(folder: folder, reading))) }
    func recalled(_ details: KeptDetails, of id: TransferID) { put(.event(.recalled(id, details))) }
    func tick() { put(.event(.tick)) }

    private func put(_ item: Item) {
        let wasEmpty = items.withLock { items in
            items.append(item)
            return items.count == 1
        }
        if wasEmpty { signal.yield() }
    }

    func take() -> [Item] {
        items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
