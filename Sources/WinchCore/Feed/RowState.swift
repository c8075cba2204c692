/// What a face needs to know of one transfer. The face gets a new one whenever something in it changed.
public struct RowState: Hashable, Sendable, Codable, Identifiable {
    public var id: TransferID
    public var direction: Direction
    /// The file's name as on disk or as expected; comes from outside, so a face escapes it before showing.
    public var name: String
    /// Host (and port when not the scheme's own) that is talked to.
    public var host: String
    public var phase: RowPhase
    /// Bytes on disk.
    public var have: ByteCount
    public var size: SizeKnowledge
    @Boxed private var particulars: Particulars? = nil

    /// What few rows have at a time: of a hundred thousand, most wait or are done.
    private struct Particulars: Hashable, Sendable, Codable {
        var rate: ByteRate?
        var stalledSince: Moment?
        var finish: Moment?
        var isAtRateLimit = false
        var limit: ByteRate?
        var rebase: Rebase?
        var verified: ByteCount?
        var warning: TransferWarning?
        var retry: Retry?
    }

    /// Another attempt after a failed one.
    public struct Retry: Hashable, Sendable, Codable {
        /// Why the last attempt failed.
        public var failure: TransferFailure
        /// Number of the next attempt and of the last one (0 = without end), counted as in `RowPhase.backoff`.
        public var attempt: Int
        public var limit: Int

        public init(failure: TransferFailure, attempt: Int, limit: Int) {
            self.failure = failure
            self.attempt = attempt
            self.limit = limit
        }
    }

    public init(
        id: TransferID, direction: Direction = .down, name: String, host: String, phase: RowPhase,
        have: ByteCount = .zero, size: SizeKnowledge = .unknown(estimate: .zero), rate: ByteRate? = nil,
        stalledSince: Moment? = nil, finish: Moment? = nil, isAtRateLimit: Bool = false, limit: ByteRate? = nil,
        rebase: Rebase? = nil, verified: ByteCount? = nil, warning: TransferWarning? = nil, retry: Retry? = nil
    ) {
        self.id = id
        self.direction = direction
        self.name = name
        self.host = host
        self.phase = phase
        self.have = have
        self.size = size
        set(
            Particulars(
                rate: rate, stalledSince: stalledSince, finish: finish, isAtRateLimit: isAtRateLimit, limit: limit,
                rebase: rebase, verified: verified, warning: warning, retry: retry))
    }

    private mutating func set(_ new: Particulars) { particulars = new == Particulars() ? nil : new }

    private mutating func set<Value>(_ particular: WritableKeyPath<Particulars, Value>, to value: Value) {
        var new = particulars ?? Particulars()
        new[keyPath: particular] = value
        set(new)
    }

    /// `have / size` in 0...1, below 1 until finished; `nil` while the size is unknown.
    public var fraction: Double? { exactFraction?.value }

    /// Floored; 100 only when finished, `nil` while the size is unknown.
    public var percent: Int? { exactFraction?.percent }

    /// What moves now; `nil` when no rate would be honest (not moving, too early).
    public var rate: ByteRate? {
        get { particulars?.rate }
        set { set(\.rate, to: newValue) }
    }

    /// Since when no byte has come although the transfer is moving; `nil` while bytes come.
    public var stalledSince: Moment? {
        get { particulars?.stalledSince }
        set { set(\.stalledSince, to: newValue) }
    }

    /// When the body will have come, if the rate stays; `nil` without an honest answer.
    public var finish: Moment? {
        get { particulars?.finish }
        set { set(\.finish, to: newValue) }
    }

    /// Moves as fast as the person's own rate limit lets it.
    public var isAtRateLimit: Bool {
        get { particulars?.isAtRateLimit ?? false }
        set { set(\.isAtRateLimit, to: newValue) }
    }

    /// The limit that it is told to keep while it moves, its own or its share of the queue's; `nil`: none.
    public var limit: ByteRate? {
        get { particulars?.limit }
        set { set(\.limit, to: newValue) }
    }

    /// The last time the bar moved back, and why.
    public var rebase: Rebase? {
        get { particulars?.rebase }
        set { set(\.rebase, to: newValue) }
    }

    /// While verifying: how much of the file is hashed; `nil` when nothing is said of it.
    public var verified: ByteCount? {
        get { particulars?.verified }
        set { set(\.verified, to: newValue) }
    }

    /// What is odd about the file.
    public var warning: TransferWarning? {
        get { particulars?.warning }
        set { set(\.warning, to: newValue) }
    }

    /// While it waits for a slot: its last attempt failed, and the next is another one at the same.
    public var retry: Retry? {
        get { particulars?.retry }
        set { set(\.retry, to: newValue) }
    }

    private var exactFraction: Fraction? {
        if case .finished = phase { return Fraction(completed: 1, total: 1, allSettled: true) }
        return size.known.map { Fraction(completed: have.bytes, total: $0.bytes, allSettled: false) }
    }
}

/// Where a transfer stands, with what the face needs to say it in words.
public enum RowPhase: Hashable, Sendable, Codable {
    case waiting(Wait)
    case connecting
    /// The request is sent; the answer's first byte is due.
    case requested
    case moving
    case paused
    /// Attempt number `attempt` starts at `until`; number `limit` is the last (0 = without end). Counted over all runs, as
    /// in the log and in the details.
    case backoff(until: Moment, attempt: Int, limit: Int, failure: TransferFailure)
    /// An upload is sent; the server's answer is due.
    case replying
    /// Checksum, fsync and rename.
    case verifying
    case finished(Outcome)
    case failed(TransferFailure)
    case cancelled

    /// What a waiting transfer waits for. An `Update` says `slot` of all that are free to start; the `Board` knows whose
    /// host is full, and says `hostSlot` of those.
    public enum Wait: Hashable, Sendable, Codable {
        case slot, hostSlot, held
        /// Its size is being asked for.
        case sizing
        /// The file system of this folder has no room for it.
        case space(folder: String)
    }

    /// How a finished transfer ended.
    public enum Outcome: Hashable, Sendable, Codable {
        /// The file is there, under this name.
        case saved(path: String)
        /// A file of that name was there before and was left alone.
        case skipped(path: String)
        /// The same bytes were there before.
        case alreadyComplete(path: String)
    }

    /// True for finished, failed and cancelled.
    public var isSettled: Bool {
        switch self {
        case .finished, .failed, .cancelled: true
        default: false
        }
    }

    /// True while a connection is open or being opened.
    public var isActive: Bool {
        switch self {
        case .connecting, .requested, .moving, .replying, .verifying: true
        default: false
        }
    }
}
