/// Room on the disks: what does not fit waits for it, and goes on by itself when it is there.
extension TransferQueue {
    /// Before a start: a transfer for which there is no room waits for it.
    ///
    /// - Returns: whether it was put aside.
    mutating func putAsideForSpace(_ id: TransferID, at now: Moment) -> Bool {
        guard let index = index(of: id), rows[index].spec.direction == .down,
            let disk = rows[index].effort.disk ?? disks.index(of: rows[index].spec.folder), !hasRoom(for: id, on: disk)
        else { return false }
        let host = rows[index].hostKey
        awaitSpace(id, on: disk, at: now)
        unpark(host)
        return true
    }

    private func hasRoom(for id: TransferID, on disk: Int) -> Bool {
        guard disks[disk].fullUntil == nil else { return false }
        guard let free = disks[disk].free, let transfer = self[id] else { return true }
        // What is larger than the whole disk fails at once, by the transport's word: no waiting helps.
        if let reading = disks[disk].reading, reading.size > .zero, transfer.size.known ?? .zero > reading.size {
            return true
        }
        let left = free - committed(on: disk, except: id)
        return transfer.size.known == nil ? left > 0 : transfer.needs == 0 || transfer.needs <= left
    }

    /// Bytes that those who move there still have to write.
    private func committed(on disk: Int, except id: TransferID? = nil) -> Int64 {
        active.reduce(0) { sum, other in
            guard other != id, let transfer = self[other], transfer.effort.disk == disk else { return sum }
            return min(Disks.beyondAll, sum + min(transfer.needs, Disks.beyondAll))
        }
    }

    private mutating func awaitSpace(_ id: TransferID, on disk: Int, at now: Moment) {
        disks[disk].waiting.insert(id)
        change(id, at: now, .awaitingSpace(folder: self[id]?.spec.folder ?? "")) { transfer in
            transfer.awaitsSpace = true
            transfer.effort.disk = disk
            transfer.stopClock(at: now)
        }
    }

    /// A transfer starts: its disk is known, or asked for.
    mutating func noteDisk(of id: TransferID, at now: Moment) -> [QueueAction] {
        guard let index = index(of: id), rows[index].spec.direction == .down else { return [] }
        let folder = rows[index].spec.folder
        let disk = disks.place(folder)
        rows[index].effort.disk = disk
        let latest = max(disks[disk].readAt ?? .distantPast, disks[disk].askedAt ?? .distantPast)
        guard now - latest >= Disks.freshFor, disks.ask(folder) else { return [] }
        disks[disk].askedAt = now
        return [.askSpace(folder: folder)]
    }

    mutating func noteWritten(_ count: Int64, by index: Int) {
        guard let disk = rows[index].effort.disk else { return }
        disks[disk].wrote(count)
        disks[disk].stuckSince = nil
    }

    /// A file went through.
    mutating func noteRoom(on disk: Int?) {
        if let disk { disks[disk].pause = Disks.firstPause }
    }

    /// A write found no room.
    ///
    /// - Returns: the disk.
    mutating func noteFull(_ transfer: TransferState, at now: Moment) -> Int {
        let disk = transfer.effort.disk ?? disks.place(transfer.spec.folder)
        disks[disk].waiting.insert(transfer.id)
        guard disks[disk].fullUntil == nil else { return disk }
        disks[disk].fullUntil = now + disks[disk].pause
        disks[disk].pause = min(Disks.longestPause, disks[disk].pause * 2)
        return disk
    }

    /// Once the size is told: a file that cannot fit is not begun, or it would fill the disk for nothing.
    mutating func stopIfTooLarge(_ id: TransferID, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id], transfer.phase == .moving, let disk = transfer.effort.disk, transfer.needs > 0,
            settings.spaceWait != .zero, !hasRoom(for: id, on: disk)
        else { return [] }
        return [stopForSpace(id, on: disk, at: now)]
    }

    private mutating func stopForSpace(_ id: TransferID, on disk: Int, at now: Moment) -> QueueAction {
        let stamp = self[id]?.stamp ?? Stamp()
        disks[disk].waiting.insert(id)
        change(id, at: now, .awaitingSpace(folder: self[id]?.spec.folder ?? "")) { transfer in
            transfer.close(.keeping)
            transfer.phase = .waiting
            transfer.awaitsSpace = true
            transfer.effort.tries = max(0, transfer.effort.tries - 1)
            transfer.stopClock(at: now)
        }
        return .stop(id, stamp, discarding: false)
    }

    /// The answer to `askSpace`.
    mutating func takeSpace(_ reading: SpaceReading?, in folder: String, at now: Moment) -> [QueueAction] {
        disks.noteAnswer(for: folder)
        guard let reading else {
            // It cannot be told: what waits there may try.
            if let disk = disks.index(of: folder) { letGo(on: disk, at: now) }
            return []
        }
        let (disk, old) = disks.settle(folder, on: reading.device)
        if let old { move(folder, from: old, to: disk) }
        disks[disk].reading = reading
        disks[disk].readAt = now
        disks[disk].written = 0
        let actions = isEnding || settings.spaceWait == .zero ? [] : relieve(disk, at: now)
        letGo(on: disk, at: now)
        if spaceless > 0 { feed.noteTotals() }
        return actions
    }

    /// The folder lies on another disk than it stood for.
    private mutating func move(_ folder: String, from old: Int, to new: Int) {
        let waiting = disks[old].waiting.filter { self[$0]?.spec.folder == folder }
        for id in active.union(waiting) where self[id]?.effort.disk == old && self[id]?.spec.folder == folder {
            rows[id.number - 1].effort.disk = new
        }
        disks[old].waiting.subtract(waiting)
        disks[new].waiting.formUnion(waiting)
        if let full = disks[old].fullUntil, !waiting.isEmpty {
            disks[new].fullUntil = max(full, disks[new].fullUntil ?? full)
        }
        disks[new].askedAt = disks[new].askedAt ?? disks[old].askedAt
    }

    /// Those who move and do not fit any more, as others write there too, stop before the disk is full: the last first.
    private mutating func relieve(_ disk: Int, at now: Moment) -> [QueueAction] {
        guard var free = disks[disk].free, committed(on: disk) > free else { return [] }
        var actions: [QueueAction] = []
        let running = active.compactMap { self[$0] }.filter { $0.effort.disk == disk && $0.needs > 0 }
        for transfer in running.sorted(by: { $0.rank < $1.rank }) {
            if transfer.needs <= free {
                free -= transfer.needs
            } else if transfer.phase == .moving {
                actions.append(stopForSpace(transfer.id, on: disk, at: now))
            }
        }
        return actions
    }

    /// Lets those go on who fit, in the queue's order.
    private mutating func letGo(on disk: Int, at now: Moment) {
        disks[disk].waiting = disks[disk].waiting.filter { self[$0]?.awaitsSpace ?? false }
        if let full = disks[disk].fullUntil {
            guard full <= now else { return }
            disks[disk].fullUntil = nil
        }
        guard !disks[disk].waiting.isEmpty else { return }
        var left = disks[disk].free.map { $0 - committed(on: disk) }
        for transfer in disks[disk].waiting.compactMap({ self[$0] }).sorted(by: { $0.rank < $1.rank }) {
            if let room = left {
                guard room > 0 || transfer.size.known != nil && transfer.needs == 0, transfer.needs <= room else {
                    continue
                }
                left = room - transfer.needs
            }
            disks[disk].waiting.remove(transfer.id)
            change(transfer.id, at: now, nil) { $0.awaitsSpace = false }
        }
    }

    /// Gives up what has waited for room long enough, in a run without a dashboard. Before anything is started: what is
    /// stopped with it (`--fail-fast`) need not begin first.
    mutating func endPatience(at now: Moment) -> [QueueAction] {
        guard !isEnding, spaceless > 0 else { return [] }
        var hasGivenUp = false
        for disk in disks.list.indices where !disks[disk].waiting.isEmpty {
            guard let end = endOfPatience(with: disk), end <= now else { continue }
            for id in disks[disk].waiting.sorted() where self[id]?.awaitsSpace ?? false {
                giveUpOnSpace(id, at: now)
                hasGivenUp = true
            }
            disks[disk].waiting = []
        }
        return hasGivenUp && settings.failsFast ? stopAll(at: now) : []
    }

    /// Questions that are due.
    mutating func watchDisks(at now: Moment) -> [QueueAction] {
        guard spaceless > 0 else { return [] }
        var actions: [QueueAction] = []
        for disk in disks.list.indices where !disks[disk].waiting.isEmpty {
            if disks[disk].stuckSince == nil, !active.contains(where: { self[$0]?.effort.disk == disk }) {
                disks[disk].stuckSince = now
            }
            if let due = nextQuestion(to: disk), due <= now, disks.ask(disks[disk].folder) {
                disks[disk].askedAt = now
                actions.append(.askSpace(folder: disks[disk].folder))
            }
        }
        return actions
    }

    private mutating func giveUpOnSpace(_ id: TransferID, at now: Moment) {
        let failure = lackOfSpace(for: id)
        change(id, at: now, .failed(failure)) { transfer in
            transfer.phase = .failed(failure)
            transfer.stopClock(at: now)
        }
    }

    private func lackOfSpace(for id: TransferID) -> TransferFailure {
        guard let transfer = self[id] else { return .diskFull(folder: "") }
        let folder = transfer.spec.folder
        guard let disk = transfer.effort.disk, let free = disks[disk].reading?.free, transfer.size.known != nil,
            transfer.needs > free.bytes
        else { return .diskFull(folder: folder) }
        return .diskFull(folder: folder, needs: ByteCount(bytes: transfer.needs), free: free)
    }

    private func endOfPatience(with disk: Int) -> Moment? {
        guard let patience = settings.spaceWait, let since = disks[disk].stuckSince else { return nil }
        return since + patience
    }

    /// `nil` while the last one is not answered.
    private func nextQuestion(to disk: Int) -> Moment? {
        guard !disks.isAsked(disks[disk].folder) else { return nil }
        return max(
            disks[disk].askedAt.map { $0 + Disks.askSpan } ?? .distantPast, disks[disk].fullUntil ?? .distantPast)
    }

    /// When `watchDisks` is due.
    func nextDiskWatch(after now: Moment) -> Moment? {
        guard spaceless > 0 else { return nil }
        return disks.list.indices.lazy.filter { !disks[$0].waiting.isEmpty }
            .flatMap { [nextQuestion(to: $0), endOfPatience(with: $0)].compactMap { $0 } }.min()
    }

    /// What waits for room, for the totals.
    var awaitingSpace: QueueTotals.AwaitingSpace? {
        guard spaceless > 0, let disk = disks.list.first(where: { !$0.waiting.isEmpty }) else { return nil }
        return QueueTotals.AwaitingSpace(count: spaceless, folder: disk.folder)
    }
}

extension Moment {
    /// Before anything that happens.
    fileprivate static let distantPast = Moment(nanoseconds: .min / 4)
}
