import WinchModel

/// The rows of the list by the folder that they are saved in or sent from, with the sums of each folder and of all below it.
///
/// A changed or appended row costs its depth, opening and closing a folder the lines; only `arrange` walks all rows.
/// A folder that holds nothing but one other folder has no line of its own: `a/b` is one line. Nor has a row that lists a
/// folder, unless it failed or was cancelled: the folder's line shows its state, where there is one.
struct FolderTree: Sendable {
    private struct Node: Sendable {
        let name: String
        /// Less than its own index.
        let parent: Int
        /// By name since `lines`; those of the root by their place in the queue.
        var children: [Int] = []
        var isSorted = true
        /// `nil`: the user has not chosen. Then the folders of the first level are open.
        var isOpen: Bool?
        /// The number of rows directly in it that have a line.
        var own = 0
        /// The number of its folders that have rows in them or below, and the sum of their indices: of one folder its index.
        var filled = (count: 0, sum: 0)
        var sums = FolderSums()
        /// The rows directly in it that the list shows and that have a line.
        var rows: [TransferID] = []
        /// The number of rows in it and below it that the list shows.
        var shown = 0
        /// The row that lists it, until that is finished; of several one that has not ended.
        var listing: TransferID?
    }

    private struct Entry: Sendable {
        var share = FolderSums.Share()
        /// The index of its node; -1: there is no such row.
        var folder: Int32 = -1
    }

    private struct Motion: Sendable {
        /// Bytes a second.
        var rate: Double
        var finish: Moment?
        /// `nil`: both.
        var direction: Direction?
    }

    private struct ChildKey: Hashable {
        let parent: Int
        let name: ExactText
    }

    /// The first is the root, which has no line. Folders without rows stay: their ids and what the user has opened do, too.
    private var nodes = [Node(name: "", parent: 0)]
    private var children: [ChildKey: Int] = [:]
    /// By the text of a row's folder.
    private var folders: [ExactText: Int] = [:]
    private var last: (text: String, node: Int) = ("", 0)
    /// By transfer number, from `firstNumber` on.
    private var entries: [Entry] = []
    private var firstNumber = 0
    /// The rows whose bytes move: at most one for each slot.
    private var moving: [TransferID: Motion] = [:]
    /// Folders of the first level that had no rows when those were ordered last.
    private var newTops: Set<Int> = []
    private(set) var withoutLine: TransferSet = []
    /// All folders are open, whatever the user chose.
    private(set) var isAllOpen = false

    init(_ board: QueueCopy) { board.visit { row, _ in put(row) } }

    // MARK: Rows

    /// Applies an update that is on the board already.
    ///
    /// - Returns: lines have left or changed their folder: `arrange` is due. Those that have joined are for `append`.
    mutating func take(_ update: Update, _ board: QueueCopy) -> Bool {
        if update.base == nil {
            for index in entries.indices { take(out: index) }
            (entries, moving, withoutLine) = ([], [:], [])
            board.visit { row, _ in put(row) }
            return true
        }
        var isChanged = false
        for id in update.removed {
            guard let index = index(of: id) else { continue }
            take(out: index)
            moving[id] = nil
            withoutLine.remove(id)
            isChanged = true
        }
        for row in update.rows.values where put(row) { isChanged = true }
        return isChanged
    }

    /// - Returns: the row has changed its folder, or has got or lost its line.
    @discardableResult private mutating func put(_ row: TransferSnapshot) -> Bool {
        guard (0..<Self.mostNumber).contains(row.id.number) else { return false }
        let folder = node(of: row.localFolder)
        note(row)
        noteListing(row, of: folder)
        let (index, share) = (makeIndex(for: row.id.number), FolderSums.Share(of: row))
        if hasLine(share, in: folder) { withoutLine.remove(row.id) } else { withoutLine.insert(row.id) }
        let old = entries[index]
        guard Int(old.folder) != folder else {
            guard share != old.share else { return false }
            entries[index].share = share
            add(share, old.share, to: folder)
            return hasLine(share, in: folder) != hasLine(old.share, in: folder)
        }
        take(out: index)
        entries[index] = Entry(share: share, folder: Int32(truncatingIfNeeded: folder))
        add(share, nil, to: folder)
        return old.folder >= 0
    }

    private mutating func take(out index: Int) {
        let entry = entries[index]
        guard entry.folder >= 0 else { return }
        entries[index] = Entry()
        let folder = Int(entry.folder)
        if nodes[folder].listing == TransferID(firstNumber + index) { nodes[folder].listing = nil }
        add(nil, entry.share, to: folder)
    }

    private func hasLine(_ share: FolderSums.Share, in folder: Int) -> Bool { folder == 0 || !share.isListing }

    private mutating func add(_ new: FolderSums.Share?, _ old: FolderSums.Share?, to folder: Int) {
        if let old, hasLine(old, in: folder) { nodes[folder].own -= 1 }
        if let new, hasLine(new, in: folder) { nodes[folder].own += 1 }
        var node = folder
        while true {
            let wasEmpty = nodes[node].sums.rows == 0
            if let old { nodes[node].sums.add(old, -1) }
            if let new { nodes[node].sums.add(new, 1) }
            guard node > 0 else { return }
            let (parent, isEmpty) = (nodes[node].parent, nodes[node].sums.rows == 0)
            if isEmpty != wasEmpty {
                nodes[parent].filled.count += isEmpty ? -1 : 1
                nodes[parent].filled.sum += isEmpty ? -node : node
                if parent == 0, !isEmpty { newTops.insert(node) }
            }
            node = parent
        }
    }

    private mutating func note(_ row: TransferSnapshot) {
        if row.phase == .moving, !row.isSilent, let rate = row.rate?.perSecond, rate.isFinite {
            moving[row.id] = Motion(rate: max(0, rate), finish: row.finish, direction: row.direction)
        } else if !moving.isEmpty {
            moving[row.id] = nil
        }
    }

    private mutating func noteListing(_ row: TransferSnapshot, of folder: Int) {
        guard row.isListing else { return }
        let known = nodes[folder].listing
        if case .finished = row.phase {
            if known == row.id { nodes[folder].listing = nil }
        } else if known.flatMap({ index(of: $0) }).map({ entries[$0].share.state.isSettled }) ?? true {
            nodes[folder].listing = row.id
        }
    }

    private func index(of id: TransferID) -> Int? {
        // A number from a client may be any.
        let index = id.number &- firstNumber
        return entries.indices.contains(index) && entries[index].folder >= 0 ? index : nil
    }

    private mutating func makeIndex(for number: Int) -> Int {
        if entries.isEmpty { firstNumber = number }
        if number < firstNumber {
            // By as much again, so that rows that come in descending order cost no more.
            let more = min(firstNumber, max(firstNumber - number, entries.count))
            entries.insert(contentsOf: repeatElement(Entry(), count: more), at: 0)
            firstNumber -= more
        }
        let missing = number - firstNumber + 1 - entries.count
        if missing > 0 { entries += repeatElement(Entry(), count: missing) }
        return number - firstNumber
    }

    /// As `TransferSet`: a larger number comes from a client, and room for it would end the process.
    private static let mostNumber = 1 << 28

    // MARK: Folders

    private mutating func node(of text: String) -> Int {
        // Most rows are in the folder of the row before.
        if text.utf8.elementsEqual(last.text.utf8) { return last.node }
        let key = ExactText(text)
        let node: Int
        if let known = folders[key] {
            node = known
        } else {
            var found = text.hasPrefix("/") ? child("/", of: 0) : 0
            for part in text.split(separator: "/") where part != "." { found = child(String(part), of: found) }
            folders[key] = found
            node = found
        }
        last = (text, node)
        return node
    }

    private mutating func child(_ name: String, of parent: Int) -> Int {
        let key = ChildKey(parent: parent, name: ExactText(name))
        if let known = children[key] { return known }
        let node = nodes.count
        nodes.append(Node(name: name, parent: parent))
        nodes[parent].children.append(node)
        nodes[parent].isSorted = false
        children[key] = node
        return node
    }

    /// The folder in which it is the only thing: such a folder has no line.
    private func isAlone(_ node: Int) -> Bool {
        let parent = nodes[node].parent
        return parent > 0 && onlyChild(of: parent) == node
    }

    /// Of a folder that holds one folder and no row.
    private func onlyChild(of node: Int) -> Int? {
        nodes[node].own == 0 && nodes[node].filled.count == 1 ? nodes[node].filled.sum : nil
    }

    /// The uppermost of the folders that share its line.
    private func top(of node: Int) -> Int {
        var node = node
        while isAlone(node) { node = nodes[node].parent }
        return node
    }

    /// The folder that has the line for this one.
    private func header(of node: Int) -> Int {
        var node = node
        while let child = onlyChild(of: node) { node = child }
        return node
    }

    private func level(of node: Int) -> Int {
        var (node, level) = (node, 0)
        while node > 0, nodes[node].parent > 0 {
            if !isAlone(node) { level += 1 }
            node = nodes[node].parent
        }
        return level
    }

    private func isOpen(_ node: Int) -> Bool { isAllOpen || nodes[node].isOpen ?? (level(of: node) == 0) }

    private static func joined(_ parent: String, _ name: String) -> String {
        parent == "/" ? parent + name : "\(parent)/\(name)"
    }
}

extension FolderTree {
    /// Takes over the rows that the list shows.
    ///
    /// - Parameters:
    ///   - rows: in the order that they have within their folders.
    ///   - queue: all rows in the queue's order, which the folders of the first level follow; others are sorted by name.
    ///   - isAllOpen: all folders are open: the list shows the few rows that match something.
    /// - Returns: the lines from top to bottom: rows, and folders by their ids.
    mutating func arrange(_ rows: [TransferID], queue: [TransferID], isAllOpen: Bool) -> [TransferID] {
        self.isAllOpen = isAllOpen
        for node in nodes.indices {
            nodes[node].rows.removeAll(keepingCapacity: true)
            nodes[node].shown = 0
        }
        newTops = Set(nodes[0].children)
        append(rows, queue: queue)
        return lines()
    }

    /// Takes over rows that have joined the end of the queue, and of the list. `lines` are due.
    ///
    /// - Parameters:
    ///   - rows: those that the list shows.
    ///   - queue: all of them.
    mutating func append(_ rows: [TransferID], queue: [TransferID]) {
        for id in rows {
            guard let index = index(of: id) else { continue }
            var node = Int(entries[index].folder)
            if hasLine(entries[index].share, in: node) { nodes[node].rows.append(id) }
            nodes[node].shown += 1
            while node > 0 {
                node = nodes[node].parent
                nodes[node].shown += 1
            }
        }
        orderTops(by: queue)
    }

    /// Moves the new folders of the first level behind the others, in the order of their first rows.
    private mutating func orderTops(by queue: [TransferID]) {
        guard !newTops.isEmpty else { return }
        var missing = newTops.filter { nodes[$0].sums.rows > 0 }
        var found: [Int] = []
        for id in queue {
            guard !missing.isEmpty else { break }
            guard let index = index(of: id) else { continue }
            var node = Int(entries[index].folder)
            while nodes[node].parent > 0 { node = nodes[node].parent }
            if missing.remove(node) != nil { found.append(node) }
        }
        let tops = newTops
        nodes[0].children.removeAll { tops.contains($0) }
        nodes[0].children += found + tops.subtracting(found).sorted()
        newTops = []
    }

    mutating func lines() -> [TransferID] {
        for node in nodes.indices.dropFirst() where !nodes[node].isSorted {
            nodes[node].children = nodes[node].children.sorted { nodes[$0].name < nodes[$1].name }
            nodes[node].isSorted = true
        }
        var lines: [TransferID] = []
        append(below: 0, to: &lines)
        return lines
    }

    private func append(below node: Int, to lines: inout [TransferID]) {
        lines += nodes[node].rows
        for child in nodes[node].children where nodes[child].shown > 0 {
            let header = header(of: child)
            lines.append(TransferID(folder: header))
            if isOpen(header) { append(below: header, to: &lines) }
        }
    }

    /// Opens or closes a folder.
    ///
    /// - Parameter lines: what `lines` has returned last; those below the folder are inserted or removed.
    /// - Returns: the range of the inserted or removed lines; `nil`: nothing has changed.
    mutating func setOpen(_ isOpen: Bool, _ id: TransferID, in lines: inout [TransferID]) -> Range<Int>? {
        guard !isAllOpen, let node = node(of: id), self.isOpen(node) != isOpen, let place = lines.firstIndex(of: id)
        else { return nil }
        var below: [TransferID] = []
        append(below: node, to: &below)
        nodes[node].isOpen = isOpen
        let range = place + 1..<place + 1 + below.count
        if isOpen {
            lines.insert(contentsOf: below, at: range.lowerBound)
        } else {
            guard range.upperBound <= lines.count else { return nil }
            lines.removeSubrange(range)
        }
        return range
    }

    /// Opens all folders that a row is in. `lines` are due.
    mutating func open(to id: TransferID) {
        guard let index = index(of: id) else { return }
        var node = Int(entries[index].folder)
        while node > 0 {
            nodes[node].isOpen = true
            node = nodes[node].parent
        }
    }

    /// The index of a folder's node; `nil` for the id of a row.
    private func node(of id: TransferID) -> Int? {
        guard id.number < 0, id.number > -nodes.count else { return nil }
        return -id.number
    }
}

extension FolderTree {
    /// The number of rows, also those without a line.
    var count: Int { nodes[0].sums.rows }
    var sums: FolderSums { nodes[0].sums }

    /// The folder of a line; `nil`: the line is a row.
    ///
    /// - Parameter guess: see `FolderSums.guess`.
    func folder(_ id: TransferID, guess: Int64) -> FolderLine? {
        guard let node = node(of: id) else { return nil }
        var (name, top, listing) = (nodes[node].name, node, nodes[node].listing)
        while isAlone(top) {
            top = nodes[top].parent
            name = Self.joined(nodes[top].name, name)
            listing = listing ?? nodes[top].listing
        }
        let motion = self.motion(below: top)
        return FolderLine(
            id: id, name: name, level: level(of: node), isOpen: isOpen(node), sums: nodes[top].sums, guess: guess,
            rate: (motion?.rate).map(ByteRate.init(perSecond:)), finish: motion?.finish, direction: motion?.direction,
            listing: listing)
    }

    /// The path of a folder, as it was given.
    func path(_ id: TransferID) -> String? {
        guard var node = node(of: id) else { return nil }
        var path = nodes[node].name
        while nodes[node].parent > 0 {
            node = nodes[node].parent
            path = Self.joined(nodes[node].name, path)
        }
        return path
    }

    /// The level of a row's line: one more than that of its folder.
    func level(ofRow id: TransferID) -> Int {
        guard let index = index(of: id), entries[index].folder > 0 else { return 0 }
        return level(of: Int(entries[index].folder)) + 1
    }

    func isOpen(_ id: TransferID) -> Bool { node(of: id).map(isOpen) ?? false }

    /// A settled row, a closed folder with settled rows alone, or an open folder.
    func isSettled(_ id: TransferID) -> Bool {
        if let index = index(of: id) { return entries[index].share.state.isSettled }
        guard let node = node(of: id) else { return true }
        return isOpen(node) || nodes[top(of: node)].sums.allSettled
    }

    /// The folder that has the line which a line is indented below; `nil` on the first level.
    func parent(_ id: TransferID) -> TransferID? {
        if let index = index(of: id) {
            let folder = Int(entries[index].folder)
            return folder > 0 ? TransferID(folder: header(of: folder)) : nil
        }
        guard let node = node(of: id) else { return nil }
        let parent = nodes[top(of: node)].parent
        return parent > 0 ? TransferID(folder: parent) : nil
    }

    /// The rows of a folder's line and below it that are in one of these states, in the order of adding.
    func rows(_ id: TransferID, in states: Set<RowState> = Set(RowState.allCases)) -> [TransferID] {
        // The folders that share its line may be listed as well.
        guard let node = node(of: id).map(top(of:)) else { return [] }
        var isBelow = [Bool](repeating: false, count: nodes.count)
        isBelow[node] = true
        // A folder comes after its parent.
        for other in nodes.indices.dropFirst(node + 1) { isBelow[other] = isBelow[nodes[other].parent] }
        let isWanted = RowState.allCases.map(states.contains)
        var rows: [TransferID] = []
        rows.reserveCapacity(nodes[node].sums.rows)
        for (offset, entry) in entries.enumerated()
        where entry.folder >= 0 && isBelow[Int(entry.folder)] && isWanted[Int(entry.share.state.rawValue)] {
            rows.append(TransferID(firstNumber + offset))
        }
        return rows
    }

    /// Whether all lines of rows that a closed folder hides are among these.
    func isTagged(_ id: TransferID, _ tags: TransferSet) -> Bool {
        guard let node = node(of: id), !isOpen(node), !tags.isEmpty else { return false }
        guard nodes[node].sums.count > 0 else { return rows(id).allSatisfy { tags.contains($0) } }
        return areTagged(node, tags)
    }

    private func areTagged(_ node: Int, _ tags: TransferSet) -> Bool {
        nodes[node].rows.allSatisfy { tags.contains($0) }
            && nodes[node].children.allSatisfy { nodes[$0].shown == 0 || areTagged($0, tags) }
    }

    /// The rate and the direction of the rows whose bytes move, and the end of the last of them; `nil`: none does.
    private func motion(below node: Int) -> Motion? {
        var whole: Motion?
        for (id, motion) in moving {
            guard let index = index(of: id) else { continue }
            var folder = Int(entries[index].folder)
            while folder > node { folder = nodes[folder].parent }
            guard folder == node else { continue }
            guard var sum = whole else {
                whole = motion
                continue
            }
            sum.rate += motion.rate
            sum.finish = [sum.finish, motion.finish].compactMap(\.self).max()
            if sum.direction != motion.direction { sum.direction = nil }
            whole = sum
        }
        return whole
    }
}

extension TransferID {
    /// The id of a folder's line: a negative number, which no transfer has. It never leaves the screen: commands get the rows
    /// of the folder.
    ///
    /// - Parameter folder: the index of the folder, above 0.
    init(folder: Int) { self.init(-folder) }
}
