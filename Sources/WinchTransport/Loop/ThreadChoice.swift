import WinchModel

/// Which thread carries out the orders of a transfer.
///
/// All connections of a transfer are on one thread, since they share its part file. The others are spread, so that no more
/// sockets to a server are open, or kept for later, than connections to it were open at one time: a server may allow no more.
struct ThreadChoice {
    struct Place: Equatable {
        var thread: Int
        /// A thread that closes a connection that it keeps to the same server, to make room for the new one.
        var closesKept: Int?
    }

    /// What a transfer has on its thread.
    private struct Pin {
        let thread: Int
        /// With the servers they lead to.
        var connections: [(id: ConnectionID, server: String)] = []
        /// The part file stays open after a connection has ended.
        var isPartOpen = false
        /// Connections that brought the last byte of a file which the finisher has.
        var finishing: [ConnectionID] = []
        /// Its connections send; the last byte of the body ends none of them.
        var isUpload = false
        /// Orders to remove its part file that were not carried out yet.
        var discards = 0

        var isEmpty: Bool { connections.isEmpty && !isPartOpen && finishing.isEmpty && discards == 0 }
    }

    private struct Thread {
        /// Open connections, those of questions for a size included.
        var connections = 0
        /// The servers of connections that may be kept for later, the oldest first.
        var kept: [String] = []
    }

    private var threads: [Thread]
    private var pins: [TransferID: Pin] = [:]
    private var probes: [TransferID: (thread: Int, server: String)] = [:]
    /// The files that opened transfers wish to make, until the thread has reported something of them.
    private var starting: [TransferID: String] = [:]
    /// The threads of those, and how many transfers wish the file.
    private var wishes: [String: (thread: Int, count: Int)] = [:]
    /// The thread that has orders to remove part files, and their number.
    private var removals = (thread: 0, count: 0)

    /// Connections that a thread keeps at most: one for each of the most transfers at a time, to several servers.
    static let mostKept = 64

    /// - Parameter count: of threads, at least 1.
    init(count: Int) { threads = Array(repeating: Thread(), count: max(1, count)) }

    /// The thread that holds something of the transfer; `nil`: nothing of it is open.
    func thread(of id: TransferID) -> Int? { pins[id]?.thread }

    /// A connection is to be opened.
    ///
    /// - Parameters:
    ///   - file: the path that the file is to get. Files of the same path are numbered in the order of their opening, so
    ///     they begin on one thread. `nil`: the connection begins no attempt; else it ends those of earlier ones.
    ///   - server: as in `TransferURL.server`.
    mutating func open(_ id: ConnectionID, of file: String?, to server: String, isUpload: Bool = false) -> Place {
        var pin = pins[id.transfer] ?? Pin(thread: file.flatMap { wishes[$0]?.thread } ?? bestThread(for: server))
        if let file {
            endConnections(of: &pin)
            start(id.transfer, file, on: pin.thread)
        }
        let place = take(server, on: pin.thread)
        pin.isUpload = isUpload
        pin.connections.append((id, server))
        pins[id.transfer] = pin
        return place
    }

    mutating func probe(_ id: TransferID, at server: String) -> Place {
        _ = endProbe(of: id)
        let place = take(server, on: bestThread(for: server))
        probes[id] = (place.thread, server)
        return place
    }

    /// The question for a size has ended.
    ///
    /// - Returns: the thread that asked; `nil`: none.
    mutating func endProbe(of id: TransferID) -> Int? {
        guard let (thread, server) = probes.removeValue(forKey: id) else { return nil }
        give(server, on: thread)
        return thread
    }

    /// A part file is to be removed. Transfers that are opened before `discarded` go to the same thread: they may get the name
    /// that becomes free.
    mutating func discard(_ id: TransferID) -> Int {
        var pin = pins[id] ?? Pin(thread: bestThread(for: nil))
        pin.discards += 1
        pins[id] = pin
        removals = (pin.thread, removals.count + 1)
        return pin.thread
    }

    mutating func discarded(_ id: TransferID) {
        guard var pin = pins[id] else { return }
        pin.discards -= 1
        removals.count -= 1
        set(pin, of: id)
    }

    /// Takes a report of the thread. Reports of a connection arrive in order, and before the engine has them.
    mutating func take(_ id: ConnectionID, _ event: TransportEvent) {
        if !starting.isEmpty { started(id.transfer) }
        switch event {
        case .probed: _ = endProbe(of: id.transfer)
        case .ended: change(id) { choice, pin in pin.isPartOpen = choice.end(id, of: &pin) || pin.isPartOpen }
        case .bodyEnded where pins[id.transfer]?.isUpload == true: break
        case .bodyEnded:
            change(id) { choice, pin in
                if pin.connections.contains(where: { $0.id == id }) { choice.endConnections(of: &pin) }
                pin.finishing.append(id)
            }
        case .finished, .listed: change(id) { $0.endTransfer(id, &$1, withAll: true) }
        case .failed, .stopped: change(id) { $0.endTransfer(id, &$1, withAll: false) }
        case .requested, .connected, .demanded, .mirrors, .redirected, .opened, .moved, .durable, .sent,
            .unsent, .placed, .replied, .wrongPiece, .warned, .verified, .found:
            break
        }
    }
}

extension ThreadChoice {
    private mutating func change(_ id: ConnectionID, _ body: (inout ThreadChoice, inout Pin) -> Void) {
        guard var pin = pins[id.transfer] else { return }
        body(&self, &pin)
        set(pin, of: id.transfer)
    }

    private mutating func set(_ pin: Pin, of id: TransferID) { pins[id] = pin.isEmpty ? nil : pin }

    /// - Parameter withAll: the other connections of the file end with it.
    private mutating func endTransfer(_ id: ConnectionID, _ pin: inout Pin, withAll: Bool) {
        if let index = pin.finishing.firstIndex(of: id) {
            pin.finishing.remove(at: index)
            return
        }
        let isOpen = end(id, of: &pin)
        if isOpen, withAll { endConnections(of: &pin) }
        // The part is closed with the last connection.
        if pin.connections.isEmpty { pin.isPartOpen = false }
    }

    /// - Returns: false when it had ended before.
    private mutating func end(_ id: ConnectionID, of pin: inout Pin) -> Bool {
        guard let index = pin.connections.firstIndex(where: { $0.id == id }) else { return false }
        give(pin.connections.remove(at: index).server, on: pin.thread)
        return true
    }

    private mutating func endConnections(of pin: inout Pin) {
        for (_, server) in pin.connections { give(server, on: pin.thread) }
        pin.connections = []
        pin.isPartOpen = false
    }
}

// MARK: - Files

extension ThreadChoice {
    private mutating func start(_ id: TransferID, _ file: String, on thread: Int) {
        started(id)
        starting[id] = file
        wishes[file] = (thread, (wishes[file]?.count ?? 0) + 1)
    }

    /// The transfer has its name.
    private mutating func started(_ id: TransferID) {
        guard let file = starting.removeValue(forKey: id), let (thread, count) = wishes[file] else { return }
        wishes[file] = count > 1 ? (thread, count - 1) : nil
    }
}

// MARK: - Servers

extension ThreadChoice {
    /// The least busy of the threads that keep a connection to the server, else of all.
    private func bestThread(for server: String?) -> Int {
        if removals.count > 0 { return removals.thread }
        let keepers = server.map { server in threads.indices.filter { threads[$0].kept.contains(server) } } ?? []
        let candidates = keepers.isEmpty ? Array(threads.indices) : keepers
        return candidates.min { threads[$0].connections < threads[$1].connections } ?? 0
    }

    /// A connection to the server begins on a thread: over one that is kept there, or in place of one kept elsewhere.
    private mutating func take(_ server: String, on thread: Int) -> Place {
        threads[thread].connections += 1
        for keeper in [thread] + threads.indices.filter({ $0 != thread }) {
            guard let index = threads[keeper].kept.firstIndex(of: server) else { continue }
            threads[keeper].kept.remove(at: index)
            return Place(thread: thread, closesKept: keeper == thread ? nil : keeper)
        }
        return Place(thread: thread)
    }

    /// A connection to the server has ended. Whether it was closed is not known here: it counts as kept.
    private mutating func give(_ server: String, on thread: Int) {
        threads[thread].connections -= 1
        threads[thread].kept.append(server)
        if threads[thread].kept.count > Self.mostKept { threads[thread].kept.removeFirst() }
    }
}

extension TransferURL {
    /// Scheme, host and port: a connection may be used again for URLs in which they are equal.
    var server: String { "\(scheme.rawValue)://\(hostAndPort)" }
}
