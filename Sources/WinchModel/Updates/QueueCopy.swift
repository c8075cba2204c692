/// A subscriber's own copy of the queue. It changes by `Update`s alone.
package struct QueueCopy: Sendable {
    /// All rows, in no order and without gaps. A dictionary would allocate up to three slots for each.
    private var rows: [QueueCopyRow] = []
    /// The hosts and folders of all rows so far, which are few; `QueueCopyRow` refers to them by index.
    private var texts: [String] = []
    private var textIndices: [ExactText: Int32] = [:]
    /// The index in `rows` by transfer number, from `firstNumber` on; -1 for a transfer that has no row. Numbers are given
    /// consecutively, so the array has few unused elements while the oldest rows leave the list first.
    private(set) var places: [Int32] = []
    private var firstNumber = 0
    /// When `places` is so long, the numbers before the first row are dropped from it.
    private var longest = 4096
    package private(set) var order: [TransferID] = []
    package private(set) var totals = QueueTotals()
    package private(set) var history = RateHistory()
    /// Details of the transfer that was watched last.
    package private(set) var details: TransferDetails?
    /// The number of the queue's state that this copy has; see `Update.number`.
    package private(set) var number = 0
    /// Counts the applied updates: a key for caches of values that are derived from the board.
    package private(set) var revision = 0

    package init() {}

    package init(_ snapshot: QueueSnapshot) {
        self.init()
        apply(Update(snapshot))
    }

    /// Brings the copy to the state that the queue had when the update was made.
    ///
    /// - Returns: false when an update before this one is missing: then nothing changes, and a snapshot is needed.
    @discardableResult
    package mutating func apply(_ update: Update) -> Bool {
        if update.base == nil {
            let revision = revision
            self = QueueCopy()
            self.revision = revision
        } else if update.base != number {
            return false
        }
        number = update.number
        for id in update.removed { remove(id) }
        let isFirst = rows.isEmpty
        if isFirst, let order = update.order {
            rows.reserveCapacity(update.rows.count)
            // In the queue's order, so that `visit` reads the memory sequentially.
            for id in order.ids { if let row = update.rows[id] { put(row, id) } }
        }
        if !isFirst || rows.count < update.rows.count { for (id, row) in update.rows { put(row, id) } }
        update.order?.apply(to: &order)
        totals = update.totals
        details = update.details.last ?? details
        for second in update.seconds { history.append(second) }
        revision += 1
        return true
    }

    /// The row as a front end shows it. A transfer that waits for a slot is shown as `.hostSlot` when its host has no free
    /// connection; see `QueueTotals.fullHosts`.
    package subscript(id: TransferID) -> TransferSnapshot? {
        guard let place = place(of: id) else { return nil }
        var row = snapshot(at: place)
        if row.phase == .waiting(.slot), totals.fullHosts.contains(row.host) { row.phase = .waiting(.hostSlot) }
        return row
    }

    /// The row as the engine sent it, without the change to `.hostSlot`.
    package func row(_ id: TransferID) -> TransferSnapshot? { place(of: id).map { snapshot(at: $0) } }

    package var count: Int { rows.count }

    /// Calls `visit` for each row in the queue's order. Avoids an array of copied rows, which for a long list would take most
    /// of the time.
    ///
    /// - Parameter visit: gets a row as the engine sent it, without the change to `.hostSlot`, and its index in `order`.
    package func visit(_ visit: (TransferSnapshot, Int) -> Void) {
        for (index, id) in order.enumerated() {
            if let place = place(of: id) { visit(snapshot(at: place), index) }
        }
    }

    /// The transfer that has the most connections to the host besides this one, of how many that all have; linear.
    package func holder(of host: String, besides id: TransferID) -> (name: String, connections: Int, all: Int)? {
        var (most, all): ((name: String, connections: Int)?, Int) = (nil, 0)
        visit { row, _ in
            guard row.host == host, row.phase.isActive, row.phase != .verifying else { return }
            let count = max(1, row.split?.connections ?? 1)
            all += count
            if row.id != id, count > most?.connections ?? 1 { most = (row.name, count) }
        }
        return most.map { ($0.name, $0.connections, all) }
    }

    private func place(of id: TransferID) -> Int? {
        // A number from a client may be any.
        let index = id.number &- firstNumber
        guard places.indices.contains(index), places[index] >= 0 else { return nil }
        return Int(places[index])
    }

    private func snapshot(at place: Int) -> TransferSnapshot {
        rows[place].snapshot(host: texts[rows[place].hostIndex], folder: texts[rows[place].folderIndex])
    }

    private mutating func put(_ row: TransferSnapshot, _ id: TransferID) {
        guard (0...Int(UInt32.max)).contains(id.number) else { return }
        let row = QueueCopyRow(row, host: index(of: row.host), folder: index(of: row.folder))
        if let place = place(of: id) { return rows[place] = row }
        makePlace(for: id.number)
        places[id.number - firstNumber] = Int32(rows.count)
        rows.append(row)
    }

    private mutating func makePlace(for number: Int) {
        if rows.isEmpty { (places, firstNumber) = ([], number) }
        if number < firstNumber {
            // By as much again, so that rows that come in descending order cost no more.
            let more = min(firstNumber, max(firstNumber - number, places.count))
            places.insert(contentsOf: repeatElement(-1, count: more), at: 0)
            firstNumber -= more
        } else if number - firstNumber >= max(longest, places.count) {
            let gone = places.prefix { $0 < 0 }.count
            places.removeFirst(gone)
            firstNumber += gone
            longest = 2 * places.count + 4096
        }
        let missing = number - firstNumber + 1 - places.count
        if missing > 0 { places += repeatElement(-1, count: missing) }
    }

    private mutating func index(of text: String) -> Int32 {
        let key = ExactText(text)
        if let index = textIndices[key] { return index }
        let index = Int32(texts.count)
        texts.append(text)
        textIndices[key] = index
        return index
    }

    private mutating func remove(_ id: TransferID) {
        guard let place = place(of: id), let last = rows.popLast() else { return }
        places[id.number - firstNumber] = -1
        guard place < rows.count else { return }
        rows[place] = last
        places[last.id.number - firstNumber] = Int32(place)
    }
}

/// A row as `QueueCopy` stores it. Of the rows of a long list nearly all wait, or are complete: those take 56 bytes without
/// the text of the name, less than half of a `TransferSnapshot`. Any other row has its snapshot on the heap.
struct QueueCopyRow: Sendable {
    /// Not in `snapshot` alone, so that many rows have the text once.
    private var name: String
    private var urls: MirrorList
    private var content: Content
    private var phase: Phase
    private var direction: Direction
    private var namedParts: UInt8
    private var number: UInt32
    /// The indices of the host's name and of the folder in the copy's list.
    private var host: Int32
    private var folder: Int32

    private enum Content: Sendable {
        /// An unknown size with its estimate, or the size that a probe or an earlier run knows. No bytes are on disk, unless the
        /// transfer is complete: then this is the exact size of the file.
        case estimate(Int64)
        case size(Int64)
        case snapshot(Snapshot)
    }

    /// The phases that can be stored without a snapshot.
    private enum Phase: UInt8, Sendable {
        case waiting, paused, cancelled, saved
    }

    private final class Snapshot: Sendable {
        let row: TransferSnapshot

        init(_ row: TransferSnapshot) { self.row = row }
    }

    /// - Parameters:
    ///   - host: the index of the host's name in the copy's list.
    ///   - folder: the index of the folder in it.
    init(_ row: TransferSnapshot, host: Int32, folder: Int32) {
        (name, number, direction) = (row.name, UInt32(clamping: row.id.number), row.direction)
        (urls, namedParts, self.host, self.folder) = (row.urls, row.namedParts, host, folder)
        (phase, content) = (.waiting, .snapshot(Snapshot(row)))
        guard let plain = Self.plainPhase(of: row) else { return }
        var small = self
        small.phase = plain
        small.content = row.size.known.map { .size($0.bytes) } ?? .estimate(row.size.guess.bytes)
        // Whatever the small form cannot hold makes a difference here.
        if small.snapshot(host: row.host, folder: row.folder) == row { self = small }
    }

    /// - Parameters:
    ///   - host: the host's name.
    ///   - folder: the target folder.
    func snapshot(host: String, folder: String) -> TransferSnapshot {
        let (have, size): (Int64, SizeKnowledge)
        switch content {
        case .snapshot(let stored): return stored.row
        case .estimate(let bytes): (have, size) = (0, .unknown(estimate: ByteCount(bytes: bytes)))
        case .size(let bytes) where phase == .saved: (have, size) = (bytes, .exact(ByteCount(bytes: bytes)))
        case .size(let bytes): (have, size) = (0, .probed(ByteCount(bytes: bytes)))
        }
        return TransferSnapshot(
            id: id, direction: direction, name: name, host: host, urls: urls, folder: folder,
            namedParts: Int(namedParts), phase: transferPhase, have: ByteCount(bytes: have), size: size)
    }

    var id: TransferID { TransferID(Int(number)) }
    /// As given to `init`.
    var hostIndex: Int { Int(host) }
    var folderIndex: Int { Int(folder) }

    private static func plainPhase(of row: TransferSnapshot) -> Phase? {
        switch row.phase {
        case .waiting(.slot): .waiting
        case .paused: .paused
        case .cancelled: .cancelled
        case .finished(.saved): .saved
        case .waiting, .connecting, .requested, .moving, .backoff, .replying, .verifying, .finished, .failed: nil
        }
    }

    private var transferPhase: TransferPhase {
        switch phase {
        case .waiting: .waiting(.slot)
        case .paused: .paused
        case .cancelled: .cancelled
        case .saved: .finished(.saved(path: name))
        }
    }
}
