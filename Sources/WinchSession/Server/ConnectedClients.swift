import FoundationEssentials
import Glibc
import WinchModel

/// The clients of a session, and the copy of the queue that they are shown. Used on the server's thread only.
struct ConnectedClients {
    let greeting: Greeting
    let ports: SessionActions
    private let buffer: UpdateBuffer
    let late: ServerMailbox<(peer: Int, reply: SessionReply)>
    private let notices: ServerMailbox<String>
    var peers: [ConnectedClient] = []
    private var lastNumber = 0
    /// `nil`: no client follows.
    private(set) var copy: QueueCopy?
    private var log = RecentLog()
    /// Requests for transfers, which wait for the copy: each with the number of its client.
    private var choices: [(peer: Int, request: SessionRequest)] = []
    /// Transfers that a request has changed a moment ago: when, and the phase that the copy may not show yet.
    private var commanded: [TransferID: (at: Moment, phase: TransferPhase?)] = [:]

    init(
        greeting: Greeting, ports: SessionActions, notices: ServerMailbox<String>, ring: @escaping @Sendable () -> Void
    ) {
        (self.greeting, self.ports, self.notices) = (greeting, ports, notices)
        buffer = UpdateBuffer(wake: ring)
        late = ServerMailbox(ring: ring)
    }

    /// No further client is admitted; not even told why.
    var isFull: Bool { peers.count >= 2 * SessionLimits.clients }

    /// What to poll, in the order of the clients.
    var interests: [pollfd] {
        peers.map { peer in
            let events = (peer.hasInputEnded ? 0 : POLLIN) | (peer.hasUnsent ? POLLOUT : 0)
            return pollfd(fd: peer.file.number, events: Int16(events), revents: 0)
        }
    }

    /// When something is to be done without any input; `nil`: nothing.
    var nextTime: Moment? {
        peers.compactMap { peer in
            guard let follower = peer.follower, hasCopy, follower.hasNews, peer.mayHaveUpdate else {
                return peer.introductionDue ?? peer.closingDue
            }
            return (follower.isWithinState ? nil : peer.pace.due(isNotable: follower.isNotable)) ?? ports.now()
        }.min()
    }

    mutating func admit(_ file: OpenFile) {
        lastNumber += 1
        var peer = ConnectedClient(file, number: lastNumber, at: ports.now())
        guard UnixSocket.isTrusted(file.number) else { return peer.close("the session is that of another user") }
        var greeting = greeting
        if let origin = ports.origin { greeting.set(origin: origin()) }
        peer.write(greeting)
        if peers.count(where: { !$0.isClosing }) >= SessionLimits.clients, !closeStranger() {
            peer.close("the session has \(SessionLimits.clients) clients already")
        }
        if !peer.isGone { peers.append(peer) }
    }

    /// Makes room: of the clients that have not introduced themselves the one that has had most time for it is closed.
    ///
    /// - Returns: false when there is none.
    private mutating func closeStranger() -> Bool {
        let strangers = peers.indices.filter { peers[$0].introductionDue != nil && !peers[$0].isClosing }
        guard let index = strangers.min(by: { peers[$0].number < peers[$1].number }) else { return false }
        peers[index].close("no introduction has come, and the session has \(SessionLimits.clients) clients already")
        return true
    }

    /// Sends the replies and the state that are there, so that no client takes for undone what was done, and closes all connections.
    mutating func close(_ reason: String) {
        takeUpdate()
        sendLateReplies()
        let now = ports.now()
        for index in peers.indices {
            // For one that does not have the whole list yet, what is missing is too long.
            if peers[index].follower?.isWhole == true { sendUpdates(to: index, at: now, isLast: true) }
            peers[index].close(reason)
        }
    }

    /// What to poll for after `close`: clients that have not taken their last line.
    var unsent: [pollfd] {
        peers.filter { $0.hasUnsent && !$0.isGone }
            .map { pollfd(fd: $0.file.number, events: Int16(POLLOUT), revents: 0) }
    }

    mutating func flush() {
        for index in peers.indices { peers[index].flush() }
    }

    /// - Parameter polled: the result for the clients of `interests`; empty when time has passed.
    mutating func serve(_ polled: [pollfd]) {
        takeUpdate()
        sendLateReplies()
        sendNotices()
        for (index, entry) in polled.enumerated() where peers.indices.contains(index) {
            if Int32(entry.revents) & POLLOUT != 0 { peers[index].flush() }
            guard Int32(entry.revents) & (POLLIN | POLLHUP | POLLERR) != 0 else { continue }
            for line in peers[index].read() { take(Data(line), from: index) }
            let isOver = peers[index].hasInputEnded && Int32(entry.revents) & (POLLHUP | POLLERR) != 0
            if isOver { peers[index].isGone = true }
        }
        answerChoices()
        let now = ports.now()
        for index in peers.indices {
            peers[index].keepTime(at: now)
            sendUpdates(to: index, at: now)
            if peers[index].hasInputEnded, !isOwed(index) { peers[index].isGone = true }
        }
        removeGone()
    }

    private mutating func sendLateReplies() {
        for (number, reply) in late.take() {
            guard let index = peers.firstIndex(where: { $0.number == number }) else { continue }
            peers[index].repliesToCome -= 1
            write(reply, to: index)
        }
    }

    /// A client that does not read misses them.
    private mutating func sendNotices() {
        for words in notices.take() {
            for index in peers.indices where peers[index].follower != nil && peers[index].mayHaveUpdate {
                peers[index].write(ServerLine(notice: words))
            }
        }
    }

    /// Something is still to be sent to a client that sends nothing more.
    private func isOwed(_ index: Int) -> Bool {
        let peer = peers[index]
        return peer.hasUnsent || peer.follower != nil || peer.repliesToCome > 0
            || choices.contains { $0.peer == peer.number }
    }

    private mutating func removeGone() {
        for peer in peers where peer.isGone && peer.follower?.watched != nil {
            ports.queue.send(.watch(nil, by: peer.number))
        }
        peers.removeAll(where: \.isGone)
        choices.removeAll { choice in !peers.contains { $0.number == choice.peer } }
        guard copy != nil, choices.isEmpty, !peers.contains(where: { $0.follower != nil }) else { return }
        ports.queue.feed.unsubscribe(buffer)
        _ = buffer.take()
        (copy, log) = (nil, RecentLog())
    }
}

// MARK: - The queue

extension ConnectedClients {
    private mutating func takeUpdate() {
        guard let update = buffer.take(), copy?.apply(update) == true else { return }
        if update.base == nil { log = RecentLog(update.log) } else { log.take(update) }
        for index in peers.indices { peers[index].follower?.note(update) }
    }

    /// - Parameter isLast: nothing follows; they do not wait for their time.
    private mutating func sendUpdates(to index: Int, at now: Moment, isLast: Bool = false) {
        guard let copy, hasCopy else { return }
        while let follower = peers[index].follower, follower.hasNews, peers[index].mayHaveUpdate {
            guard
                isLast || follower.isWithinState || peers[index].pace.isDue(at: now, isNotable: follower.isNotable)
            else { return }
            let log = log
            let message = peers[index].follower?.takeMessage(from: copy, log: { Array(log.latest) }, at: now)
            let bytes = peers[index].write(update: message)
            // What is still missing of the same state follows at once.
            if peers[index].follower?.isWithinState != true { peers[index].pace.noteUpdate(of: bytes, at: now) }
        }
        guard let follower = peers[index].follower, follower.isOnce, follower.isComplete,
            let request = peers[index].statusRequest
        else { return }
        (peers[index].follower, peers[index].statusRequest) = (nil, nil)
        write(SessionReply(to: request), to: index)
    }

    mutating func write(_ reply: SessionReply, to index: Int) {
        var reply = reply
        reply.unsaved = ports.unsaved()
        peers[index].write(ServerLine(reply: reply))
    }

    mutating func follow(_ follower: UnsentUpdates, by index: Int) {
        peers[index].follower = follower
        peers[index].pace = UpdatePace()
        joinFeed()
    }

    /// The copy has had its snapshot.
    private var hasCopy: Bool { (copy?.revision ?? 0) > 0 }

    private mutating func joinFeed() {
        guard copy == nil else { return }
        copy = QueueCopy()
        ports.queue.feed.subscribe(buffer, knowing: nil)
    }

    /// Carries out the requests for transfers once the copy is there. The queue gets all that were chosen and leaves alone those
    /// that a command does not fit: the copy may not show yet what the request before has done.
    private mutating func answerChoices() {
        guard let copy, hasCopy else { return }
        let now = ports.now()
        commanded = commanded.filter { now - $0.value.at < Self.effectSpan }
        for (number, request) in choices {
            guard let index = peers.firstIndex(where: { $0.number == number }) else { continue }
            let reply: SessionReply
            do throws(SessionFailure) {
                let chosen = try request.chosen(in: copy)
                let effect = request.action.forTransfers
                let ids = chosen.filter { id in
                    [commanded[id]?.phase, copy.row(id)?.phase].contains { phase in
                        phase.flatMap { effect?.changed.contains($0.state) } ?? false
                    }
                }
                if ids.isEmpty, request.which == nil { throw request.refusal(of: chosen.compactMap { copy.row($0) }) }
                for id in ids { commanded[id] = (at: now, phase: effect?.result) }
                if request.action == .retry {
                    retry(chosen, ids.count, for: request, by: index)
                    continue
                }
                if let command = request.command(for: chosen) { ports.queue.send(command) }
                reply = SessionReply(to: request.n, words: SessionReply.transfers(ids.count))
            } catch {
                reply = SessionReply(to: request.n, error: error.message)
            }
            write(reply, to: index)
        }
        choices = []
    }

    /// 1 s: the effect of a command is in the copy long before.
    private static let effectSpan = Duration.seconds(1)

    mutating func choose(_ request: SessionRequest, by index: Int) {
        choices.append((peers[index].number, request))
        joinFeed()
    }
}
