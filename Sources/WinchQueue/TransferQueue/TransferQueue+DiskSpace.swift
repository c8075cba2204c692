import WinchModel
import WinchProgress

/// Free space on the disks: a transfer that does not fit waits for space, and goes on by itself when there is enough.
extension TransferQueue {
    /// Before a start: a transfer for which there is no space waits for it.
    ///
    /// - Returns: whether it was put aside.
    mutating func deferForSpace(_ id: TransferID, at now: Moment) -> Bool {
        guard let index = index(of: id), rows[index].spec.direction == .down, !rows[index].isListing,
            let disk = disks.disk(of: rows[index].spec.folder), !hasSpace(for: id, on: disk)
        else { return false }
        let host = rows[index].hostAndPort
        disks.wait(id, on: disk)
        change(id, at: now, .awaitingSpace(folder: rows[index].spec.folder)) { transfer in
            transfer.awaitsSpace = true
            transfer.history.disk = disk
            transfer.stopClock(at: now)
        }
        unpark(host)
        return true
    }

    private func need(of id: TransferID) -> DiskSpace.Need {
        let index = id.number - 1
        return DiskSpace.Need(
            id: id, rank: schedule.rank(of: id), bytes: rows[index].hasReservedSpace ? 0 : rows[index].needs,
            size: rows[index].size.known, isMoving: rows[index].isMoving)
    }

    /// Of those that hold a connection and write to the disk.
    private func needs(on disk: Int, except id: TransferID? = nil) -> [DiskSpace.Need] {
        var needs: [DiskSpace.Need] = []
        for other in active where other != id && rows[other.number - 1].history.disk == disk {
            needs.append(need(of: other))
        }
        return needs
    }

    private func hasSpace(for id: TransferID, on disk: Int) -> Bool {
        disks.hasSpace(for: need(of: id), on: disk, committed: disks.committed(needs(on: disk, except: id), on: disk))
    }

    /// A transfer starts: its disk is known, or asked for.
    mutating func noteDisk(of id: TransferID, at now: Moment) -> [QueueAction] {
        guard let index = index(of: id), rows[index].spec.direction == .down, !rows[index].isListing else { return [] }
        let folder = rows[index].spec.folder
        let (disk, asks) = disks.start(in: folder, at: now)
        update(id) { $0.history.disk = disk }
        return asks ? [.askSpace(folder: folder)] : []
    }

    /// Once the size is told: a file that cannot fit is not begun, or it would fill the disk for nothing.
    mutating func stopIfTooLarge(_ id: TransferID, at now: Moment) -> [QueueAction] {
        guard settings.spaceWait != .zero, let index = index(of: id),
            let disk = ask(index, { $0.isMoving && $0.needs > 0 ? $0.history.disk : nil }), !hasSpace(for: id, on: disk)
        else { return [] }
        return stopForSpace(id, on: disk, at: now)
    }

    private mutating func stopForSpace(_ id: TransferID, on disk: Int, at now: Moment) -> [QueueAction] {
        let closings = self[id]?.closings(discarding: false) ?? []
        disks.wait(id, on: disk)
        change(id, at: now, .awaitingSpace(folder: self[id]?.spec.folder ?? "")) { transfer in
            transfer.waitAgain()
            transfer.awaitsSpace = true
            transfer.stopClock(at: now)
        }
        return closings
    }

    /// The answer to `askSpace`; where the free space cannot be read, the transfers that wait there may try.
    mutating func takeSpace(_ reading: DiskSpaceReading?, in folder: String, at now: Moment) -> [QueueAction] {
        guard let (disk, old) = disks.take(reading, for: folder, at: now) else { return [] }
        guard reading != nil else {
            releaseWaiting(on: disk, at: now)
            return []
        }
        if let old { move(folder, from: old, to: disk) }
        var actions: [QueueAction] = []
        // Transfers that do not fit any more stop before the disk is full.
        if !isEnding, settings.spaceWait != .zero {
            actions = disks.excess(on: disk, of: needs(on: disk)).flatMap { stopForSpace($0, on: disk, at: now) }
        }
        releaseWaiting(on: disk, at: now)
        if disks.waitingCount > 0 { feed.noteTotals() }
        return actions
    }

    /// The folder lies on another disk than it stood for.
    private mutating func move(_ folder: String, from old: Int, to new: Int) {
        let waiting = disks.waiting(on: old).filter { self[$0]?.spec.folder == folder }
        for id in active.union(waiting) where self[id]?.history.disk == old && self[id]?.spec.folder == folder {
            update(id) { $0.history.disk = new }
        }
        disks.moveWaiting(waiting, from: old, to: new)
    }

    /// Lets the waiting transfers go on that fit.
    private mutating func releaseWaiting(on disk: Int, at now: Moment) {
        let waiting = disks.waiting(on: disk).filter { self[$0]?.awaitsSpace ?? false }.map { need(of: $0) }
        let committed = disks.committed(needs(on: disk), on: disk)
        for id in disks.release(on: disk, waiting: waiting, committed: committed, at: now) {
            change(id, at: now, nil) { $0.awaitsSpace = false }
        }
    }

    /// Gives up what has waited for space long enough, in a run without a dashboard. Before anything is started: what is
    /// stopped with it (`--fail-fast`) need not begin first.
    mutating func failExpiredSpaceWaits(at now: Moment) -> [QueueAction] {
        guard !isEnding, disks.waitingCount > 0 else { return [] }
        let expired = disks.giveUp(after: settings.spaceWait, at: now).filter { self[$0]?.awaitsSpace ?? false }
        let actions = expired.flatMap { giveUp($0, spaceFailure(for: $0), at: now) }
        return actions + (!expired.isEmpty && settings.failsFast ? stopAll(at: now) : [])
    }

    private func spaceFailure(for id: TransferID) -> TransferFailure {
        guard let transfer = self[id] else { return .diskFull(folder: "") }
        guard let disk = transfer.history.disk, let free = disks.shortage(for: need(of: id), on: disk) else {
            return .diskFull(folder: transfer.spec.folder)
        }
        return .diskFull(folder: transfer.spec.folder, needs: ByteCount(bytes: transfer.needs), free: free)
    }

    mutating func watchDisks(at now: Moment) -> [QueueAction] {
        let (rows, active) = (rows, active)
        return disks.questions(at: now) { disk in active.contains { rows[$0.number - 1].history.disk == disk } }
            .map { .askSpace(folder: $0) }
    }
}
