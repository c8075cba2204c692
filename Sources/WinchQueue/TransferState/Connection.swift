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
    }

    package let id: ConnectionID
    let direction: Direction
    /// Which of the transfer's URLs it uses.
    let source: Int
    /// Of that URL.
    package let host: String
    /// The bytes of the file that it is to bring with its present request; `nil`: all that are missing.
    private(set) var range: Range<Int64>?
    let startedAt: Moment
    package internal(set) var phase = Phase.connecting
    /// Of a download: the bytes from its start to this position in the file have come.
    package private(set) var position: Int64 = 0
    /// Bytes that were on disk already when they came.
    private(set) var repeated: Int64 = 0
    /// Its limit, and what came too early for it; `nil`: it has no limit.
    private var pacer: ConnectionRateLimiter?

    /// - Parameter limit: as the transport is told.
    init(
        _ id: ConnectionID, _ direction: Direction, source: Int, host: String, range: Range<Int64>? = nil,
        limit: ByteRate?, at now: Moment
    ) {
        self.id = id
        self.direction = direction
        self.source = source
        self.host = host
        self.range = range
        startedAt = now
        pacer = limit.map { ConnectionRateLimiter(limit: $0) }
    }

    /// It is established or being established, and counts at its host.
    package var isOpen: Bool {
        switch phase {
        case .connecting, .requested, .moving, .replying: true
        case .delivered, .closing: false
        }
    }

    /// Bytes are being moved, or have been: the host has let it in, and the part is open.
    var isAnswered: Bool {
        switch phase {
        case .moving, .replying: true
        case .connecting, .requested, .delivered, .closing: false
        }
    }

    var isClosing: Bool {
        if case .closing = phase { true } else { false }
    }

    package var closing: Closing? {
        if case .closing(let closing) = phase { closing } else { nil }
    }

    /// The limit that the transport was last told.
    package var limit: ByteRate? {
        get { pacer?.limit }
        set {
            if newValue != nil, pacer == nil { pacer = ConnectionRateLimiter() }
            pacer?.limit = newValue
        }
    }

    /// The server answered its request for a part of the file with a failure.
    func wasRefusedRange(_ failure: TransferFailure) -> Bool {
        guard range != nil, !isAnswered else { return false }
        switch failure {
        case .httpStatus, .badResponse, .loginRefused, .redirectRefused, .tooManyRedirects: return true
        default: return false
        }
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

    /// The limiter lets it move no byte now.
    func isHeldBack(at now: Moment) -> Bool { pacer?.release(at: now) != nil }

    /// The body begins.
    mutating func begin(at position: Int64) {
        phase = .moving
        self.position = position
    }

    /// The server has let it in for its range.
    mutating func join() {
        if let range { begin(at: range.lowerBound) }
    }

    /// It has brought its piece, and asks for the next.
    mutating func ask(for range: Range<Int64>) {
        phase = .connecting
        self.range = range
    }

    /// The bytes up to a position have come.
    ///
    /// - Parameter again: how many of them were on disk already.
    mutating func move(through position: Int64, again: Int64 = 0, at now: Moment) {
        pacer?.take(position - self.position, at: now)
        self.position = position
        repeated += again
    }

    mutating func close(_ disposition: Closing.PartDisposition, isPause: Bool) {
        phase = .closing(Closing(hadOpened: isAnswered, disposition: disposition, isPause: isPause))
    }
}
