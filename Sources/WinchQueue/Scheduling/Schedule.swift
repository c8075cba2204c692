import WinchModel

/// What starts when: the order of the transfers, their ranks, the line of those that wait, and the retries that are due.
///
/// The line and the retries are lazy: an entry that no longer holds is dropped when its turn comes, by what the caller says
/// of the transfer.
package struct Schedule: Sendable {
    /// A transfer in the line, with its rank when it was put there.
    struct Place: Comparable, Sendable {
        var rank: Int
        var id: TransferID

        static func < (left: Place, right: Place) -> Bool { left.rank < right.rank }
    }

    /// In the order of starting.
    private(set) var order: [TransferID] = []
    /// Ascending in `order`; a removed transfer keeps its own while it may come back to its place.
    private(set) var ranks = NumberedBlocks(blank: 0)
    /// Transfers removed since entries of removed ones were last taken out of the line.
    private var removedCount = 0
    /// The highest rank given so far.
    private var lastRank = 0
    private var files = Line()
    /// Of the folders that are to be listed.
    private var listings = Line()
    /// Failed transfers that are tried again.
    var retries = Heap<Alarm>()
    /// When slots are kept no longer.
    var keptSlots = Heap<Alarm>()

    /// Ranks are this far apart at first, so that dozens of transfers can be put between two others.
    static let rankStep = 1 << 30
    /// Beyond this a rank in a ledger cannot come from a queue, and would leave no space for others.
    private static let maxStoredRank: UInt = 1 << 60
    /// Half of what there is: a million transfers more may still be put beyond it.
    private static let maxRank: UInt = 1 << 61

    func rank(of id: TransferID) -> Int { ranks[id] }

    /// Puts the next transfer behind all others; its rank in the ledger is kept if that is behind theirs.
    mutating func append(_ id: TransferID, preferredRank: Int?) {
        let next = lastRank + Self.rankStep
        if let preferredRank, preferredRank > lastRank || order.isEmpty, preferredRank.magnitude < Self.maxStoredRank {
            lastRank = preferredRank
        } else {
            lastRank = next
        }
        order.append(id)
        ranks.append(lastRank)
    }

    /// Takes transfers off the list.
    ///
    /// - Returns: those that are left when it is time to take entries of removed ones out of lazy lines; else `nil`.
    @discardableResult mutating func remove(_ ids: Set<TransferID>) -> Set<TransferID>? {
        order.removeAll { ids.contains($0) }
        removedCount += ids.count
        guard removedCount > max(Self.mostRemoved, order.count) else { return nil }
        removedCount = 0
        let left = Set(order)
        files.retain { left.contains($0.id) }
        listings.retain { left.contains($0.id) }
        retries.retain { left.contains($0.id) }
        return left
    }

    mutating func forget(_ ids: [TransferID]) { for id in ids { ranks.remove(at: id.number - 1) } }

    /// An entry has 16 bytes.
    private static let mostRemoved = 1000

    /// Moves a transfer by so many places; only its own rank changes.
    ///
    /// - Parameter removed: transfers off the list that may come back.
    /// - Returns: the transfers with another rank; `nil` when the order is as it was.
    mutating func move(_ id: TransferID, by places: Int, removed: [TransferID]) -> [TransferID]? {
        guard let from = order.firstIndex(of: id) else { return nil }
        let to =
            places < 0
            ? max(0, from - Int(min(places.magnitude, UInt(from)))) : from + min(places, order.count - 1 - from)
        guard to != from else { return nil }
        order.remove(at: from)
        order.insert(id, at: to)
        return rank(to..<to + 1, removed: removed)
    }

    /// Moves several together. Only transfers whose place changes are given another rank: each costs a place in the line.
    mutating func shift(_ chosen: Set<TransferID>, _ shift: QueueShift, removed: [TransferID]) -> [TransferID]? {
        let before = order
        switch shift {
        case .earlier:
            for place in order.indices.dropFirst()
            where chosen.contains(order[place]) && !chosen.contains(order[place - 1]) {
                order.swapAt(place, place - 1)
            }
        case .later:
            for place in order.indices.dropLast().reversed()
            where chosen.contains(order[place]) && !chosen.contains(order[place + 1]) {
                order.swapAt(place, place + 1)
            }
        case .first: order = order.filter { chosen.contains($0) } + order.filter { !chosen.contains($0) }
        case .last: order = order.filter { !chosen.contains($0) } + order.filter { chosen.contains($0) }
        }
        guard order != before else { return nil }
        return switch shift {
        case .earlier, .later: exchangeRanks(since: before)
        case .first: rank(0..<chosen.count, removed: removed)
        case .last: rank(order.count - chosen.count..<order.count, removed: removed)
        }
    }

    /// Puts the transfers at the end of the order directly behind another one, in their order.
    mutating func place(_ added: [TransferID], below id: TransferID, removed: [TransferID]) -> [TransferID]? {
        let above = rank(of: id)
        let place = order.partitioningIndex { rank(of: $0) >= above }
        guard !added.isEmpty, order.suffix(added.count).elementsEqual(added),
            place + 1 < order.count - added.count, order[place] == id
        else { return nil }
        order.removeLast(added.count)
        order.insert(contentsOf: added, at: place + 1)
        return rank(place + 1..<place + 1 + added.count, removed: removed)
    }

    /// Puts transfers back that were removed, where they were.
    ///
    /// - Parameters:
    ///   - ids: in the order of their ranks, as `order` is.
    ///   - removed: those that are still off the list.
    /// - Returns: the transfers with another rank.
    mutating func putBack(_ ids: [TransferID], removed: [TransferID]) -> [TransferID] {
        var merged: [TransferID] = []
        merged.reserveCapacity(order.count + ids.count)
        var rest = ids[...]
        for id in order {
            while let next = rest.first, rank(of: next) < rank(of: id) {
                merged.append(next)
                rest.removeFirst()
            }
            merged.append(id)
        }
        order = merged + rest
        // Transfers added to an empty list may have been given lower ranks meanwhile.
        lastRank = max(lastRank, order.last.map { rank(of: $0) } ?? lastRank)
        // Another transfer may have been moved to the very place that was free meanwhile.
        let isShared = zip(order, order.dropFirst()).contains { rank(of: $0) == rank(of: $1) }
        return isShared ? spreadRanks(removed: removed) : []
    }

    private func rank(at index: Int) -> Int { rank(of: order[index]) }

    /// No number is left between two ranks: all are given anew, those of removed transfers in between.
    private mutating func spreadRanks(removed: [TransferID]) -> [TransferID] {
        let before = order.map { rank(of: $0) }.sorted()
        for (passed, id) in removed.enumerated() {
            let old = ranks[id]
            ranks[id] = before.partitioningIndex { $0 >= old } * Self.rankStep + passed + 1
        }
        for (index, id) in order.enumerated() { ranks[id] = (index + 1) * Self.rankStep }
        lastRank = (order.count + 1) * Self.rankStep
        return order
    }

    /// A place keeps its rank, whichever transfer takes it.
    private mutating func exchangeRanks(since before: [TransferID]) -> [TransferID] {
        let changed = order.indices.filter { order[$0] != before[$0] }
        let old = changed.map { rank(of: before[$0]) }
        for (place, rank) in zip(changed, old) { ranks[order[place]] = rank }
        return changed.map { order[$0] }
    }

    /// Gives the transfers at these places ranks between those of their neighbours, which keep theirs.
    private mutating func rank(_ places: Range<Int>, removed: [TransferID]) -> [TransferID] {
        let span = (places.count + 1) * Self.rankStep
        let below = places.upperBound < order.count ? rank(at: places.upperBound) : lastRank + span
        let above =
            places.upperBound == order.count
            ? lastRank : places.lowerBound > 0 ? rank(at: places.lowerBound - 1) : below - span
        let step = (below - above) / (places.count + 1)
        guard step > 0, max(above.magnitude, below.magnitude) < Self.maxRank else {
            return spreadRanks(removed: removed)
        }
        for (number, id) in order[places].enumerated() { ranks[id] = above + (number + 1) * step }
        lastRank = max(lastRank, rank(at: places.upperBound - 1))
        return Array(order[places])
    }
}

/// The line of waiting transfers. Each operation costs O(log n), also with 100,000 waiting for one busy host.
extension Schedule {
    func place(of id: TransferID) -> Place { Place(rank: rank(of: id), id: id) }

    /// It has not moved in the queue since it was put in the line.
    func isCurrent(_ place: Place) -> Bool { rank(of: place.id) == place.rank }

    mutating func enqueue(_ id: TransferID, isListing: Bool = false) {
        if isListing { listings.ready.insert(place(of: id)) } else { files.ready.insert(place(of: id)) }
    }

    /// Takes out the first whose host has a place.
    ///
    /// - Parameters:
    ///   - isListing: of the folders that are to be listed, which have a line of their own.
    ///   - isReady: whether the transfer still waits.
    ///   - busyHost: the host of a transfer when it has no place left, else `nil`.
    mutating func next(
        isListing: Bool = false, isReady: (TransferID) -> Bool, busyHost: (TransferID) -> String?
    ) -> TransferID? {
        isListing
            ? listings.next(ranks, isReady: isReady, busyHost: busyHost)
            : files.next(ranks, isReady: isReady, busyHost: busyHost)
    }

    /// Transfers in the line that were found to wait for a place at the host; some may have left the line since.
    func parked(at host: String) -> (files: Int, listings: Int) {
        (files.parked[host]?.count ?? 0, listings.parked[host]?.count ?? 0)
    }

    var hostsWithParked: Set<String> { Set(files.parked.keys).union(listings.parked.keys) }

    /// The host may have a place: its first file and its first folder in the line that are still ready may try again.
    ///
    /// - Parameter isReady: whether the transfer still waits in the line of the folders, or in the other one.
    mutating func unpark(_ host: String, isReady: (TransferID, _ isListing: Bool) -> Bool) {
        files.unpark(host, ranks) { isReady($0, false) }
        listings.unpark(host, ranks) { isReady($0, true) }
    }

    private struct Line {
        /// Those that wait, and that no busy host holds back as far as is known.
        var ready = Heap<Place>()
        /// Those that wait for a busy host.
        var parked: [String: Heap<Place>] = [:]

        mutating func retain(where isKept: (Place) -> Bool) {
            ready.retain(where: isKept)
            for host in parked.keys { parked[host]?.retain(where: isKept) }
            parked = parked.filter { $0.value.first != nil }
        }

        mutating func next(
            _ ranks: NumberedBlocks<Int>, isReady: (TransferID) -> Bool, busyHost: (TransferID) -> String?
        ) -> TransferID? {
            while let place = ready.popFirst() {
                guard ranks[place.id] == place.rank, isReady(place.id) else { continue }
                guard let host = busyHost(place.id) else { return place.id }
                parked[host, default: Heap()].insert(place)
            }
            return nil
        }

        mutating func unpark(_ host: String, _ ranks: NumberedBlocks<Int>, isReady: (TransferID) -> Bool) {
            while let place = parked[host]?.popFirst() {
                if parked[host]?.first == nil { parked[host] = nil }
                guard ranks[place.id] == place.rank, isReady(place.id) else { continue }
                ready.insert(place)
                return
            }
        }
    }
}

extension Heap<Alarm> {
    /// When the first is due; `nil`: there is none.
    var next: Moment? { first?.at }

    mutating func takeDue(at now: Moment) -> [Alarm] {
        var due: [Alarm] = []
        while let alarm = first, alarm.at <= now {
            due.append(alarm)
            _ = popFirst()
        }
        return due
    }

    /// No tick is needed for what does not hold any more.
    mutating func dropStale(isCurrent: (Alarm) -> Bool) {
        while let alarm = first, !isCurrent(alarm) { _ = popFirst() }
    }
}
