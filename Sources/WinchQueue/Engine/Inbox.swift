import Synchronization
package import WinchModel

/// The queue of everything that is sent to the engine, in order. All methods may be called on any thread and never wait.
package final class Inbox: Sendable {
    enum Item: Sendable {
        /// The reply is called with how many more transfers the list has after the event, how many of the list the event has
        /// started anew because they were added again, and the reasons why it did not add entries or start uploads.
        case event(QueueEvent, reply: (@Sendable (Int, _ startedAnew: Int, _ refused: [String]) -> Void)? = nil)
        /// Called when everything before it has been applied.
        case call(@Sendable () -> Void)
        /// Called when everything before it is in the ledger.
        case callWhenStored(@Sendable () -> Void)

        var isReports: Bool { if case .event(.reports, _) = self { true } else { false } }
    }

    private let items = Mutex<[Item]>([])
    private let signal: AsyncStream<Void>.Continuation
    let signals: AsyncStream<Void>

    package init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func send(_ command: Command) { put(.event(.command(command))) }
    /// - Parameter reply: called in the engine with the reasons why uploads were not started by it, for the user; must not block.
    package func send(_ command: Command, reply: @escaping @Sendable (_ refused: [String]) -> Void) {
        put(.event(.command(command)) { reply($2) })
    }
    /// Adds entries that a user names while the queue runs. One that asks for the same file as a transfer of the list is not
    /// added again, and an upload is refused that would replace the file of another one in the list.
    ///
    /// - Parameter reply: called in the engine; must not block.
    package func add(_ additions: [Addition], reply: @escaping @Sendable (AdditionReply) -> Void) {
        put(.event(.named(additions)) { reply(.added($0, startedAnew: $1, refused: $2)) })
    }
    package func add(_ additions: [Addition]) { put(.event(.added(additions))) }
    /// Adds what other runs have left, but for files that are in the list already. An upload that would replace the file of
    /// another one has failed.
    ///
    /// - Parameter reply: as for commands.
    package func takeOver(_ additions: [Addition], reply: @escaping @Sendable (_ refused: [String]) -> Void) {
        put(.event(.takenOver(additions)) { reply($2) })
    }
    /// Tells whether a batch is being read, so that more transfers follow.
    package func read(_ isReading: Bool) { put(.event(.reading(isReading))) }
    /// Calls `body` in the engine when everything that was sent before has been applied. It must not block.
    package func call(_ body: @escaping @Sendable () -> Void) { put(.call(body)) }
    /// Calls `body` when everything that was sent before is in the ledger's file, or at once if the queue is not stored.
    package func callWhenStored(_ body: @escaping @Sendable () -> Void) { put(.callWhenStored(body)) }
    package func report(_ reports: [TransportReport]) { put(.event(.reports(reports))) }
    func space(_ reading: DiskSpaceReading?, in folder: String) { put(.event(.space(folder: folder, reading))) }
    func recalled(_ details: StoredDetails, of id: TransferID) { put(.event(.recalled(id, details))) }
    func admitted(_ admitted: Admitted, by connection: ConnectionID, isLast: Bool) {
        put(.event(.admitted(admitted, by: connection, isLast: isLast)))
    }
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
