/// A face's own copy of the queue, kept up to date by `Update`s alone.
public struct Board: Sendable {
    /// In no order, without gaps. A dictionary of rows would hold up to two empty ones for each: with a hundred thousand
    /// of them that is most of the memory.
    private var rows: [RowState] = []
    /// Where each stands in `rows`.
    private var places: [TransferID: Int] = [:]
    /// Where those of `order` stand in `rows`, -1 for one that is not there: a walk over all of them looks nothing up.
    private var walk: [Int32] = []
    /// The queue's order.
    public private(set) var order: [TransferID] = []
    public private(set) var totals = QueueTotals()
    public private(set) var history = RateHistory()
    /// Of the transfer that was watched last.
    public private(set) var details: TransferDetails?
    /// Counts every applied update, so that what is derived from the board can be cached.
    public private(set) var revision = 0

    public init() {}

    /// Makes the copy what the queue was when the update was made.
    public mutating func apply(_ update: Update) {
        for id in update.removed { remove(id) }
        let before = rows.count
        if let order = update.order, rows.isEmpty {
            rows.reserveCapacity(update.rows.count)
            places.reserveCapacity(update.rows.count)
            // In the queue's order, so that a walk in that order goes straight through the memory.
            for id in order { if let row = update.rows[id] { put(row, id) } }
        }
        if before > 0 || rows.count < update.rows.count { for (id, row) in update.rows { put(row, id) } }
        if let order = update.order { self.order = order }
        if update.order != nil || !update.removed.isEmpty || rows.count != before {
            walk = order.map { places[$0].map(Int32.init) ?? -1 }
        }
        totals = update.totals
        details = update.details ?? details
        for second in update.seconds { history.append(second) }
        revision += 1
    }

    /// The row as a face shows it: what waits for a slot waits for its host's when the host is full.
    public subscript(id: TransferID) -> RowState? {
        guard let place = places[id] else { return nil }
        var row = rows[place]
        if row.phase == .waiting(.slot), totals.fullHosts.contains(row.host) { row.phase = .waiting(.hostSlot) }
        return row
    }

    public var count: Int { rows.count }

    /// Visits the rows in the queue's order without copying them, which for a long list would take most of the time.
    ///
    /// - Parameter visit: gets a row as the engine told it, and its place in `order`.
    public func visit(_ visit: (RowState, Int) -> Void) {
        for index in walk.indices where walk[index] >= 0 { visit(rows[Int(walk[index])], index) }
    }

    private mutating func put(_ row: RowState, _ id: TransferID) {
        if let place = places[id] {
            rows[place] = row
        } else {
            places[id] = rows.count
            rows.append(row)
        }
    }

    private mutating func remove(_ id: TransferID) {
        guard let place = places.removeValue(forKey: id), let last = rows.popLast() else { return }
        guard place < rows.count else { return }
        rows[place] = last
        places[last.id] = place
    }
}
