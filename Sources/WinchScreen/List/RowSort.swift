import WinchModel

/// The sort order of the table. Rows with equal values stay in queue order; unknown values come last in either
/// direction.
struct RowSort: Hashable, Sendable {
    /// In the order in which `<` and `>` step through them: the queue order, then the table's columns from left to
    /// right.
    enum Column: Int, Hashable, Sendable, CaseIterable {
        case queue, name, done, size, rate, left, state, elapsed, mean, host, added
    }

    var column = Column.queue
    /// Reverses the column's default direction.
    var isInverted = false

    /// Reads `rate` or `rate,reverse`.
    init?(text: some StringProtocol) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        guard (1...2).contains(words.count), words.count == 1 || words[1] == "reverse",
            let column = Column.allCases.first(where: { "\($0)" == words[0] })
        else { return nil }
        self.init(column: column, isInverted: words.count == 2)
    }

    init(column: Column = .queue, isInverted: Bool = false) {
        self.column = column
        self.isInverted = isInverted
    }

    /// The text that `init(text:)` reads.
    var text: String { "\(column)" + (isInverted ? ",reverse" : "") }

    /// From small to large. By default amounts are sorted with the largest first, all other columns with the smallest
    /// first.
    var isAscending: Bool { column.isLargestFirst == isInverted }

    var isQueueOrder: Bool { column == .queue && !isInverted }

    /// The column `places` further on, in its default direction; wraps around.
    ///
    /// - Parameter shown: the sort columns of the table. A rarely used column is skipped if it is not among them.
    func cycled(by places: Int, among shown: [Column]) -> RowSort {
        let walked = Column.allCases.filter { !$0.isRare || $0 == column || shown.contains($0) }
        let (count, place) = (walked.count, walked.firstIndex(of: column) ?? 0)
        return RowSort(column: walked[((place + places) % count + count) % count])
    }

    /// The sort order after the user has chosen `column`: reversed if it is the current one, else its default
    /// direction.
    func chosen(_ column: Column) -> RowSort {
        column == self.column ? RowSort(column: column, isInverted: !isInverted) : RowSort(column: column)
    }

    /// The rows of the board for which `shows` holds, in order.
    ///
    /// - Parameter times: when each was added, started and settled.
    func arranged(
        _ board: QueueCopy, times: RowTimes = RowTimes(), at now: Moment = Moment(nanoseconds: 0),
        where shows: (TransferSnapshot) -> Bool
    ) -> [TransferID] {
        switch column {
        case .queue:
            var ids: [TransferID] = []
            board.visit { row, _ in if shows(row) { ids.append(row.id) } }
            return isInverted ? ids.reversed() : ids
        case .name: return byText(board, where: shows) { $0.name }
        case .host: return byText(board, where: shows) { $0.host }
        case .done, .size, .rate, .left, .state: return byNumber(board, where: shows) { Self.key(of: $0, column) }
        case .elapsed:
            return byNumber(board, where: shows) { times.elapsed($0.id, at: now).map { $0.nanoseconds.ordered } }
        case .mean: return byNumber(board, where: shows) { times.meanRate(of: $0, at: now)?.perSecond.ordered }
        case .added: return byNumber(board, where: shows) { times.added($0.id)?.nanoseconds.ordered }
        }
    }
}

extension RowSort.Column {
    /// The table's standard columns do not include it.
    fileprivate var isRare: Bool {
        switch self {
        case .elapsed, .mean, .added: true
        case .queue, .name, .done, .size, .rate, .left, .state, .host: false
        }
    }

    fileprivate var isLargestFirst: Bool {
        switch self {
        case .done, .size, .rate, .elapsed, .mean: true
        case .queue, .name, .left, .state, .host, .added: false
        }
    }

    var words: String {
        switch self {
        case .queue: "queue"
        case .name: "name"
        case .done: "done %"
        case .size: "size"
        case .rate: "rate"
        case .left: "time left"
        case .state: "state"
        case .elapsed: "time elapsed"
        case .mean: "mean rate"
        case .host: "host"
        case .added: "time added"
        }
    }
}

extension RowSort {
    private struct Entry {
        var key: UInt64
        var index: Int
    }

    private func byNumber(
        _ board: QueueCopy, where shows: (TransferSnapshot) -> Bool, key: (TransferSnapshot) -> UInt64?
    ) -> [TransferID] {
        var entries: [Entry] = []
        entries.reserveCapacity(board.count)
        let isAscending = isAscending
        board.visit { row, index in
            guard shows(row) else { return }
            let key = key(row).map { isAscending ? $0 : ~$0 }
            // The largest number is reserved for unknown values.
            entries.append(Entry(key: key.map { min($0, .max - 1) } ?? .max, index: index))
        }
        entries.sort { $0.key == $1.key ? $0.index < $1.index : $0.key < $1.key }
        let order = board.order
        return entries.map { order[$0.index] }
    }

    /// A number whose order is that of the column's values; `nil`: unknown.
    private static func key(of row: TransferSnapshot, _ column: Column) -> UInt64? {
        switch column {
        case .done: row.fraction.map(\.ordered)
        case .size: row.size.known.map { $0.bytes.ordered }
        case .rate: row.phase == .moving && row.stalledSince == nil ? row.rate.map { $0.perSecond.ordered } : nil
        case .left: row.phase == .moving && row.stalledSince == nil ? row.finish?.nanoseconds.ordered : nil
        case .state: UInt64(row.phase.place)
        case .queue, .name, .elapsed, .mean, .host, .added: nil
        }
    }

    private func byText(
        _ board: QueueCopy, where shows: (TransferSnapshot) -> Bool, _ text: (TransferSnapshot) -> String
    ) -> [TransferID] {
        var texts = SortedTexts(count: board.count)
        board.visit { row, index in if shows(row) { texts.append(text(row), index) } }
        let order = board.order
        return texts.sorted(isAscending: isAscending).map { order[$0] }
    }
}

extension TransferPhase {
    /// Active states first, then those that need the user, ended ones last.
    fileprivate var place: Int {
        switch self {
        case .moving: 0
        case .replying: 1
        case .verifying: 2
        case .requested: 3
        case .connecting: 4
        case .backoff: 5
        case .failed: 6
        case .paused: 7
        case .waiting: 8
        case .cancelled: 9
        case .finished: 10
        }
    }
}

extension Double {
    /// A number of the same order; NaN and negative numbers become 0.
    fileprivate var ordered: UInt64 { self > 0 ? bitPattern : 0 }
}

extension Int64 {
    fileprivate var ordered: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}
