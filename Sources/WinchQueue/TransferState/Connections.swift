package import WinchModel
import WinchProgress

/// One connection of a transfer, as the queue knows it.
package struct Connection: Sendable {
    package enum Phase: Hashable, Sendable {
        case connecting
        case requested
        case moving
        /// An upload is sent; the server's answer is due.
        case replying
        /// The body is complete, and the file is being finished, about which is reported under this connection.
        case delivered
        /// It was told to close and has not answered yet. Until then nothing new is opened: the part is still being written
        /// to, or the file may turn out to be complete.
        case closing(Closing)
    }

    package struct Closing: Hashable, Sendable {
        package enum PartDisposition: Hashable, Sendable {
            /// The part stays.
            case keeping
            /// The transport removes the part.
            case discarding
            /// Cancelled after it was told to keep the part: that has to be removed afterwards.
            indirect case dropping(ResumePoint?)
        }

        /// The part was open: when the answer says that nothing is kept, it is gone. Else nothing is said of it.
        var hadOpened: Bool
        var disposition: PartDisposition
        /// It is closed for a pause, which is told with what is then on disk.
        var isPause = false
        /// Why the transfer has failed, which is told with what is then on disk; `nil`: it has not.
        var failure: TransferFailure?
    }

    package let id: ConnectionID
    let direction: Direction
    /// Which of the transfer's URLs it uses.
    let source: Int
    /// Of that URL.
    package let host: String
    /// Its present request is for a part of the file.
    private(set) var asksForPart: Bool
    /// It is to end soon, and gets no further range.
    var isRetiring = false
    /// What its present request is to bring; `nil`: it has brought nothing.
    private(set) var chunk: Range<Int64>?
    let startedAt: Moment
    package internal(set) var phase = Phase.connecting
    /// Of a download: the end of the bytes that came last, in the file.
    package private(set) var position: Int64 = 0
    /// Bytes that were on disk already when they came.
    private(set) var repeated: Int64 = 0
    /// Its limit, and what came too early for it; `nil`: it has no limit.
    private var pacer: ConnectionRateLimiter?

    /// - Parameter limit: as the transport is told.
    init(
        _ id: ConnectionID, _ direction: Direction, source: Int, host: String, asksForPart: Bool = false,
        limit: ByteRate?, at now: Moment
    ) {
        self.id = id
        self.direction = direction
        self.source = source
        self.host = host
        self.asksForPart = asksForPart
        startedAt = now
        pacer = limit.map { ConnectionRateLimiter(limit: $0) }
    }

    /// It is established or being established, and counts at its host.
    package var isOpen: Bool { phase.rank >= 0 }

    /// Bytes are being moved, or have been: the host has let it in, and the part is open.
    var isAnswered: Bool { phase.rank >= 2 }

    var isClosing: Bool { if case .closing = phase { true } else { false } }

    package var closing: Closing? { if case .closing(let closing) = phase { closing } else { nil } }

    /// The limit that the transport was last told.
    package var limit: ByteRate? { pacer?.limit }

    mutating func limit(to limit: ByteRate?, at now: Moment) {
        if limit != nil, pacer == nil { pacer = ConnectionRateLimiter() }
        pacer?.limit(to: limit, at: now)
    }

    /// The server answered its request for a part of the file with a failure.
    func wasRefusedRange(_ failure: TransferFailure) -> Bool {
        guard asksForPart, !isAnswered else { return false }
        switch failure {
        case .httpStatus, .badResponse, .loginNeeded, .loginRefused, .redirectRefused, .tooManyRedirects: return true
        default: return false
        }
    }

    /// The server answered its request for a part of the file with something else than that part.
    func gotWrongAnswer(_ failure: TransferFailure) -> Bool {
        if case .badResponse = failure { wasRefusedRange(failure) } else { false }
    }

    /// The failure says that the server sends no more of this URL, whatever the number of connections: it has served this
    /// connection before, or the status is not one of too many connections.
    func isAboutURL(_ failure: TransferFailure) -> Bool {
        guard wasRefusedRange(failure) else { return false }
        switch failure {
        case .httpStatus(403): return position > 0
        case .httpStatus(let code): return (400...499).contains(code) && code != 408 && code != 425 && code != 429
        default: return true
        }
    }

    /// What its request is still to bring; `nil`: it brings nothing now, or all that is missing.
    var rest: Range<Int64>? {
        guard case .moving = phase, let chunk else { return nil }
        return position..<max(position, chunk.upperBound)
    }

    /// The limiter lets it move no byte now.
    func isHeldBack(at now: Moment) -> Bool { pacer?.release(at: now) != nil }

    /// The body begins.
    mutating func begin(at position: Int64) {
        phase = .moving
        self.position = position
    }

    /// The server has let it in for a range of the file.
    mutating func join(_ range: Range<Int64>) {
        begin(at: range.lowerBound)
        chunk = range
    }

    /// It has brought its range, and has asked for the next.
    mutating func askForNext() { (phase, asksForPart) = (.requested, true) }

    /// What of `bytes`, which end behind `position`, was not reported before.
    func newBytes(of bytes: Range<Int64>) -> Range<Int64> { max(position, bytes.lowerBound)..<bytes.upperBound }

    /// Bytes of the file have come.
    ///
    /// - Parameter again: how many of them were on disk already.
    mutating func move(_ bytes: Range<Int64>, of chunk: Range<Int64>? = nil, again: Int64 = 0, at now: Moment) {
        pacer?.take(Int64(bytes.count), at: now)
        self.chunk = chunk
        position = bytes.upperBound
        repeated += again
    }

    mutating func close(_ disposition: Closing.PartDisposition, isPause: Bool) {
        phase = .closing(Closing(hadOpened: isAnswered, disposition: disposition, isPause: isPause))
    }
}

/// The connections of one transfer: those that are open, the one that brought the whole body, and those that are closing.
///
/// Its loops run over indices: a loop over the elements would copy each with all that it holds.
package struct Connections: Emptiable, Sendable {
    /// In the order of opening.
    private(set) var all: [Connection] = []
    /// Of the transfer that waits for those that are closing. Only while there are any.
    var turn = Turn.ahead
    /// Of connections that are no more: what came must not seem less when one leaves.
    private var repeatedEarlier: Int64 = 0

    /// Whether it is a transfer's turn to start, which waits until its connections have closed.
    enum Turn: Sendable {
        /// It is in the line.
        case ahead
        /// It keeps a slot, and a place at its host.
        case kept
        /// The connections have taken too long: it comes into the line when they have closed.
        case lapsed
    }

    static let emptyBox = HeapBox(Self())

    package var isEmpty: Bool { all.isEmpty }
    /// Those that count at their hosts.
    package var open: [Connection] { all.filter(\.isOpen) }
    /// Of those that are open, one entry for each.
    var openHosts: [String] {
        var hosts: [String] = []
        for index in all.indices where all[index].isOpen { hosts.append(all[index].host) }
        return hosts
    }
    /// The numbers of those that are open to a host.
    func numbers(at host: String) -> Set<Int> { Set(all.filter { $0.isOpen && $0.host == host }.map(\.id.number)) }
    /// One that was told to close and has not answered yet.
    package var closing: Connection? { all.first { $0.closing != nil } }
    /// One was told to close and has not answered yet.
    var areClosing: Bool {
        for index in all.indices where all[index].isClosing { return true }
        return false
    }
    /// One is open and moves bytes, and none is further.
    var areMoving: Bool {
        var areMoving = false
        for index in all.indices {
            switch all[index].phase {
            case .moving: areMoving = true
            case .replying: return false
            case .connecting, .requested, .delivered, .closing: break
            }
        }
        return areMoving
    }
    /// To be closed when the transfer is stopped.
    var live: [ConnectionID] { all.filter { $0.closing == nil }.map(\.id) }

    var counts: (open: Int, moving: Int) {
        var counts = (open: 0, moving: 0)
        for index in all.indices where all[index].isOpen {
            counts.open += 1
            if case .moving = all[index].phase { counts.moving += 1 }
        }
        return counts
    }

    package subscript(id: ConnectionID) -> Connection? { index(of: id).map { all[$0] } }

    private func index(of id: ConnectionID) -> Int? {
        for index in all.indices where all[index].id == id { return index }
        return nil
    }

    /// How far the open connection is that is the furthest; `nil`: none is open.
    package var stage: Connection.Phase? {
        var furthest: (index: Int, rank: Int)?
        for index in all.indices where all[index].isOpen && all[index].phase.rank > furthest?.rank ?? -1 {
            furthest = (index, all[index].phase.rank)
        }
        return furthest.map { all[$0.index].phase }
    }

    /// The sum of their limits; `nil` when one has none.
    package var limit: ByteRate? {
        var sum = 0.0
        for connection in all where connection.isOpen {
            guard let limit = connection.limit else { return nil }
            sum += limit.perSecond
        }
        return sum > 0 ? ByteRate(perSecond: sum) : nil
    }

    /// The limiter lets none of them move a byte now.
    func areHeldBack(at now: Moment) -> Bool {
        var isAnyOpen = false
        for connection in all where connection.isOpen {
            guard connection.isHeldBack(at: now) else { return false }
            isAnyOpen = true
        }
        return isAnyOpen
    }

    /// Those that bring bytes of the file and are not to end.
    var lanes: Int { all.count { $0.isOpen && !$0.isRetiring } }

    /// Those that are about to end.
    ///
    /// - Parameter host: only those to it.
    func retiring(at host: String? = nil) -> Int {
        all.count { $0.isOpen && $0.isRetiring && (host == nil || $0.host == host) }
    }

    /// These are to end.
    mutating func retire(_ numbers: Set<Int>) -> [ConnectionID] {
        let indices = all.indices.filter { all[$0].isOpen && numbers.contains(all[$0].id.number) }
        for index in indices { all[index].isRetiring = true }
        return indices.map { all[$0].id }
    }

    /// So many that were opened last are to end. The first stays: a plain GET may be all that the server gives.
    ///
    /// - Parameter numbers: only these; `nil`: any.
    mutating func retire(_ count: Int, of numbers: Set<Int>? = nil) -> [ConnectionID] {
        let lanes = all.filter { $0.isOpen && !$0.isRetiring }.map(\.id.number).sorted().dropFirst()
        return retire(Set(lanes.filter { numbers?.contains($0) ?? true }.suffix(max(0, count))))
    }

    /// One is open beside this one.
    func hasOpen(beside id: ConnectionID) -> Bool { all.contains { $0.id != id && $0.isOpen } }

    /// The numbers of those that are open to a source.
    func numbers(from source: Int) -> Set<Int> { Set(all.filter { $0.isOpen && $0.source == source }.map(\.id.number)) }

    /// Bytes that came although they were on disk.
    var repeated: Int64 { all.reduce(repeatedEarlier) { $0 + $1.repeated } }

    /// Those that the host has let in.
    @inline(__always) func answered(at host: String, except id: ConnectionID? = nil) -> Int {
        var count = 0
        for index in all.indices where all[index].isAnswered && all[index].id != id && all[index].host == host {
            count += 1
        }
        return count
    }

    mutating func add(_ connection: Connection) { all.append(connection) }

    mutating func remove(_ id: ConnectionID) {
        guard let index = index(of: id) else { return }
        repeatedEarlier += all.remove(at: index).repeated
        if all.isEmpty { removeAll() }
    }

    mutating func removeAll() { self = Connections() }

    mutating func removeAll(but id: ConnectionID) { if all.count > 1 { all.removeAll { $0.id != id } } }

    mutating func change(_ id: ConnectionID, _ body: (inout Connection) -> Void) {
        if let index = index(of: id) { body(&all[index]) }
    }

    /// All are told to close; the transport's answers are due.
    mutating func close(_ disposition: Connection.Closing.PartDisposition, isPause: Bool = false) {
        for index in all.indices where all[index].closing == nil { all[index].close(disposition, isPause: isPause) }
    }

    /// Changes what becomes of the part when those that are closing have answered.
    mutating func changeClosing(_ body: (inout Connection.Closing) -> Void) {
        for index in all.indices {
            guard case .closing(var closing) = all[index].phase else { continue }
            body(&closing)
            all[index].phase = .closing(closing)
        }
    }
}

extension Connection.Phase {
    /// The server has not answered yet.
    @inline(__always) var isBeforeAnswer: Bool { rank == 0 || rank == 1 }

    @inline(__always) var isMoving: Bool { if case .moving = self { true } else { false } }

    /// How far an open connection is; below zero: it is not open.
    @inline(__always) fileprivate var rank: Int {
        switch self {
        case .connecting: 0
        case .requested: 1
        case .moving: 2
        case .replying: 3
        case .delivered, .closing: -1
        }
    }
}
