import Synchronization
import WinchModel
import WinchQueue

/// The queue of a run, as its front ends see it. While the run starts it holds back what the user does, in order: the rows on
/// the screen are in the queue only after a moment, and a run that is left must have its whole list in the ledger. Entries wait
/// until the whole list is in the queue, which then says which of them it has.
final class StartupCommandQueue: QueueAccess {
    /// Gets the reasons why uploads were not started, for the user.
    typealias Reply = @Sendable (_ refused: [String]) -> Void

    private enum Phase {
        case closed
        /// The first transfers are in the queue, and more follow.
        case reading
        case open
    }

    private struct State {
        var phase = Phase.closed
        /// What waits for the rows, and what waits for the whole list; each in order.
        var forRows: [@Sendable () -> Void] = []
        var forList: [@Sendable () -> Void] = []
        var hasQuit = false
    }

    private let queue: LocalQueue
    private let entries: RunEntries
    private let state = Mutex(State())

    init(_ queue: LocalQueue, _ entries: RunEntries) { (self.queue, self.entries) = (queue, entries) }

    var feed: UpdateFeed { queue.feed }

    func send(_ command: Command) {
        guard case .quit = command else { return afterRows { [queue] in queue.send(command) } }
        state.withLock { state in
            if state.phase == .open { quit() } else { state.hasQuit = true }
        }
    }

    /// What was typed just before is in the list that is left.
    private func quit() { entries.afterAdmitted { [queue] in queue.send(.quit) } }

    func retry(_ ids: [TransferID], reply: @escaping Reply) {
        afterRows { [queue] in queue.inbox.send(.retry(ids), reply: reply) }
    }

    func takeOver(_ additions: [Addition], reply: @escaping Reply) {
        entries.leaveOut(additions)
        afterRows { [queue] in queue.inbox.takeOver(additions, reply: reply) }
    }

    func add(_ specs: [TransferSpec], reply: @escaping @Sendable (AdditionReply) -> Void = { _ in }) {
        afterList { [queue, entries] in entries.admit(specs) { queue.add($0, reply: reply) } }
    }

    /// Calls `body` when everything that was added before is in the ledger.
    func callWhenStored(_ body: @escaping @Sendable () -> Void) {
        afterList { [queue] in queue.inbox.callWhenStored(body) }
    }

    private func afterRows(_ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.phase == .closed { state.forRows.append(action) } else { action() }
        }
    }

    private func afterList(_ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if state.phase == .open { action() } else { state.forList.append(action) }
        }
    }

    /// The rows that the user sees are in the queue.
    func openForRows() {
        state.withLock { state in
            guard state.phase == .closed else { return }
            state.phase = .reading
            for action in state.forRows { action() }
            state.forRows = []
        }
    }

    /// The whole list is in the queue.
    func open() {
        openForRows()
        state.withLock { state in
            state.phase = .open
            for action in state.forList { action() }
            state.forList = []
            if state.hasQuit { quit() }
        }
    }
}
