import WinchModel

/// The rows that the table shows and their order: all rows on the board that belong to the view and match the filter,
/// sorted.
///
/// A row that no longer belongs to the list is removed at once. In a sorted list other rows are moved and inserted at
/// most once a second, so that a row does not move away while the user is about to select it.
struct RowList: Sendable {
    private(set) var view = ListTab.all
    /// The filter as typed, not trimmed.
    private(set) var filterText = ""
    private(set) var sort = RowSort()
    /// When rows were added, started and settled.
    private(set) var times = RowTimes()
    /// What the table shows, from top to bottom.
    private(set) var order: [TransferID] = []
    private var filter = RowFilter("")
    /// The open questions of failed transfers.
    private var asks = FailureQuestions()
    /// The ids in `order`, for fast lookup; empty while all rows are shown.
    private var members: TransferSet = []
    private var sortedAt: Moment?
    /// Something changed that may change the order.
    private var isOutdated = false

    /// All rows are shown.
    var isWhole: Bool { view == .all && filter.isEmpty }
    /// All rows are shown, in queue order.
    var isQueue: Bool { isWhole && sort.isQueueOrder }
    /// A filter is set that can hide rows.
    var isFiltered: Bool { !filter.isEmpty }

    /// Least time between two sorts: long enough for the user to read a row and press a key on it.
    private static let minSortInterval = Duration.seconds(1)

    /// When the rows must be sorted again; `nil`: nothing has changed.
    var due: Moment? { isOutdated ? sortedAt.map { $0 + Self.minSortInterval } : nil }

    mutating func show(_ view: ListTab, _ board: QueueCopy, at now: Moment) {
        self.view = view
        arrange(board, at: now)
    }

    mutating func filter(by text: String, _ board: QueueCopy, at now: Moment) {
        filterText = text
        let filter = RowFilter(text)
        guard filter != self.filter else { return }
        self.filter = filter
        arrange(board, at: now)
    }

    mutating func sort(_ sort: RowSort, _ board: QueueCopy, at now: Moment) {
        self.sort = sort
        arrange(board, at: now)
    }

    /// A transfer that failed only because a question is open is listed as one that waits.
    mutating func follow(_ asks: FailureQuestions, _ board: QueueCopy, at now: Moment) {
        guard asks != self.asks else { return }
        self.asks = asks
        if !isWhole { arrange(board, at: now) }
    }

    /// Applies an update that is already on the board.
    mutating func take(_ update: Update, _ board: QueueCopy, at now: Moment) {
        times.take(update)
        guard update.order == nil, update.removed.isEmpty else { return arrange(board, at: now) }
        if isQueue || update.rows.isEmpty { return }
        var (joined, left): (TransferSet, TransferSet) = ([], [])
        if !isWhole {
            for (id, row) in update.rows where shows(row) != members.contains(id) {
                if members.contains(id) { left.insert(id) } else { joined.insert(id) }
            }
        }
        if !left.isEmpty {
            members.subtract(left)
            order.removeAll { left.contains($0) }
        }
        if sort.column == .queue {
            if !joined.isEmpty { arrange(board, at: now) }
        } else {
            isOutdated = true
            sortIfDue(board, at: now)
        }
    }

    /// Sorts the rows if that is due.
    mutating func sortIfDue(_ board: QueueCopy, at now: Moment) {
        guard let due, now >= due else { return }
        arrange(board, at: now)
    }

    func contains(_ id: TransferID) -> Bool { isWhole || members.contains(id) }

    private func shows(_ given: TransferSnapshot) -> Bool {
        var row = given
        if !asks.isEmpty, asks.isOpen(row.phase) { row.phase = .waiting(.slot) }
        return view.contains(row.phase) && filter.matches(row)
    }

    private mutating func arrange(_ board: QueueCopy, at now: Moment) {
        sortedAt = now
        isOutdated = false
        if isQueue {
            order = board.order
        } else if isWhole {
            order = sort.arranged(board, times: times, at: now) { _ in true }
        } else {
            order = sort.arranged(board, times: times, at: now, where: shows)
        }
        members = isWhole ? [] : TransferSet(order)
    }
}
