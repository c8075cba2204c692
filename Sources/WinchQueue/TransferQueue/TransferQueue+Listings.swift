import WinchModel

/// What a transfer has named that lists a folder or is a Metalink, as far as it has come.
struct ListingProgress: Sendable {
    /// What has been let in.
    var found = Found()
    /// Pieces that are being let in.
    var out = 0
    /// The bytes of the listing, once it has ended.
    var size = ByteCount.zero
    /// What `FolderRules.mostFiles` and `mostFolders` leave out.
    var leftOut = (files: 0, folders: 0)
}

/// How many folders of each tree are in the list, and how many files, where the user limits them.
struct TreeSizes: Sendable {
    private struct Tree {
        var folders = 0
        var total = 0
        /// By the folder that has named them.
        var files: [TransferID: Int] = [:]
    }

    private var trees: [UInt64: Tree] = [:]

    func folders(of tree: UInt64) -> Int { trees[tree]?.folders ?? 0 }

    mutating func countFolder(of tree: UInt64, by change: Int) { trees[tree, default: Tree()].folders += change }

    func count(of tree: UInt64) -> Int { trees[tree]?.total ?? 0 }

    func count(by id: TransferID, in tree: UInt64) -> Int { trees[tree]?.files[id] ?? 0 }

    /// A folder that is listed again names what it has named before.
    mutating func note(_ count: Int, by id: TransferID, in tree: UInt64) {
        let more = count - self.count(by: id, in: tree)
        guard more > 0 else { return }
        trees[tree, default: Tree()].total += more
        trees[tree, default: Tree()].files[id] = count
    }
}

extension TransferState {
    /// Its listing has ended, and what it has named is being let in.
    @inline(__always) var awaitsEntries: Bool { isVerifying && listing != nil }

    /// What an attempt has found before it failed is wanted all the same, but not after a pause or a cancel, nor with
    /// `--fail-fast`.
    fileprivate func mayStillAdd(_ connection: ConnectionID, failsFast: Bool) -> Bool {
        if failsFast, isFailing { return false }
        return switch phase {
        case .failed where failsFast: false
        case .waiting, .active, .verifying, .backoff, .failed, .finished: connection.epoch == lastConnection.epoch
        case .paused, .cancelled: false
        }
    }
}

/// What a listing names becomes entries of the queue outside of it, and comes back.
extension TransferQueue {
    /// What a transport says of the listing of a folder. No byte of it is saved or counted.
    ///
    /// - Returns: `nil` for what listings have in common with files.
    mutating func takeListing(
        _ event: TransportEvent, of connection: Connection, at now: Moment
    ) -> [QueueAction]? {
        let id = connection.id.transfer
        let isOpen = connection.phase.isBeforeAnswer || connection.phase.isMoving
        switch event {
        case .found(let specs) where isOpen:
            beginListing(connection, at: now)
            let new = takeKnown(of: specs, by: id, at: now)
            guard !new.isEmpty else { return [] }
            update(id) { $0.listing?.out += 1 }
            return [.admit(new, by: connection.id, isLast: false)]
        case .listed(let specs, let size, let warning, let fingerprint) where isOpen:
            beginListing(connection, at: now)
            update(id) { $0.spec.folderOrder?.own = fingerprint }
            return takeListed(specs, by: connection, size: size, warning: warning, at: now)
        case .demanded, .mirrors, .opened, .moved, .ended, .durable, .verified, .bodyEnded, .finished, .found, .listed,
            .wrongPiece, .sent, .unsent, .placed, .replied:
            ignore()
        case .requested, .connected, .redirected, .warned, .failed, .stopped, .probed: return nil
        }
        return []
    }

    /// The host has let the connection in.
    private mutating func beginListing(_ connection: Connection, at now: Moment) {
        guard connection.phase.isBeforeAnswer else { return }
        change(connection.id.transfer, at: now, nil) { transfer in
            transfer.connections.change(connection.id) { $0.begin(at: 0) }
            transfer.listing = ListingProgress()
            transfer.warning = nil
        }
        noteAnswer(to: connection, isServed: true, at: now)
    }

    /// Counts what is in the list already, such as what an earlier attempt has found: it is not added again.
    ///
    /// Folders that were listed before this one are listed again: the user has named theirs once more.
    ///
    /// - Returns: the others.
    private mutating func takeKnown(
        of specs: [TransferSpec], by id: TransferID, at now: Moment
    ) -> [TransferSpec] {
        var new: [TransferSpec] = []
        var folders: [TransferID] = []
        for spec in specs {
            guard let known = listed(spec) else {
                new.append(spec)
                continue
            }
            if spec.isListing { folders.append(known) }
        }
        guard let index = index(of: id), rows[index].isListing, new.count < specs.count else { return new }
        let files = specs.count - new.count - folders.count
        update(id) { transfer in
            transfer.listing?.found.files += files
            transfer.listing?.found.folders += folders.count
        }
        for folder in folders { listAgain(folder, at: now) }
        noteTree(of: id)
        feed.noteChange(of: id)
        return new
    }

    private mutating func listAgain(_ id: TransferID, at now: Moment) {
        if case .finished? = self[id]?.phase { startAgain(id, at: now) }
    }

    /// A listing has ended, or a transfer turned out to be a Metalink. It is finished when what it has named is in the list.
    mutating func takeListed(
        _ specs: [TransferSpec], by connection: Connection, size: ByteCount, warning: TransferWarning?, at now: Moment
    ) -> [QueueAction] {
        let id = connection.id.transfer
        let new = takeKnown(of: specs, by: id, at: now)
        change(id, at: now, nil) { transfer in
            var listing = transfer.listing ?? ListingProgress()
            listing.size = size
            listing.out += 1
            if case .namesRefused(let count, _)? = warning { listing.found.refused += count }
            transfer.listing = listing
            transfer.warning = warning.map { $0.orGraver(transfer.warning) } ?? transfer.warning
            transfer.connections.change(connection.id) { $0.phase = .delivered }
            transfer.connections.removeAll(but: connection.id)
            transfer.phase = .verifying(isCancelling: false)
            transfer.stopClock(at: now)
        }
        return [.admit(new, by: connection.id, isLast: true)]
    }

    /// Entries that a transfer has named join the list: the files of a Metalink below it, what a folder has at the end, where it
    /// costs nothing but itself.
    ///
    /// A file that is in the list already is not added again, and not started again either: two Metalinks that name each other
    /// would have no end.
    mutating func take(
        _ admitted: Admitted, by connection: ConnectionID, isLast: Bool, at now: Moment
    ) -> [QueueAction] {
        let id = connection.transfer
        guard let index = index(of: id), rows[index].mayStillAdd(connection, failsFast: settings.failsFast)
        else { return ignoring() }
        let isListing = rows[index].isListing
        let new = admitted.additions.filter { listed($0.spec) == nil }
        let additions = isListing ? allowed(new, by: index) : new
        let first = rows.count
        // Before the transfer is finished, because it may be the last of the queue.
        var actions = add(additions, areFound: isListing, at: now)
        if !isListing {
            let added = (first..<rows.count).map { TransferID($0 + 1) }
            if let moved = schedule.place(added, below: id, removed: undo.removed) {
                feed.noteOrder()
                noteRanks(of: moved)
            }
        }
        actions += removeParts(inTheWayOf: additions.map(\.spec), at: now)
        guard ask(index, { $0.connections[connection] }) != nil, var listing = rows[index].listing else {
            // Its attempt is over, and there may be no other that counts them.
            noteTree(of: id) { $0 + additions.count { !$0.spec.isListing } }
            return actions
        }
        // What another piece has named meanwhile is not new, and is there all the same.
        let leftOut = new.count - additions.count
        let foldersLeftOut = new.count { $0.spec.isListing } - additions.count { $0.spec.isListing }
        let counted = isListing ? admitted.additions.count - leftOut : additions.count
        let folders = isListing ? admitted.additions.count { $0.spec.isListing } - foldersLeftOut : 0
        listing.found.files += counted - folders
        listing.found.folders += folders
        listing.found.unchanged += admitted.unchanged
        listing.found.unchangedBytes += admitted.unchangedBytes
        listing.leftOut.files += leftOut - foldersLeftOut
        listing.leftOut.folders += foldersLeftOut
        listing.out -= 1
        update(id) { $0.listing = listing }
        noteTree(of: id)
        feed.noteChange(of: id)
        // What else it names would be left out as well, and it may have no end.
        let isCut = rows[index].holdsSlot && listing.leftOut.files > 0
        guard isCut || rows[index].awaitsEntries && listing.out == 0 else { return actions }
        let warning: TransferWarning? =
            if isCut {
                .filesLeftOut(0)
            } else if listing.leftOut.files > 0 {
                // With as many files as the user wants, no further folder would have been listed either.
                .filesLeftOut(listing.leftOut.files)
            } else if listing.leftOut.folders > 0 {
                .foldersLeftOut(listing.leftOut.folders)
            } else {
                nil
            }
        if isCut { actions += rows[index].closings(discarding: false) }
        if let warning { change(id, at: now, nil) { $0.warning = warning } }
        finish(id, .listed(path: rows[index].name, listing.found), listing.size, at: now)
        return actions
    }
}

/// `--max-files`, and the most folders of a tree.
extension TransferQueue {
    /// Without the files and folders that are too many.
    private func allowed(_ additions: [Addition], by index: Int) -> [Addition] {
        guard let rules = rows[index].spec.folderOrder?.rules.value else { return additions }
        var files = rules.mostFiles.map { $0 - trees.count(of: rules.tree) } ?? .max
        var folders = rules.mostFolders - trees.folders(of: rules.tree)
        return additions.filter { addition in
            if addition.spec.isListing {
                folders -= 1
                return folders >= 0
            }
            files -= 1
            return files >= 0
        }
    }

    /// What a folder has named so far, or in an earlier run, counts for its tree.
    mutating func noteTree(of id: TransferID) {
        guard let transfer = self[id], transfer.isListing else { return }
        let earlier = if case .finished(let outcome) = transfer.phase { outcome.found } else { Found?.none }
        guard let found = transfer.listing?.found ?? earlier else { return }
        noteTree(of: id) { _ in found.files }
    }

    /// - Parameter files: how many the folder has named, from how many it had.
    private mutating func noteTree(of id: TransferID, _ files: (Int) -> Int) {
        guard let rules = self[id]?.spec.folderOrder?.rules.value, rules.mostFiles != nil else { return }
        trees.note(files(trees.count(by: id, in: rules.tree)), by: id, in: rules.tree)
    }

    /// - Parameter change: 1: a folder joins the list; -1: it leaves it.
    mutating func countFolder(_ transfer: TransferState, by change: Int) {
        guard let rules = transfer.spec.folderOrder?.rules.value else { return }
        trees.countFolder(of: rules.tree, by: change)
    }

    /// Before a start: a folder of a tree that has as many files as the user wants is not asked for.
    mutating func endIfTreeIsFull(_ id: TransferID, at now: Moment) -> Bool {
        guard let index = index(of: id), rows[index].isListing,
            let rules = rows[index].spec.folderOrder?.rules.value, let most = rules.mostFiles,
            trees.count(of: rules.tree) >= most
        else { return false }
        change(id, at: now, nil) { $0.warning = .filesLeftOut(0) }
        // It may have named some before it was paused, or failed.
        let found = Found(files: trees.count(by: id, in: rules.tree))
        finish(id, .listed(path: rows[index].name, found), .zero, at: now)
        return true
    }
}

/// What was taken for a file turns out to be a folder.
extension TransferQueue {
    /// A failed transfer whose URL is that of a folder lists it, and starts again.
    mutating func list(_ id: TransferID, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id], case .failed(let failure) = transfer.phase, failure.unwantedFolder != nil,
            !transfer.isListing, let start = transfer.url.asFolder
        else { return ignoring() }
        let order = FolderOrder(rules: Shared(FolderRules(tree: nextRandom(), start: start)))
        let actions = becomeListing(id, start, order, at: now)
        retry(id, at: now)
        return actions
    }

    /// An entry of a listing that may be a link is asked for as a file first. Where it is a folder, that is listed by the rules of
    /// its tree, unless it is too deep or one too many. Only files are listed with a size: one for which the server opens a folder
    /// is another than that folder.
    ///
    /// - Returns: `nil`: it is none, or its tree is not known any more.
    mutating func listInstead(_ connection: Connection, _ failure: TransferFailure, at now: Moment) -> [QueueAction]? {
        let id = connection.id.transfer
        guard failure.unwantedFolder != nil, let transfer = self[id], !transfer.isListing,
            transfer.spec.isOfTree, transfer.spec.listedVersion?.size == nil, let url = transfer.url.asFolder,
            var order = orderOfParent(of: transfer)
        else { return nil }
        order.level += 1
        if let path = order.path, let name = url.pathText.split(separator: "/").last { order.path = "\(path)\(name)/" }
        order.isLink = true
        // The link may lead to the folder that it is in, whose listing may still go on: one for each level all the same.
        order.ancestors.append(order.own ?? .max)
        order.own = nil
        var next = transfer
        next.becomeListing(of: url, order)
        // An earlier listing of the folder that it is in has named the link as well.
        let known = listed(next.spec)
        tellEnd(of: connection, failure, at: now)
        change(id, at: now, .retrying(in: .zero, failure: failure)) { transfer in
            transfer.connections.removeAll()
            transfer.phase = .waiting
            transfer.history.forgetTry()
        }
        let actions = becomeListing(id, url, order, at: now)
        if let known { listAgain(known, at: now) }
        let rules = order.rules.value
        let isTooDeep = rules.depth.map { order.level >= $0 } ?? false
        let isTooMany = trees.folders(of: rules.tree) > rules.mostFolders
        if known == nil, !isTooDeep, isTooMany { change(id, at: now, nil) { $0.warning = .foldersLeftOut(0) } }
        if known != nil || isTooDeep || isTooMany { finish(id, .listed(path: next.name, Found()), .zero, at: now) }
        return actions
    }

    private func orderOfParent(of transfer: TransferState) -> FolderOrder? {
        let text = transfer.url.text
        guard let slash = text.lastIndex(of: "/"), let url = try? TransferURL(text[...slash]) else { return nil }
        var parent = TransferSpec(urls: [url], folder: transfer.spec.folder, settings: transfer.spec.settings)
        parent.folderOrder = FolderOrder(rules: Shared(FolderRules(tree: 0, start: url)))
        return listed(parent).flatMap { self[$0]?.spec.folderOrder }
    }

    private mutating func becomeListing(
        _ id: TransferID, _ url: TransferURL, _ order: FolderOrder, at now: Moment
    ) -> [QueueAction] {
        guard let transfer = self[id] else { return [] }
        change(id, at: now, nil, cause: .retried) { $0.becomeListing(of: url, order) }
        if let folder = self[id] { countFolder(folder, by: 1) }
        noteWanted(id)
        ledger?.noteNow(id)
        return transfer.resume.map { [transfer.discarding($0)] } ?? []
    }
}

extension TransferWarning {
    /// So many files and folders that the user wants are not downloaded; a folder that is not looked at is one.
    var leftOut: Int {
        switch self {
        case .filesLeftOut(let count), .foldersLeftOut(let count), .namesRefused(let count, _): max(1, count)
        default: 0
        }
    }
}
