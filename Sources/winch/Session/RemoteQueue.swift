import Dispatch
import Synchronization
import WinchBatch
import WinchModel
import WinchScreen
import WinchSession
import WinchTerminal

/// The queue of a session in another process. A connection to another machine that is lost is taken up again.
final class RemoteQueue: QueueAccess {
    private struct State {
        var link: SessionConnection
        /// Why it has ended for good.
        var ending: String?
        /// Of the last update.
        var totals = QueueTotals()
        var isLost = false
        var isClosed = false
        /// The transfer whose details are shown.
        var watched: TransferID?
        /// What waits for replies that say how many entries are new, by the numbers of the requests.
        var additions: [Int: @Sendable (Int) -> Void] = [:]
    }

    /// Subscribers join it before `start`.
    let feed = UpdateFeed()
    private let state: Mutex<State>
    /// The other machine; `nil`: the session is on this one, and a lost connection is its end.
    private let remote: RemoteSession?
    /// That relative paths begin at; `nil`: the session's working folder.
    private let folder: WorkingFolder?
    private let mailbox: LoopMailbox
    private let retries = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// 45 s: three pings of the other machine have not come.
    private static let longestSilence: Int32 = 45_000
    /// Seconds before the attempts to connect again; the last for all further ones.
    private static let waits = [1, 2, 5, 10, 30]

    /// - Parameter mailbox: of its front end, which gets messages about the connection.
    init(_ link: SessionConnection, _ remote: RemoteSession?, _ mailbox: LoopMailbox) {
        state = Mutex(State(link: link))
        folder = remote == nil ? WorkingFolder.current() : nil
        (self.remote, self.mailbox) = (remote, mailbox)
    }

    /// Why it has ended; `nil`: it goes on.
    var ending: String? { state.withLock(\.ending) }

    /// What the session had by its last update.
    var totals: QueueTotals { state.withLock(\.totals) }

    private var link: SessionConnection { state.withLock(\.link) }

    func start() {
        DispatchQueue(label: "winch.attach", qos: .userInitiated).async { self.run() }
    }

    /// - Parameter command: leaving the dashboard is no command to the session.
    func send(_ command: Command) {
        switch command {
        case .quit, .resumed: return
        case .watch(let id, _): state.withLock { $0.watched = id }
        default: break
        }
        send([SessionRequest(carrying: command)])
    }

    func add(_ specs: [TransferSpec], reply: @escaping @Sendable (Int) -> Void) {
        do throws(SessionFailure) {
            let requests = try SessionRequest.adding(specs, from: folder)
            let sum = Mutex((missing: requests.count, added: 0))
            send(requests) { added in
                let total = sum.withLock { sum -> Int? in
                    sum.missing -= 1
                    sum.added += added
                    return sum.missing == 0 ? sum.added : nil
                }
                if let total { reply(total) }
            }
        } catch {
            show(.notice("Not added: \(error.message)"))
        }
    }

    private func send(_ requests: [SessionRequest], reply: (@Sendable (Int) -> Void)? = nil) {
        let isSent = state.withLock { state in
            guard !state.isLost else { return false }
            for request in requests {
                let n = state.link.send(request)
                state.additions[n] = reply
            }
            return true
        }
        if !isSent { show(.notice("Not done: there is no connection to the session")) }
    }

    /// Connects again at once, if the connection is lost.
    func retry() { retries.signal() }

    /// Ends the session, and waits until it has ended, at most 5 s.
    ///
    /// - Returns: false when it has not ended by then, or cannot be told.
    func stopSession() -> Bool {
        defer { close() }
        guard !state.withLock(\.isLost) else { return false }
        link.send(SessionRequest(.stop))
        guard hasEnded.wait(timeout: .now() + .seconds(5)) == .success else { return false }
        return true
    }

    func close() {
        state.withLock { $0.isClosed = true }
        link.close()
        retries.signal()
    }

    // MARK: - On the thread of its own

    private func run() {
        defer { hasEnded.signal() }
        while true {
            let (fault, isFinal) = follow(link)
            guard !isFinal, let remote, !state.withLock(\.isClosed) else {
                state.withLock { $0.ending = fault.message }
                return feed.end()
            }
            guard connectAgain(to: remote) else { return }
        }
    }

    /// - Returns: why the connection has ended, and whether the session has ended it.
    private func follow(_ link: SessionConnection) -> (SessionFailure, isFinal: Bool) {
        link.send(SessionRequest(.follow))
        if let watched = state.withLock(\.watched) {
            link.send(SessionRequest(carrying: .watch(watched)))
        }
        var reason: String?
        do throws(SessionFailure) {
            while true {
                let messages = try link.receive(milliseconds: remote == nil ? nil : Self.longestSilence)
                if messages.isEmpty { return (.closed(reason: "it says nothing any more"), false) }
                for message in messages {
                    switch message {
                    case .update(let update):
                        state.withLock { $0.totals = update.totals }
                        feed.post(update)
                    case .closing(let words): reason = words
                    case .reply(let reply):
                        if let error = reply.error { show(.notice("Not done: \(error)")) }
                        let addition = state.withLock { $0.additions.removeValue(forKey: reply.n) }
                        if let added = reply.added { addition?(added) }
                    case .notice(let words): show(.notice(words))
                    case .ping: break
                    }
                }
            }
        } catch {
            guard case .closed = error else { return (error, true) }
            return (.closed(reason: reason), reason != nil)
        }
    }

    /// - Returns: false when the user has left meanwhile.
    private func connectAgain(to remote: RemoteSession) -> Bool {
        state.withLock { ($0.isLost, $0.additions) = (true, [:]) }
        var trouble = "Connection to \(remote.host) lost"
        for attempt in 0... {
            let wait = Self.waits[min(attempt, Self.waits.count - 1)]
            show(.connectionLost("\(trouble); trying again every \(wait) s, r tries now"))
            _ = retries.wait(timeout: .now() + .seconds(wait))
            if state.withLock(\.isClosed) { return false }
            do throws(SessionFailure) {
                let link = try remote.open(mayAsk: false)
                state.withLock { ($0.link, $0.isLost) = (link, false) }
                show(.connectionLost(nil))
                return true
            } catch {
                trouble = "No connection to \(remote.host): \(error.message)"
            }
        }
        return false
    }

    private func show(_ event: ScreenEvent) { mailbox.show([event]) }
}
