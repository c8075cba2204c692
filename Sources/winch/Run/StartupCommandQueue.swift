import Synchronization
import WinchModel
import WinchQueue

/// Holds back what the user does while the run starts, in order: the rows on the screen are in the queue only after a moment,
/// and a run that is left must have its whole list in the ledger. Entries wait until the whole list is in the queue, which then
/// says which of them it has.
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
    private let entries: RunEntries
    private let state = Mutex(State())

    init(_ inbox: Inbox, _ entries: RunEntries) {
        (self.inbox, self.entries) = (inbox, entries)
    }

    func send(_ command: Command) {
        state.withLock { state in
            switch (state.phase, command) {
            case (.closed, .quit), (.reading, .quit): state.hasQuit = true
            case (.closed, _): state.held.append(.command(command))
            // What was typed just before is in the list that is left.
            case (.open, .quit): entries.afterAdmitted { [inbox] in inbox.send(.quit) }
            case (.reading, _), (.open, _): inbox.send(command)
            }
        }
    }

    /// Adds what another run has left.
    func add(_ additions: [Addition]) {
        entries.leaveOut(additions)
        state.withLock { state in
            if state.phase == .closed { state.held.append(.additions(additions)) } else { inbox.add(additions) }
        }
    }

    /// Adds entries that a user names while the run goes on.
    ///
    /// - Parameter reply: called with the number of those that were not in the list.
    func add(_ specs: [TransferSpec], reply: @escaping @Sendable (Int) -> Void = { _ in }) {
        state.withLock { state in
            if state.phase == .open { admit(specs, reply) } else { state.held.append(.entries(specs, reply)) }
        }
    }

    private func admit(_ specs: [TransferSpec], _ reply: @escaping @Sendable (Int) -> Void) {
        entries.admit(specs) { [inbox] in inbox.add($0, reply: reply) }
    }

    /// Calls `body` when everything that was added before is in the ledger.
    func callWhenStored(_ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.phase == .open { inbox.callWhenStored(body) } else { state.held.append(.stored(body)) }
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
                case .entries, .stored: break
                }
            }
        }
    }

    /// The whole list is in the queue.
    func open() {
        openForRows()
        state.withLock { state in
            state.phase = .open
            for held in state.held {
                switch held {
                case .entries(let specs, let reply): admit(specs, reply)
                case .stored(let body): inbox.callWhenStored(body)
                case .command, .additions: break
                }
            }
            state.held = []
            if state.hasQuit { entries.afterAdmitted { [inbox] in inbox.send(.quit) } }
        }
    }
}
