/// The order of starting, as a person changes it.
extension TransferQueue {
    /// Takes the transfer out of the row and puts it in again: only its own rank changes.
    mutating func move(_ id: TransferID, by places: Int) {
        guard let from = order.firstIndex(of: id) else { return }
        let to =
            places < 0
            ? max(0, from - Int(min(places.magnitude, UInt(from)))) : from + min(places, order.count - 1 - from)
        guard to != from else { return }
        order.remove(at: from)
        order.insert(id, at: to)
        feed.noteOrder()
        let above = to > 0 ? rank(at: to - 1) : rank(at: 1) - 2 * Self.rankStep
        let below = to < order.count - 1 ? rank(at: to + 1) : above + 2 * Self.rankStep
        lastRank = max(lastRank, below)
        if below - above >= 2 {
            setRank(of: id, to: above + (below - above) / 2)
        } else {
            spreadRanks()
        }
    }

    /// Ranks are this far apart at first, so that dozens of transfers can be put between two others.
    static let rankStep = 1 << 30

    private func rank(at index: Int) -> Int { self[order[index]]?.rank ?? 0 }

    /// No room is left between two ranks: all are given anew, those of removed transfers in between.
    mutating func spreadRanks() {
        let before = order.indices.map { rank(at: $0) }.sorted()
        var passed = 0
        for index in undos.indices {
            guard case .removal(var batch) = undos[index] else { continue }
            for place in batch.indices {
                let old = batch[place].rank
                let ahead = before.partitioningIndex { $0 >= old }
                passed += 1
                batch[place].rank = ahead * Self.rankStep + passed
            }
            undos[index] = .removal(batch)
        }
        for (index, id) in order.enumerated() { setRank(of: id, to: (index + 1) * Self.rankStep) }
        lastRank = (order.count + 1) * Self.rankStep
    }

    private mutating func setRank(of id: TransferID, to rank: Int) {
        rows[id.number - 1].rank = rank
        ledger?.noteRank(id)
        guard let transfer = self[id], transfer.isReady else { return }
        line.insert(id, rank: rank)
        if transfer.wantsSizing { probes.enqueue(WaitingLine.Place(rank: rank, id: id)) }
        // It may have been the one let out of its host's parking, and be behind others there now.
        unpark(transfer.hostKey)
    }

    /// Moves several together. Only transfers whose place changes are given another rank.
    mutating func shift(_ ids: [TransferID], _ shift: QueueShift) {
        let chosen = Set(ids.filter { index(of: $0) != nil })
        guard !chosen.isEmpty else { return }
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
        guard order != before else { return }
        feed.noteOrder()
        // As few new ranks as can be: each costs a place in the waiting line.
        switch shift {
        case .earlier, .later: exchangeRanks(since: before)
        case .first: rankOutside(Array(order.prefix(chosen.count)), end: self[before[0]]?.rank ?? 0, isBefore: true)
        case .last: rankOutside(Array(order.suffix(chosen.count)), end: lastRank, isBefore: false)
        }
    }

    /// A place keeps its rank, whoever stands there.
    private mutating func exchangeRanks(since before: [TransferID]) {
        let changed = order.indices.filter { order[$0] != before[$0] }
        let ranks = changed.map { self[before[$0]]?.rank ?? 0 }
        for (place, rank) in zip(changed, ranks) { setRank(of: order[place], to: rank) }
    }

    /// Beyond all others, which keep theirs.
    private mutating func rankOutside(_ ids: [TransferID], end: Int, isBefore: Bool) {
        guard end.magnitude < Self.farthestRank else { return spreadRanks() }
        let first = isBefore ? end - ids.count * Self.rankStep : end + Self.rankStep
        for (index, id) in ids.enumerated() { setRank(of: id, to: first + index * Self.rankStep) }
        lastRank = max(lastRank, first + (ids.count - 1) * Self.rankStep)
    }

    /// Half of what there is: a million transfers more may still be put beyond it.
    private static let farthestRank: UInt = 1 << 61
}

extension Array where Element: Comparable {
    /// The first place from which on `predicate` holds, in an array where it never ceases to.
    fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
