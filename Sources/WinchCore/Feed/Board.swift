/// A face's own copy of the queue, kept up to date by `Update`s alone.
public struct Board: Sendable {
    public private(set) var rows: [TransferID: RowState] = [:]
    /// The queue's order.
    public private(set) var order: [TransferID] = []
    public private(set) var totals = QueueTotals()
    /// Counts every applied update, so that what is derived from the board can be cached.
    public private(set) var revision = 0

    public init() {}

    public mutating func apply(_ update: Update) {
        for id in update.removed { rows[id] = nil }
        rows.merge(update.rows) { _, new in new }
        if let order = update.order { self.order = order }
        totals = update.totals
        revision += 1
    }

    public subscript(id: TransferID) -> RowState? { rows[id] }
}
