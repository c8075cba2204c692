@testable import WinchModel

/// One transfer as defined by PROGRESS's table of events, without any state that the queue stores.
struct ExpectedTransfer {
    enum Stage: Equatable {
        case idle
        /// A connection is open; body bytes may move once `opened`.
        case running(opened: Bool)
        case verifying
        case finished, failed, cancelled
        case removed
    }

    struct Closing {
        var connection: ConnectionID
        var hadOpened: Bool
        var keeps: Bool
    }

    let direction: Direction
    /// It lists a folder, and adds nothing to the sums.
    let isListing: Bool
    /// An attempt was made.
    private var hasBegun = false
    var stage = Stage.idle
    /// The last that was opened.
    var connection: ConnectionID?
    var closing: Closing?
    var isCancelling = false
    var timesCancelled = 0
    /// The bytes of its listing, which has ended: what it has named is let in.
    var listed: ByteCount?
    /// An upload whose body has been sent.
    var isReplying = false
    /// Until the stop is recorded: what was open when the transfer was given up.
    var wasOpen: Bool?
    /// Present before the attempt, arrived since, and lost of both.
    private var offset: Int128
    private var written: Int128 = 0
    private var rolledBack: Int128 = 0
    /// What the next attempt may go on from.
    var kept: ByteRanges?
    /// Where the bytes of a download that came last end in the file.
    private(set) var position: Int64 = 0
    /// `nil`: unknown.
    private(set) var size: Int64?
    private(set) var confidence = 0
    private var estimate: Int64

    init(_ addition: Addition, estimate: Int64) {
        direction = addition.spec.direction
        isListing = addition.spec.isListing
        let part = addition.resume.flatMap { $0.onDisk.ranges.first?.lowerBound ?? 0 >= 0 ? $0 : nil }
        offset = Int128(part?.have.bytes ?? 0)
        kept = part?.onDisk
        self.estimate = estimate
        if let total = part?.total?.bytes, total >= kept?.ranges.last?.upperBound ?? 0 {
            (size, confidence) = (total, 1)
        }
        outgrow()
        if let past = addition.past { recall(past) }
    }

    /// Begins where an earlier run ended.
    private mutating func recall(_ past: LedgerEntry) {
        let reported = past.size.known.map(\.bytes).flatMap { $0 >= 0 ? $0 : nil }
        switch past.standing {
        case .unfinished, .paused: break
        case .failed(let failure):
            stage = .failed
            if case .checksum = failure, kept == ByteRanges(), direction == .down, case .exact = past.size, let reported
            {
                end(at: reported)
                return
            }
        case .cancelled:
            begin(at: 0)
            kept = nil
            stage = .cancelled
        case .finished:
            kept = nil
            end(at: reported ?? 0)
            stage = .finished
        }
        if let reported, reported >= have, stage != .finished { (size, confidence) = (reported, 1) }
    }

    /// Invariant 7.
    var have: Int64 { Int64(offset + written - rolledBack) }

    /// All of it came, hashed to something else, and lies there.
    var hasUnusablePart: Bool { kept == ByteRanges() && direction == .down && confidence == 3 }

    var isSettled: Bool { [.finished, .failed, .cancelled].contains(stage) }
    var isRunning: Bool { if case .running = stage { true } else { false } }
    var awaitsEntries: Bool { stage == .verifying && listed != nil }
    var isOpen: Bool { stage == .running(opened: true) }

    /// The table of part 2.
    ///
    /// - Parameter guess: for an unknown size.
    func share(guess: Int64) -> (completed: Int64, total: Int64) {
        if stage == .removed || isListing { return (0, 0) }
        if isSettled { return (have, have) }
        if size == nil, have == 0, !hasBegun { return (0, guess) }
        guard let size else { return (have, max(estimate, have)) }
        return (min(have, size), size)
    }

    mutating func write(upTo new: Int64) {
        written += Int128(new) - Int128(have)
        outgrow()
    }

    /// A part is open, and its connection brings the file from `position` on.
    mutating func open(_ onDisk: ByteRanges, at position: Int64) {
        (kept, self.position) = (onDisk, position)
    }

    /// What comes once more is no more bytes.
    mutating func move(_ bytes: Range<Int64>) {
        kept?.insert(contentsOf: max(position, bytes.lowerBound)..<bytes.upperBound)
        position = bytes.upperBound
        write(upTo: bytesKept)
    }

    /// The next attempt of an upload may go on from what was sent, if it has a place.
    mutating func keepSent(_ bytes: Int64) {
        if kept != nil { kept = ByteRanges(prefix: ByteCount(bytes: bytes)) }
    }

    var bytesKept: Int64 { kept?.ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } ?? 0 }

    mutating func lose(downTo new: Int64) {
        rolledBack += Int128(have) - Int128(new)
        outgrow()
    }

    /// A part is (re)opened at `start`: the bytes beyond it are lost, or there are more bytes than assumed.
    mutating func begin(at start: Int64) {
        (offset, written, rolledBack) = (Int128(start), 0, 0)
        outgrow()
    }

    /// The source of an upload is open; the server has these bytes.
    mutating func place(_ onDisk: ByteRanges, total: Int64?) {
        kept = onDisk
        if let total {
            (size, confidence) = (total, 3)
        } else if size != nil {
            forgetSize(estimate: size ?? estimate)
        }
        begin(at: onDisk.byteCount.bytes)
    }

    mutating func learn(_ new: Int64, confidence: Int) {
        guard confidence >= self.confidence else { return }
        (size, self.confidence) = (new, confidence)
    }

    mutating func end(at new: Int64) {
        begin(at: new)
        (size, confidence) = (new, 3)
    }

    mutating func forgetSize(estimate: Int64) {
        (size, confidence, self.estimate) = (nil, 0, estimate)
    }

    /// The next attempt may find another file.
    mutating func doubt() { confidence = min(confidence, 2) }

    /// An attempt is made; the first one stores the estimate of that moment.
    mutating func begin(guess: Int64) {
        if !hasBegun, size == nil, have == 0 { estimate = guess }
        hasBegun = true
    }

    mutating func revive(estimate: Int64) {
        begin(at: bytesKept)
        stage = .idle
        if let size {
            (self.size, confidence) = (max(size, have), 1)
        } else {
            self.estimate = max(estimate, have)
        }
    }

    private mutating func outgrow() {
        if have > size ?? estimate { forgetSize(estimate: Self.doubled(have)) }
    }

    private static func doubled(_ bytes: Int64) -> Int64 { min(bytes, .max / 2) * 2 }
}
