import FoundationEssentials
import Glibc
import WinchModel

/// The clients of a session, and the copy of the queue that they are shown. Used on the server's thread only.
struct SessionDesk {
    let greeting: Greeting
    private let feed: UpdateFeed
    let ports: SessionPorts
    private let buffer: UpdateBuffer
    var peers: [SessionPeer] = []
    private var lastNumber = 0
    /// `nil`: no client follows.
    private(set) var mirror: QueueMirror?
    private var log = EventLog()
    /// Requests for transfers, which wait for the copy: each with the number of its client.
    private var choices: [(peer: Int, request: SessionRequest)] = []

    static let mostPeers = 64
    /// 20 updates a second to a client.
    private static let pace = Duration.milliseconds(50)

    init(greeting: Greeting, feed: UpdateFeed, ports: SessionPorts, buffer: UpdateBuffer) {
        (self.greeting, self.feed, self.ports, self.buffer) = (greeting, feed, ports, buffer)
    }

    /// No further client is admitted; not even told why.
    var isFull: Bool { peers.count >= 2 * Self.mostPeers }

    /// What to poll, in the order of the clients.
    var interests: [pollfd] {
        peers.map { peer in
            pollfd(fd: peer.file.number, events: Int16(peer.hasUnsent ? POLLIN | POLLOUT : POLLIN), revents: 0)
        }
    }

    /// When something is to be done without any input; `nil`: nothing.
    var nextTime: Moment? {
        peers.compactMap { peer in
            guard let follower = peer.follower, mirror != nil, follower.hasNews, peer.mayHaveUpdate else {
                return peer.introductionDue
            }
            return peer.nextUpdate ?? ports.now()
        }.min()
    }

    mutating func admit(_ file: OpenFile) {
        guard LocalSocket.isTrusted(file.number) else { return }
        lastNumber += 1
        var peer = SessionPeer(file, number: lastNumber, at: ports.now())
        peer.write(greeting)
        if peers.count >= Self.mostPeers { peer.close("the session has \(Self.mostPeers) clients already") }
        if !peer.isGone { peers.append(peer) }
    }

    mutating func close(_ reason: String) {
        for index in peers.indices { peers[index].close(reason) }
    }

    /// - Parameter polled: the result for the clients of `interests`; empty when time has passed.
    mutating func serve(_ polled: [pollfd]) {
        takeUpdate()
        for (index, entry) in polled.enumerated() where peers.indices.contains(index) {
            if Int32(entry.revents) & POLLOUT != 0 { peers[index].flush() }
            guard Int32(entry.revents) & (POLLIN | POLLHUP | POLLERR) != 0 else { continue }
            for line in peers[index].read() { take(Data(line), from: index) }
        }
        answerChoices()
        let now = ports.now()
        for index in peers.indices {
            if let due = peers[index].introductionDue, due <= now {
                peers[index].close("no introduction came within \(Int(SessionPeer.patience.seconds)) seconds")
            }
            sendUpdates(to: index, at: now)
        }
        removeGone()
    }

    private mutating func removeGone() {
        for peer in peers where peer.isGone && peer.follower?.watched != nil {
            ports.send(.watch(nil, by: peer.number))
        }
        peers.removeAll(where: \.isGone)
        choices.removeAll { choice in !peers.contains { $0.number == choice.peer } }
        guard mirror != nil, choices.isEmpty, !peers.contains(where: { $0.follower != nil }) else { return }
        feed.unsubscribe(buffer)
        _ = buffer.take()
        (mirror, log) = (nil, EventLog())
    }
}

// MARK: - The queue

extension SessionDesk {
    private mutating func takeUpdate() {
        guard let update = buffer.take(), mirror?.apply(update) == true else { return }
        if update.base == nil { log = EventLog(update.log) } else { log.take(update) }
        for index in peers.indices { peers[index].follower?.note(update) }
    }

    private mutating func sendUpdates(to index: Int, at now: Moment) {
        // Number 0 is a copy that has no snapshot yet.
        guard let mirror, mirror.revision > 0 else { return }
        while let follower = peers[index].follower, follower.hasNews, peers[index].mayHaveUpdate {
            if let next = peers[index].nextUpdate, next > now { return }
            let log = log
            let message = peers[index].follower?.takeMessage(from: mirror, log: { Array(log.latest) }, at: now)
            peers[index].write(ServerLine(update: message))
            // Rows that are still missing follow at once.
            if peers[index].follower?.hasNews != true || peers[index].follower?.isWhole == true {
                peers[index].nextUpdate = now + Self.pace
            }
        }
        guard let follower = peers[index].follower, follower.isOnce, follower.isComplete,
            let request = peers[index].statusRequest
        else { return }
        (peers[index].follower, peers[index].statusRequest) = (nil, nil)
        peers[index].write(ServerLine(reply: SessionReply(to: request)))
    }

    mutating func follow(_ follower: Follower, by index: Int) {
        peers[index].follower = follower
        peers[index].nextUpdate = nil
        joinFeed()
    }

    private mutating func joinFeed() {
        guard mirror == nil else { return }
        mirror = QueueMirror()
        feed.subscribe(buffer, knowing: nil)
    }

    /// Carries out the requests for transfers once the copy is there.
    private mutating func answerChoices() {
        guard let mirror, mirror.revision > 0 else { return }
        for (number, request) in choices {
            guard let index = peers.firstIndex(where: { $0.number == number }) else { continue }
            let reply: SessionReply
            do throws(SessionFault) {
                let ids = try TransferChoice(request: request).ids(in: mirror)
                if let command = request.command(for: ids) { ports.send(command) }
                reply = SessionReply(to: request.n, words: ids.count == 1 ? "1 transfer" : "\(ids.count) transfers")
            } catch {
                reply = SessionReply(to: request.n, error: error.message)
            }
            peers[index].write(ServerLine(reply: reply))
        }
        choices = []
    }

    mutating func choose(_ request: SessionRequest, by index: Int) {
        choices.append((peers[index].number, request))
        joinFeed()
    }
}
