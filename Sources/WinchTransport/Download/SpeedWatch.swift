import WinchModel
import WinchProgress

/// The speed of one connection: holds it to its limit, and tells when it stalls, crawls or takes too long.
struct SpeedWatch {
    private let settings: Shared<TransferSettings>
    private var deadline: Moment?
    private var pacer: ConnectionRateLimiter
    /// The connection waits until the limit allows more.
    private(set) var isHeld = false
    /// Bytes of the next piece that the limit counts already.
    private var reserved: Int64 = 0
    /// Heads and bodies, as they came over the network.
    private var bytes: Int64 = 0
    private var bytesAtTick: Int64 = 0
    /// Consecutive ticks between which few bytes came.
    private var slowTicks = 0
    /// `nil` until a request went out.
    private var stall: StallTimeout?
    /// When the first interim answer came since there was any other sign of life; `nil`: none came.
    private var interimSince: Moment?
    /// `nil` until the body has begun.
    private var floor: LowestSpeed?

    init(_ request: ConnectionRequest, at now: Moment) {
        settings = request.settings
        deadline = request.settings.value.maxTime.map { now + $0 }
        pacer = ConnectionRateLimiter(limit: request.rateLimit, at: now)
    }

    var isRequested: Bool { stall != nil }

    var limit: ByteRate? { pacer.limit }

    mutating func limit(to rate: ByteRate?, at now: Moment) {
        // What was reserved without a limit is not paid for.
        if pacer.limit == nil { reserved = 0 }
        pacer.limit(to: rate, at: now)
    }

    mutating func requestSent(at now: Moment) {
        if stall == nil { stall = StallTimeout(at: now, bytes: bytes) }
    }

    /// Called ten times a second.
    mutating func noteTick() {
        slowTicks = isSlow ? min(slowTicks + 1, Self.steadyTicks) : 0
        bytesAtTick = bytes
    }

    /// For a second so few bytes have come that those of the next milliseconds may wait in the socket: they take less than the
    /// least receive window of the system, so that the server need not wait.
    var mayGather: Bool { slowTicks == Self.steadyTicks && isSlow }

    private var isSlow: Bool { bytes - bytesAtTick <= Self.slow }

    /// 256 KiB in a tenth of a second; in the 20 ms for which bytes wait, 52 KiB. The window of Linux begins with 64 KiB.
    private static let slow: Int64 = 256 << 10
    /// 10 ticks, one second: the first bytes of a connection are wanted at once, and its rate still rises.
    private static let steadyTicks = 10

    mutating func take(head count: Int) { bytes += Int64(count) }

    /// - Returns: false when the limit does not allow the bytes yet; the connection counts as held then.
    mutating func take(body count: Int, at now: Moment) -> Bool {
        guard mayMove(Int64(count), at: now) else { return false }
        reserved -= Int64(count)
        bytes += Int64(count)
        return true
    }

    /// The bytes have to wait for the next turn of the loop.
    mutating func hold() { isHeld = true }

    /// Whether the limit allows a piece of so many bytes; if not, the connection counts as held.
    ///
    /// A piece is paid for before it moves: what a connection owed at its end would be forgotten with it, and many small files
    /// together would exceed the limit.
    mutating func mayMove(_ count: Int64, at now: Moment) -> Bool {
        pacer.take(count - reserved, at: now)
        reserved = max(reserved, count)
        guard pacer.release(at: now) != nil else { return true }
        isHeld = true
        return false
    }

    /// Bytes that move in one go, at least 64: a tenth of a second of the limit. A longer silence would look like a stall.
    var largestPiece: Int64 { pacer.limit.map { Int64(min(max($0.perSecond / 10, 64), 1e9)) } ?? .max }

    /// - Parameter count: of those that `mayMove` allowed.
    mutating func take(sent count: Int) { reserved -= Int64(count) }

    mutating func noteSent(_ count: Int64) {
        bytes += count
        interimSince = nil
    }

    /// The source has no bytes at present, or the limit allows none: that is no stall.
    mutating func noteWaiting(at now: Moment) {
        guard isRequested else { return }
        (stall, interimSince) = (StallTimeout(at: now, bytes: bytes), nil)
    }

    /// For so many times `stallTimeout` interim answers alone are no stall: a server says 102 while it stores a large upload, and
    /// one that never comes to an end must not hold a connection for ever.
    private static let mostInterimWaits = 10

    /// The head of an answer is complete. With 102 the server says that it is still at work.
    mutating func noteHead(status: Int, at now: Moment) {
        interimSince = (100...199).contains(status) ? interimSince ?? now : nil
        if status == 102, isRequested { stall = StallTimeout(at: now, bytes: bytes) }
    }

    /// - Returns: true when a held connection may go on; it counts as held no more.
    mutating func release(at now: Moment) -> Bool {
        guard isHeld, pacer.release(at: now) == nil else { return false }
        isHeld = false
        return true
    }

    /// When a held connection may go on; `nil`: it is not held.
    func nextRelease(at now: Moment) -> Moment? { isHeld ? pacer.release(at: now) : nil }

    /// The process was stopped for so long: that time does not count.
    mutating func exclude(_ gap: Duration) {
        stall?.exclude(gap)
        floor?.exclude(gap)
        deadline = deadline.map { $0 + gap }
        interimSince = interimSince.map { $0 + gap }
    }

    /// - Parameter isReceiving: the body comes.
    /// - Returns: why the connection is given up.
    mutating func failure(at now: Moment, isReceiving: Bool) -> TransferFailure? {
        if let deadline, now >= deadline {
            return .timeLimit(seconds: (settings.value.maxTime ?? .zero).seconds)
        }
        // A connection that is held by its limit does not stall.
        if isHeld { noteWaiting(at: now) }
        let stallTimeout = settings.value.stallTimeout
        let longestInterim = stallTimeout * Self.mostInterimWaits
        if let interimSince, now - interimSince >= longestInterim { return .stalled(seconds: longestInterim.seconds) }
        if stall?.hasStalled(at: now, bytes: bytes, allowed: stallTimeout, limit: pacer.limit) == true {
            return .stalled(seconds: stallTimeout.seconds)
        }
        return isReceiving ? tooSlow(at: now) : nil
    }

    private mutating func tooSlow(at now: Moment) -> TransferFailure? {
        guard let lowest = settings.value.lowestSpeed else { return nil }
        var floor = floor ?? LowestSpeed(at: now, bytes: bytes)
        let rate = floor.tooLow(at: now, bytes: bytes, floor: lowest, limit: pacer.limit, isHeld: isHeld)
        self.floor = floor
        return rate.map { .tooSlow(perSecond: $0.perSecond, seconds: LowestSpeed.span.seconds) }
    }
}

/// Notices a connection that brings almost nothing.
struct StallTimeout {
    private var since: Moment
    private var bytes: Int64

    /// Fewer bytes than this in the time allowed count as a stall: a server that sends a byte a second must not hold a
    /// connection for ever.
    private static let floor: Int64 = 1024

    init(at now: Moment, bytes: Int64) {
        since = now
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - bytes: received so far.
    ///   - limit: of the transfer; bytes that the limit holds back are no stall.
    mutating func hasStalled(at now: Moment, bytes: Int64, allowed: Duration, limit: ByteRate?) -> Bool {
        let ordered = limit.map { Int64(min($0.perSecond * allowed.seconds / 2, Double(Self.floor))) }
        if bytes - self.bytes >= max(1, ordered ?? Self.floor) {
            self = StallTimeout(at: now, bytes: bytes)
            return false
        }
        return now - since >= allowed
    }

    /// The process was stopped for so long: that time does not count.
    mutating func exclude(_ gap: Duration) { since = since + gap }
}
