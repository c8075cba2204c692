import Dispatch
import Synchronization
import WinchModel
import WinchScreen
import WinchSession
import WinchTerminal

/// The queue of a session in another process. A connection to another machine that is lost is taken up again.
final class RemoteQueue: QueueAccess {
    private struct State {
        var link: SessionConnection
        var ending: String?
        /// Of the last update.
        var totals = QueueTotals()
        var isLost = false
        var isClosed = false
        var watched: TransferID?
        /// Entries that the session has not answered yet, by the numbers of their requests.
        var unanswered: [Int: (request: SessionRequest, reply: @Sendable (AdditionReply) -> Void)] = [:]

        /// - Returns: false while there is no connection.
        mutating func send(_ request: SessionRequest, reply: (@Sendable (AdditionReply) -> Void)? = nil) -> Bool {
            guard !isLost, ending == nil else { return false }
            let n = link.send(request)
            if let reply { unanswered[n] = (request, reply) }
            return true
        }

        /// Sends again what the session may not have seen. An entry that it has is not added again.
        mutating func takeUp(_ link: SessionConnection) {
            let before = unanswered.sorted { $0.key < $1.key }.map(\.value)
            (self.link, isLost, unanswered) = (link, false, [:])
            for (request, reply) in before { _ = send(request, reply: reply) }
        }
    }

    /// Subscribers join it before `start`.
    let feed = UpdateFeed()
    private let state: Mutex<State>
    /// The other machine; `nil`: the session is on this one, and a lost connection is its end.
    private let remote: RemoteSession?
    private let open: @Sendable (RemoteSession) throws(SessionFailure) -> SessionConnection
    /// That relative paths begin at; `nil`: the session's working folder.
    private let folder: WorkingFolder?
    private let mailbox: LoopMailbox
    private let retries = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// 45 s: three pings of the other machine have not come.
    private static let longestSilence: Int32 = 45_000
    /// Seconds before the attempts to connect again; the last for all further ones.
    private static let waits = [1, 2, 5, 10, 30]
    private static let noConnection = "there is no connection to the session"

    /// - Parameters:
    ///   - mailbox: of its front end, which gets messages about the connection.
    ///   - open: connects again.
    init(
        _ link: SessionConnection, _ remote: RemoteSession?, _ mailbox: LoopMailbox,
        open: @escaping @Sendable (RemoteSession) throws(SessionFailure) -> SessionConnection = {
            (remote) throws(SessionFailure) in try remote.open(mayAsk: false)
        }
    ) {
        state = Mutex(State(link: link))
        folder = remote == nil ? WorkingFolder.current() : nil
        (self.remote, self.mailbox, self.open) = (remote, mailbox, open)
    }

    /// Why it has ended; `nil`: it goes on.
    var ending: String? { state.withLock(\.ending) }

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
        if !state.withLock({ $0.send(SessionRequest(carrying: command)) }) {
            show(.notice("Not done: \(Self.noConnection)"))
        }
    }

    func add(_ specs: [TransferSpec], reply: @escaping @Sendable (AdditionReply) -> Void) {
        do throws(SessionFailure) {
            let requests = try SessionRequest.adding(specs, from: folder)
            let replies = AdditionReplies(missing: requests.count, reply: reply)
            let isSent = state.withLock { state in
                requests.allSatisfy { state.send($0) { replies.take($0) } }
            }
            if !isSent { reply(.refused(Self.noConnection)) }
        } catch {
            reply(.refused(error.message))
        }
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
        return hasEnded.wait(timeout: .now() + .seconds(5)) == .success
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
                end(because: fault.message)
                return feed.end()
            }
            guard connectAgain(to: remote) else { return }
        }
    }

    /// - Returns: why the connection has ended, and whether the session has ended it.
    private func follow(_ link: SessionConnection) -> (SessionFailure, isFinal: Bool) {
        var request = SessionRequest(.follow)
        request.appends = true
        link.send(request)
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
                        if let addition = state.withLock({ $0.unanswered.removeValue(forKey: reply.n) }) {
                            // A session of an older version does not say how many are new, and adds all.
                            let count = reply.added ?? addition.request.specs?.count ?? 0
                            let (startedAnew, problems) = (reply.startedAnew ?? 0, reply.problems ?? [])
                            addition.reply(
                                reply.error.map { .refused($0) }
                                    ?? .added(count, startedAnew: startedAnew, refused: problems))
                        } else if let error = reply.error {
                            show(.notice("Not done: \(error)"))
                        }
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

    private func connectAgain(to remote: RemoteSession) -> Bool {
        state.withLock { $0.isLost = true }
        var trouble = "Connection to \(remote.host) lost"
        for attempt in 0... {
            let wait = Self.waits[min(attempt, Self.waits.count - 1)]
            show(.connectionLost("\(trouble); trying again every \(wait) s, r tries now"))
            _ = retries.wait(timeout: .now() + .seconds(wait))
            if state.withLock(\.isClosed) { return false }
            do throws(SessionFailure) {
                let link = try open(remote)
                state.withLock { $0.takeUp(link) }
                show(.connectionLost(nil))
                return true
            } catch {
                trouble = "No connection to \(remote.host): \(error.message)"
            }
        }
        return false
    }

    private func end(because words: String) {
        let unanswered = state.withLock { state in
            defer { (state.ending, state.unanswered) = (words, [:]) }
            return state.unanswered.values
        }
        for addition in unanswered { addition.reply(.refused(words)) }
    }

    private func show(_ event: ScreenEvent) { mailbox.show([event]) }
}

/// Makes one reply of those to the parts of an addition.
private final class AdditionReplies: Sendable {
    /// `missing`: parts without a reply; `nil`: one was refused.
    private let state: Mutex<(missing: Int?, added: Int, startedAnew: Int, refused: [String])>
    private let reply: @Sendable (AdditionReply) -> Void

    init(missing: Int, reply: @escaping @Sendable (AdditionReply) -> Void) {
        state = Mutex((missing, 0, 0, []))
        self.reply = reply
    }

    func take(_ part: AdditionReply) {
        let whole = state.withLock { state -> AdditionReply? in
            guard let missing = state.missing else { return nil }
            guard case .added(let count, let startedAnew, let refused) = part else {
                state.missing = nil
                return part
            }
            state = (missing - 1, state.added + count, state.startedAnew + startedAnew, state.refused + refused)
            guard missing == 1 else { return nil }
            return .added(state.added, startedAnew: state.startedAnew, refused: state.refused)
        }
        if let whole { reply(whole) }
    }
}
