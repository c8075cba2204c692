/// A face's own copy of the queue, kept up to date by `Update`s alone.
public struct Board: Sendable {
    /// As the updates told them; a row by its subscript also says whether its host is full.
    public private(set) var rows: [TransferID: RowState] = [:]
    /// The queue's order.
    public private(set) var order: [TransferID] = []
    public private(set) var totals = QueueTotals()
    public private(set) var history = RateHistory()
    /// Counts every applied update, so that what is derived from the board can be cached.
    public private(set) var revision = 0

    public init() {}

    public mutating func apply(_ update: Update) {
        for id in update.removed { rows[id] = nil }
        rows.merge(update.rows) { _, new in new }
        if let order = update.order { self.order = order }
        totals = update.totals
        for second in update.seconds { history.append(second) }
        revision += 1
    }

    public subscript(id: TransferID) -> RowState? {
        guard var row = rows[id] else { return nil }
        if row.phase == .waiting(.slot), totals.fullHosts.contains(row.host) { row.phase = .waiting(.hostSlot) }
        return row
    }
}
