import WinchModel

/// The rows of the board, from those of the workers and the failures of the run.
extension FleetBoard {
    mutating func take(_ update: Update, _ entries: [TransferID: UInt64], of id: String, at now: Moment) {
        var worker = workers[id] ?? Worker(lastSeen: now)
        defer { workers[id] = worker }
        let before = worker.queue
        guard worker.isKnown || update.base == nil, worker.queue.apply(update) else {
            return worker.isKnown = false
        }
        worker.isKnown = true
        let machine = name(of: id, worker)
        let gone = update.base == nil ? worker.rows.keys.filter { update.rows[$0] == nil } : update.removed
        for own in gone { if let row = worker.rows.removeValue(forKey: own) { drop([row]) } }
        for (own, row) in update.rows {
            guard row.phase.isAtWork else {
                if let shown = worker.rows.removeValue(forKey: own) { drop([shown]) }
                continue
            }
            let shown = worker.rows[own] ?? newRow()
            worker.rows[own] = shown
            machineOf[shown] = machine
            if let entry = entries[own] { entryOf[shown] = entry }
            put(row, as: shown)
        }
        if var new = update.details.last, let shown = worker.rows[new.id] {
            new.id = shown
            details = new
        }
        let events = update.events.compactMap { event in
            LogEntry(event, name: event.id.flatMap { update.rows[$0]?.name ?? before.row($0)?.name })
        }
        log += (update.log + events).compactMap { $0.of(machine) }
    }

    private mutating func newRow() -> TransferID {
        lastRow += 1
        isOrderNews = true
        return TransferID(lastRow)
    }

    private mutating func put(_ row: TransferSnapshot, as id: TransferID) {
        var row = row
        row.id = id
        rows[id] = row
        changed.insert(id)
    }

    mutating func drop(_ ids: some Sequence<TransferID>) {
        for id in ids where rows.removeValue(forKey: id) != nil {
            (machineOf[id], entryOf[id]) = (nil, nil)
            changed.remove(id)
            removed.append(id)
            isOrderNews = true
        }
    }

    var order: [TransferID] {
        sortedWorkers.flatMap { _, _, worker in worker.queue.order.compactMap { worker.rows[$0] } }
            + failures.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func take(_ list: [FleetRun.Failure], isWhole: Bool) {
        if isWhole {
            let all = Set(list.map(\.sequence))
            for (sequence, id) in failures where !all.contains(sequence) {
                failures[sequence] = nil
                drop([id])
            }
        }
        for failure in list.suffix(Self.mostFailures) where failures[failure.sequence] == nil {
            let id = newRow()
            failures[failure.sequence] = id
            machineOf[id] =
                workers[failure.record.worker].map { name(of: failure.record.worker, $0) }
                ?? failure.record.machine
            entryOf[id] = failure.record.entry
            put(failure.record.row, as: id)
        }
        for (sequence, id) in failures.sorted(by: { $0.key < $1.key }).dropLast(Self.mostFailures) {
            failures[sequence] = nil
            drop([id])
        }
    }

    /// The numbers of the failed entries in these rows.
    func failed(of ids: [TransferID]) -> [UInt64] {
        let shown = Set(failures.values)
        return ids.compactMap { shown.contains($0) ? entryOf[$0] : nil }
    }
}

extension TransferPhase {
    /// It is shown as long as a worker has it; a failed one has a row of its own when the run has stored it.
    fileprivate var isAtWork: Bool {
        switch self {
        case .failed, .cancelled: false
        default: true
        }
    }
}

extension LogEntry {
    /// The entry with the names of the machine and the file in its words; `nil`: what only the worker itself is concerned with.
    fileprivate func of(_ machine: String) -> LogEntry? {
        if case .event(.removed, _, _) = subject { return nil }
        let words = "\(machine): " + (name.map { "\($0): " } ?? "") + message
        return LogEntry(at: at, subject: .userMessage(words, level))
    }
}
