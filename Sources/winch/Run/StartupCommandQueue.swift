import Synchronization
import WinchModel
import WinchQueue

/// The queue of a run, as its front ends see it. While the run starts it holds back what the user does, in order: the rows on
/// the screen are in the queue only after a moment, and a run that is left must have its whole list in the ledger. Entries wait
/// until the whole list is in the queue, which then says which of them it has.
final class StartupCommandQueue: QueueAccess {
    /// Gets the reasons why uploads were not started, for the user.
    typealias Reply = @Sendable (_ refused: [String]) -> Void

    private enum Held: Sendable {
        case command(Command)
        case answeredCommand(Command, Reply)
        case additions([Addition], Reply)
        case entries([TransferSpec], @Sendable (AdditionReply) -> Void)
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

    private let queue: LocalQueue
    private let entries: RunEntries
    private let state = Mutex(State())

    init(_ queue: LocalQueue, _ entries: RunEntries) {
        (self.queue, self.entries) = (queue, entries)
    }

    var feed: UpdateFeed { queue.feed }

    func send(_ command: Command) {
        state.withLock { state in
            switch (state.phase, command) {
            case (.closed, .quit), (.reading, .quit): state.hasQuit = true
            case (.closed, _): state.held.append(.command(command))
            // What was typed just before is in the list that is left.
            case (.open, .quit): entries.afterAdmitted { [queue] in queue.send(.quit) }
            case (.reading, _), (.open, _): queue.send(command)
            }
        }
    }

    /// Tries transfers again.
    func retry(_ ids: [TransferID], reply: @escaping Reply) {
        state.withLock { state in
            if state.phase == .closed {
                state.held.append(.answeredCommand(.retry(ids), reply))
            } else {
                queue.inbox.send(.retry(ids), reply: reply)
            }
        }
    }

    /// Adds what another run has left.
    func takeOver(_ additions: [Addition], reply: @escaping Reply) {
        entries.leaveOut(additions)
        state.withLock { state in
            if state.phase == .closed {
                state.held.append(.additions(additions, reply))
            } else {
                queue.inbox.takeOver(additions, reply: reply)
            }
        }
    }

    func add(_ specs: [TransferSpec], reply: @escaping @Sendable (AdditionReply) -> Void = { _ in }) {
        state.withLock { state in
            if state.phase == .open { admit(specs, reply) } else { state.held.append(.entries(specs, reply)) }
        }
    }

    private func admit(_ specs: [TransferSpec], _ reply: @escaping @Sendable (AdditionReply) -> Void) {
        entries.admit(specs) { [queue] in queue.add($0, reply: reply) }
    }

    /// Calls `body` when everything that was added before is in the ledger.
    func callWhenStored(_ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.phase == .open { queue.inbox.callWhenStored(body) } else { state.held.append(.stored(body)) }
        }
    }

    /// The rows that the user sees are in the queue.
    func openForRows() {
        state.withLock { state in
            guard state.phase == .closed else { return }
            state.phase = .reading
            for held in state.held {
                switch held {
                case .command(let command): queue.send(command)
                case .answeredCommand(let command, let reply): queue.inbox.send(command, reply: reply)
                case .additions(let additions, let reply): queue.inbox.takeOver(additions, reply: reply)
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
                case .stored(let body): queue.inbox.callWhenStored(body)
                case .command, .answeredCommand, .additions: break
                }
            }
            state.held = []
            if state.hasQuit { entries.afterAdmitted { [queue] in queue.send(.quit) } }
        }
    }
}
