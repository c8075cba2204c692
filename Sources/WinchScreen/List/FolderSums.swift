import WinchModel

/// What a folder's rows can be, as far as keys and counts tell the phases apart.
enum RowState: UInt8, Hashable, Sendable, CaseIterable {
    // Those in which a row that lists a folder is counted apart come first: see `FolderSums`. The settled ones come last.
    case waiting, held, working, verifying, paused, backoff, finished, failed, cancelled

    init(_ phase: TransferPhase) {
        self =
            switch phase {
            case .waiting(.held): .held
            case .waiting: .waiting
            case .connecting, .requested, .moving, .replying: .working
            case .verifying: .verifying
            case .paused: .paused
            case .backoff: .backoff
            case .finished: .finished
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }

    var isSettled: Bool { rawValue >= Self.finished.rawValue }
}

/// The sums over rows: each adds what it adds to the queue's own sums in bytes, so that those of all rows are the queue's.
/// A row that lists a folder counts there only if it failed or was cancelled; until it ends, more rows are to come.
struct FolderSums: Hashable, Sendable {
    /// What one row adds. The large fields come first: there is one for each row, and the folder's index fits behind it.
    struct Share: Hashable, Sendable {
        var completed: Int64 = 0
        var total: Int64 = 0
        var state = RowState.waiting
        var isUnknown = false
        /// Of those one that has not begun: its total is 0, and the queue's guess stands for it.
        var isUnstarted = false
        /// It lists a folder, and has neither failed nor been cancelled.
        var isListing = false

        /// Where it is counted.
        fileprivate var place: Int { isListing ? FolderSums.place(ofListing: state) : Int(state.rawValue) }
    }

    /// By the raw value of the state; then so of rows that list a folder, of which none has failed or been cancelled.
    fileprivate var counts = SIMD16<Int32>()
    private(set) var completed: Int64 = 0
    private var knownTotal: Int64 = 0
    private var unknown = 0
    private var unstarted = 0

    /// - Parameter sign: 1 or -1.
    mutating func add(_ share: Share, _ sign: Int) {
        counts[share.place] &+= Int32(sign)
        completed &+= share.completed &* Int64(sign)
        knownTotal &+= share.total &* Int64(sign)
        if share.isUnknown { unknown += sign }
        if share.isUnstarted { unstarted += sign }
    }

    var rows: Int { Int(counts.wrappedSum()) }
    /// As the queue counts them: without those that list a folder.
    var count: Int { rows - openListings - self[listing: .finished] }
    var openListings: Int { RowState.allCases.reduce(0) { $0 + ($1.isSettled ? 0 : self[listing: $1]) } }
    var settled: Int { self[.finished] + self[.failed] + self[.cancelled] }
    var allSettled: Bool { settled == count && openListings == 0 }
    var allSucceeded: Bool { allSettled && self[.finished] == count }
    /// Sizes are in `total` that are only guessed, or rows are to come.
    var isEstimated: Bool { unknown > 0 || openListings > 0 }
    /// Not one size is known.
    var isIndeterminate: Bool { isEstimated && unknown == count - self[.failed] - self[.cancelled] }

    subscript(state: RowState) -> Int { Int(counts[Int(state.rawValue)]) }
    subscript(listing state: RowState) -> Int {
        state == .failed || state == .cancelled ? 0 : Int(counts[Self.place(ofListing: state)])
    }

    /// - Parameter state: not failed or cancelled; the others come first.
    private static func place(ofListing state: RowState) -> Int {
        Int(RowState.cancelled.rawValue) + 1 + Int(state.rawValue)
    }

    /// A key for rows in this state has an effect: on a file, or on what lists a folder.
    func contains(_ state: RowState) -> Bool { self[state] + self[listing: state] > 0 }

    /// - Parameter guess: the size that each row counts with that has not begun.
    func total(guess: Int64) -> Int64 { knownTotal &+ Int64(unstarted) &* guess }

    /// The size that rows of unknown size count with in the queue until they begin. It follows from the queue's total.
    ///
    /// - Parameter totals: if they are not those of these rows, the guess is that of a queue without known sizes.
    func guess(_ totals: QueueTotals) -> Int64 {
        guard unstarted > 0 else { return 0 }
        guard totals.count == count else { return Self.usualGuess }
        return max(0, totals.bytesTotal &- knownTotal) / Int64(unstarted)
    }

    /// 16 KiB, as in the queue.
    private static let usualGuess: Int64 = 16_384
}

extension FolderSums.Share {
    init(of row: TransferSnapshot) {
        state = RowState(row.phase)
        isListing = row.isListing && state != .failed && state != .cancelled
        guard !row.isListing else { return }
        completed = row.have.bytes
        if state.isSettled {
            total = completed
        } else if let size = row.size.known?.bytes {
            (completed, total) = (min(completed, size), size)
        } else {
            isUnknown = true
            switch state {
            case .waiting, .held, .paused: isUnstarted = completed == 0 && row.retry == nil
            case .working, .verifying, .backoff, .finished, .failed, .cancelled: break
            }
            total = isUnstarted ? 0 : max(row.size.guess.bytes, completed)
        }
    }
}

/// A folder as its line shows it.
struct FolderLine: Hashable, Sendable {
    let id: TransferID
    /// `pub`, or `a/b` if `a` holds nothing else. It comes from outside.
    let name: String
    /// 0 on the first level.
    let level: Int
    let isOpen: Bool
    var sums: FolderSums
    var guess: Int64
    /// `nil`: no bytes move.
    var rate: ByteRate?
    /// When the last of its rows will be complete whose bytes move.
    var finish: Moment?
    /// The direction of all rows whose bytes move; `nil`: they move in both, or none does.
    let direction: Direction?
    /// The row that lists it, until that is finished.
    let listing: TransferID?

    var completed: Int64 { sums.completed }
    var total: Int64 { sums.total(guess: guess) }

    var fraction: Fraction { Fraction(completed: completed, total: total, allSettled: sums.allSettled) }

    /// Until all is complete, if the rate stays the same, and whether that depends on guessed sizes; `nil`: not known.
    ///
    /// Where nothing else is left in the queue, it is what the header says. Else other files leave their share of the rate to those
    /// of the folder when they are complete, so that it does not take longer than the queue; nor does it take less long than any of
    /// its rows.
    func left(in queue: QueueTotals, at now: Moment) -> (span: Duration, isGuessed: Bool)? {
        guard !sums.allSettled, let left = rate?.time(for: ByteCount(bytes: total &- completed)) else { return nil }
        let end = queue.finish.map { max(.zero, $0 - now) }
        // What is paused does not count, as in the queue's own time left.
        let isAllThatIsLeft =
            sums.count - sums.settled - sums[.paused] == queue.count - queue.settled - queue.paused
            && sums.openListings - sums[listing: .paused] == (queue.listings.map { $0.open - $0.paused } ?? 0)
        if isAllThatIsLeft { return end.map { ($0, queue.isFinishEstimated) } }
        return (max(min(left, end ?? left), finish.map { $0 - now } ?? .zero), sums.isEstimated)
    }

    /// The lines differ in nothing but figures that change with every byte. One that appears or disappears is shown at once.
    func differsInFiguresOnly(from other: FolderLine) -> Bool {
        guard (rate == nil) == (other.rate == nil), sums.counts == other.sums.counts else { return false }
        var copy = self
        (copy.sums, copy.guess, copy.rate, copy.finish) = (other.sums, other.guess, other.rate, other.finish)
        return copy == other
    }

    /// What its bar shows.
    ///
    /// - Parameter rebase: the queue's last one: a folder's bar moves back only when the queue reports a cause.
    func barReading(rebase: Rebase?) -> BarAnimation.Reading {
        let place: BarAnimation.Reading.Place =
            sums.allSucceeded ? .whole : sums.isIndeterminate ? .unknown : .fraction(min(fraction.value, 1.0.nextDown))
        return BarAnimation.Reading(place: place, rebase: rebase, isFlowing: rate != nil)
    }
}
