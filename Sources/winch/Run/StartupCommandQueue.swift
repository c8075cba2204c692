import Synchronization
import WinchModel
import WinchQueue

/// Holds back what the user does while the run starts, in order: the rows on the screen are in the queue only after a moment,
/// and a run that is left must have its whole list in the ledger.
final class StartupCommandQueue: Sendable {
    private enum Held: Sendable {
        case command(Command)
        case additions([Addition])
        case entries([TransferSpec], @Sendable (Int) -> Void)
        case stored(@Sendable () -> Void)
    }

    private enum Phase {
        /// No transfer is in the queue.
        case closed
        /// The first transfers are in the queue, and more follow.
        case reading
        case open
    }

    private struct State {
        var phase = Phase.closed
        var held: [Held] = []
        /// The user has quit while the list was being read.
        var hasQuit = false
    }

    private let inbox: Inbox
    private let state = Mutex(State())

    init(_ inbox: Inbox) {
        self.inbox = inbox
    }

    func send(_ command: Command) {
        state.withLock { state in
            switch (state.phase, command) {
            case (.closed, .quit), (.reading, .quit): state.hasQuit = true
            case (.closed, _): state.held.append(.command(command))
            case (.reading, _), (.open, _): inbox.send(command)
            }
        }
    }

    func add(_ additions: [Addition]) {
        state.withLock { state in
            if state.phase == .closed { state.held.append(.additions(additions)) } else { inbox.add(additions) }
        }
    }

    /// Adds entries that a user names while the run goes on.
    ///
    /// - Parameter reply: called with the number of those that were not in the list.
    func add(_ specs: [TransferSpec], reply: @escaping @Sendable (Int) -> Void = { _ in }) {
        state.withLock { state in
            if state.phase == .closed {
                state.held.append(.entries(specs, reply))
            } else {
                inbox.add(specs.map { Addition(spec: $0) }, reply: reply)
            }
        }
    }

    /// Calls `body` when everything that was added before is in the ledger.
    func callWhenStored(_ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.phase == .closed { state.held.append(.stored(body)) } else { inbox.callWhenStored(body) }
        }
    }

    /// The rows that the user sees are in the queue.
    func openForRows() {
        state.withLock { state in
            guard state.phase == .closed else { return }
            state.phase = .reading
            for held in state.held {
                switch held {
                case .command(let command): inbox.send(command)
                case .additions(let additions): inbox.add(additions)
                case .entries(let specs, let reply): inbox.add(specs.map { Addition(spec: $0) }, reply: reply)
                case .stored(let body): inbox.callWhenStored(body)
                }
            }
            state.held = []
        }
    }

    /// The whole list is in the queue.
    func open() {
        openForRows()
        state.withLock { state in
            state.phase = .open
            if state.hasQuit { inbox.send(.quit) }
        }
    }
}
