/// The state of one transfer as front ends show it. An `Update` carries a new value whenever anything in it changed.
package struct TransferSnapshot: Hashable, Sendable, Identifiable {
    package var id: TransferID
    package var direction: Direction
    /// As in `TransferSpec`; `path` follows from it.
    package var namedParts: UInt8
    /// The file's name on disk, or the expected one. It comes from outside: escape it before it is shown.
    package var name: String
    /// The server in use as `host`, or `host:port` when the port is not the scheme's default.
    package var host: String
    /// Its URLs, shared with the queue: a text of its own for each row would take more than all the rest. See `url`.
    package var urls: MirrorList
    /// The target folder as given; of an upload see `localFolder`.
    package var folder: String
    package var phase: TransferPhase
    /// Bytes on disk.
    package var have: ByteCount
    package var size: SizeKnowledge
    @HeapOptional private var particulars: Particulars? = nil

    /// Fields that few rows have at a time, on the heap: of a hundred thousand transfers most wait or are done.
    private struct Particulars: Hashable, Sendable {
        var told = Told()
        var mirror = 0
        @HeapOptional var split: SplitProgress? = nil
        @HeapOptional var found: Found? = nil
    }

    /// Those of them that a client of a session is told as they are, by their names in the protocol; `nil`: does not apply.
    package struct Told: Hashable, Sendable, Codable {
        fileprivate var rate: ByteRate?
        fileprivate var stalledSince: Moment?
        fileprivate var finish: Moment?
        fileprivate var atRateLimit: Bool?
        fileprivate var rateLimit: ByteRate?
        fileprivate var ownLimit: Bool?
        fileprivate var rebase: Rebase?
        fileprivate var verified: ByteCount?
        fileprivate var warning: TransferWarning?
        fileprivate var retry: Retry?
        fileprivate var beginsAgain: Bool?
    }

    /// What is known about the next attempt after a failed one.
    package struct Retry: Hashable, Sendable, Codable {
        package var failure: TransferFailure
        /// Number of the next attempt, counted as in `TransferPhase.backoff`.
        package var attempt: Int
        /// Number of the last attempt; 0: no limit.
        package var limit: Int

        package init(failure: TransferFailure, attempt: Int, limit: Int) {
            (self.failure, self.attempt, self.limit) = (failure, attempt, limit)
        }
    }

    package init(
        id: TransferID, direction: Direction = .down, name: String, host: String, urls: MirrorList = MirrorList([]),
        mirror: Int = 0, folder: String = "", namedParts: Int = 0, phase: TransferPhase,
        have: ByteCount = .zero, size: SizeKnowledge = .unknown(estimate: .zero), rate: ByteRate? = nil,
        stalledSince: Moment? = nil, finish: Moment? = nil, isAtRateLimit: Bool = false, limit: ByteRate? = nil,
        rebase: Rebase? = nil, verified: ByteCount? = nil, warning: TransferWarning? = nil, retry: Retry? = nil,
        split: SplitProgress? = nil, wouldBeginAgain: Bool = false, found: Found? = nil
    ) {
        (self.id, self.direction, self.name) = (id, direction, name)
        (self.host, self.urls, self.folder) = (host, urls, folder)
        self.namedParts = UInt8(clamping: namedParts)
        (self.phase, self.have, self.size) = (phase, have, size)
        let told = Told(
            rate: rate, stalledSince: stalledSince, finish: finish, atRateLimit: isAtRateLimit ? true : nil,
            rateLimit: limit, rebase: rebase, verified: verified, warning: warning, retry: retry,
            beginsAgain: wouldBeginAgain ? true : nil)
        set(Particulars(told: told, mirror: mirror, split: split, found: found))
    }

    private mutating func set(_ new: Particulars) { particulars = new == Particulars() ? nil : new }

    private mutating func set<Value>(_ particular: WritableKeyPath<Particulars, Value>, to value: Value) {
        var new = particulars ?? Particulars()
        new[keyPath: particular] = value
        set(new)
    }

    package var told: Told {
        get { particulars?.told ?? Told() }
        set { set(\.told, to: newValue) }
    }

    /// The URL in use, without a login; empty if it is not known.
    package var url: String {
        let mirror = particulars?.mirror ?? 0
        return urls.indices.contains(mirror) ? urls[mirror].redacted : ""
    }

    /// `have / size` in 0...1, below 1 until the transfer is finished; `nil` while the size is unknown.
    package var fraction: Double? { exactFraction?.value }

    /// Rounded down; 100 only when finished, `nil` while the size is unknown.
    package var percent: Int? { exactFraction?.percent }

    /// The current rate; `nil` while nothing moves and while it is too early to estimate.
    package var rate: ByteRate? {
        get { particulars?.told.rate }
        set { set(\.told.rate, to: newValue) }
    }

    /// The time of the last byte when none has arrived for a while in phase `moving`; `nil` while bytes arrive.
    package var stalledSince: Moment? {
        get { particulars?.told.stalledSince }
        set { set(\.told.stalledSince, to: newValue) }
    }

    /// When the body will be complete if the rate stays the same; `nil` while it cannot be estimated.
    package var finish: Moment? {
        get { particulars?.told.finish }
        set { set(\.told.finish, to: newValue) }
    }

    /// The transfer is held back by the user's rate limit, not by the network or the server.
    package var isAtRateLimit: Bool {
        get { particulars?.told.atRateLimit ?? false }
        set { set(\.told.atRateLimit, to: newValue ? true : nil) }
    }

    /// The limit in force while it moves, its own or its share of the queue's limit; `nil`: none.
    package var limit: ByteRate? {
        get { particulars?.told.rateLimit }
        set { set(\.told.rateLimit, to: newValue) }
    }

    /// `limit` is the transfer's own; else it is a part of the limit over all transfers.
    package var isLimitOwn: Bool {
        get { particulars?.told.ownLimit ?? false }
        set { set(\.told.ownLimit, to: newValue ? true : nil) }
    }

    /// The last time that the bar moved back, and why.
    package var rebase: Rebase? {
        get { particulars?.told.rebase }
        set { set(\.told.rebase, to: newValue) }
    }

    /// While verifying: bytes of the file that have been hashed; `nil` when the transport does not report it.
    package var verified: ByteCount? {
        get { particulars?.told.verified }
        set { set(\.told.verified, to: newValue) }
    }

    /// A warning about the file, which was accepted all the same.
    package var warning: TransferWarning? {
        get { particulars?.told.warning }
        set { set(\.told.warning, to: newValue) }
    }

    /// The warning, unless it is only a note.
    package var doubt: TransferWarning? { warning.flatMap { $0.isNote ? nil : $0 } }

    /// While it waits for a slot to repeat a failed attempt: that failure and the number of the next attempt.
    package var retry: Retry? {
        get { particulars?.told.retry }
        set { set(\.told.retry, to: newValue) }
    }

    /// It runs, and has bytes that another attempt would transfer again: the server does not offer parts, or the body cannot be
    /// continued.
    package var wouldBeginAgain: Bool {
        get { particulars?.told.beginsAgain ?? false }
        set { set(\.told.beginsAgain, to: newValue ? true : nil) }
    }

    /// The connections of a file; `nil`: none, or one that may get others.
    package var split: SplitProgress? {
        get { particulars?.split }
        set { set(\.split, to: newValue) }
    }

    /// What a folder's listing has found so far; `nil`: the row is none, or has not begun, or is finished.
    package var found: Found? {
        get { particulars?.found }
        set { set(\.found, to: newValue) }
    }

    /// It lists a folder, and saves no file. No file's name ends with a slash, and that of such a row always does; see
    /// `TransferSpec.expectedName`.
    package var isListing: Bool { direction == .down && name.utf8.last == UInt8(ascii: "/") }

    /// The folder here that the file is saved in or, as part of a whole folder, is sent from; empty of any other upload.
    package var localFolder: String { direction == .up && folder == "." ? "" : folder }

    private var exactFraction: Fraction? {
        if case .finished = phase { return Fraction(completed: 1, total: 1, allSettled: true) }
        return size.known.map { Fraction(completed: have.bytes, total: $0.bytes, allSettled: false) }
    }
}

/// The connections of a file, and where its bytes are when they come, or came, over several.
package struct SplitProgress: Hashable, Sendable, Codable {
    package var connections: Int
    /// The parts of the file that are on disk: positions in bytes, ascending, without overlap; at most `mostRanges`. Empty while
    /// one connection brings all from the start on.
    package var onDisk: [Range<Int64>]
    /// The positions of the bytes that the connections bring next, ascending.
    package var working: [Int64]
    /// Why there are not more connections, e.g. `more did not help`; `nil`: more are tried, or not needed.
    package var reason: String?
    /// The file cannot have more than one connection.
    package var isFixed: Bool

    /// 32: sixteen connections leave at most so many parts, and a bar shows no more.
    package static let mostRanges = 32

    /// - Parameter onDisk: of more than `mostRanges` ranges the smallest are left out.
    package init(
        connections: Int, onDisk: [Range<Int64>], working: [Int64], reason: String? = nil, isFixed: Bool = false
    ) {
        self.connections = connections
        self.onDisk = onDisk
        self.working = working.sorted()
        self.reason = reason
        self.isFixed = isFixed
        guard onDisk.count > Self.mostRanges else { return }
        let largest = onDisk.sorted { ($0.length, $1.lowerBound) > ($1.length, $0.lowerBound) }
        self.onDisk = largest.prefix(Self.mostRanges).sorted { $0.lowerBound < $1.lowerBound }
    }
}

extension Range<Int64> { fileprivate var length: Int64 { upperBound &- lowerBound } }
