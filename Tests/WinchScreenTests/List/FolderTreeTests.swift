import TestSupport
import Testing

@testable import WinchModel
@testable import WinchScreen

@Suite struct `Rows by folder` {
    /// A list of rows that changes at random, as the board and as the tree see it.
    private struct Stream {
        static let texts = ["", ".", "a", "a/", "./a/b", "a/b/c", "a/d", "/x/y", "/x/z", "/", "e//f"]

        var random: SplitMix64
        var rows: [TransferSnapshot] = []
        var board = QueueCopy()
        var tree = FolderTree(QueueCopy())
        private var largest = 0

        init(seed: UInt64) { random = SplitMix64(seed: seed) }

        mutating func step() {
            var update = Update(at: .at(0))
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                for _ in 0..<Int.random(in: 1...9, using: &random) {
                    largest += 1
                    rows.append(row(largest))
                }
                update.order = .whole(rows.map(\.id))
            case 1:
                update.removed = rows.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }.map(\.id)
                rows.removeAll { update.removed.contains($0.id) }
                update.order = .whole(rows.map(\.id))
            case 2:
                rows.shuffle(using: &random)
                update.order = .whole(rows.map(\.id))
                if Bool.random(using: &random) { update.base = nil }
            default:
                for index in rows.indices where Int.random(in: 0..<3, using: &random) == 0 {
                    rows[index] = row(rows[index].id.number)
                }
            }
            update.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
            board.apply(update)
            _ = tree.take(update, board)
        }

        private mutating func row(_ number: Int) -> TransferSnapshot {
            let phases: [TransferPhase] = [
                .waiting(.slot), .waiting(.held), .connecting, .moving, .paused, .verifying,
                .finished(.saved(path: "x")), .failed(.httpStatus(404)), .cancelled,
            ]
            let size: Int64? = Bool.random(using: &random) ? 1000 : nil
            var row = TransferSnapshot.sample(
                number, "file-\(number)", phases.randomElement(using: &random) ?? .connecting,
                have: Int64.random(in: 0...1, using: &random) * 400, of: size, rate: 10)
            if case .finished = row.phase {
                (row.have, row.size) = (ByteCount(bytes: 70), .exact(ByteCount(bytes: 70)))
            }
            row.folder = Self.texts.randomElement(using: &random) ?? ""
            if Int.random(in: 0..<5, using: &random) == 0 { (row.name, row.have, row.rate) = ("x/", .zero, nil) }
            return row
        }
    }

    private static func parts(_ row: TransferSnapshot) -> [String] {
        (row.folder.hasPrefix("/") ? ["/"] : [])
            + row.folder.split(separator: "/").map(String.init).filter { $0 != "." }
    }

    /// It lists a folder: the queue does not count it.
    private static func isListing(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .failed, .cancelled: false
        default: row.isListing
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `have the sums of a plain fold, and those of all rows are the queue's`(seed: UInt64) {
        var stream = Stream(seed: seed)
        for _ in 0..<300 {
            stream.step()
            let totals = QueueTotals.counted(stream.rows.filter { !Self.isListing($0) })
            let guess = stream.tree.sums.guess(totals)
            expectEqual(stream.tree.sums.completed, totals.completed, "seed \(seed)")
            expectEqual(stream.tree.sums.total(guess: guess), totals.total, "seed \(seed)")
            let lines = stream.tree.arrange(
                stream.rows.map(\.id), queue: stream.board.order, isAllOpen: true)
            let lined = stream.rows.filter { !Self.isListing($0) || Self.parts($0).isEmpty }
            expectEqual(lines.filter { $0.number > 0 }.sorted(), lined.map(\.id).sorted(), "seed \(seed)")
            for id in lines where id.number < 0 {
                guard let folder = stream.tree.folder(id, guess: guess), let path = stream.tree.path(id) else {
                    Issue.record("no folder \(id), seed \(seed)")
                    continue
                }
                var probe = TransferSnapshot.sample(0, "")
                probe.folder = path
                var wanted = Self.parts(probe)
                // The folders that share the line hold nothing else, but may be listed.
                probe.folder = folder.name
                wanted.removeLast(Self.parts(probe).count - 1)
                let rows = stream.rows.filter { Self.parts($0).starts(with: wanted) }
                expectEqual(stream.tree.rows(id), rows.map(\.id).sorted(), "\(path), seed \(seed)")
                let counted = rows.filter { !Self.isListing($0) }
                expectEqual(folder.sums.count, counted.count)
                expectEqual(folder.completed, rows.reduce(0) { $0 + FolderSums.Share(of: $1).completed })
                expectEqual(folder.sums.settled, counted.count { $0.phase.isSettled })
                expectEqual(folder.sums.allSettled, rows.allSatisfy { $0.phase.isSettled })
                expectEqual(folder.sums.allSettled, folder.fraction.value == 1)
                expectEqual(
                    folder.rate.map { Int($0.perSecond) } ?? 0, counted.count { $0.phase == .moving } * 10)
            }
        }
    }

    private static func board(_ folders: [String]) -> QueueCopy {
        .of(
            folders.enumerated().map { index, folder in
                var row = TransferSnapshot.sample(index + 1, "file-\(index + 1)", of: 100)
                row.folder = folder
                return row
            })
    }

    /// The lines with two blanks a level: names of folders, numbers of rows.
    private static func words(_ lines: [TransferID], _ tree: FolderTree) -> [String] {
        lines.map { id in
            guard let folder = tree.folder(id, guess: 0) else {
                return String(repeating: "  ", count: tree.level(ofRow: id)) + "\(id.number)"
            }
            return String(repeating: "  ", count: folder.level) + folder.name + (folder.isOpen ? " -" : " +")
        }
    }

    @Test func `stand below their folders, rows first, then folders by name, on the first level as in the queue`() {
        let board = Self.board(["z", "a/q", "a/p/s", "", "a", "z"])
        var tree = FolderTree(board)
        var lines = tree.arrange(board.order, queue: board.order, isAllOpen: false)
        expectEqual(Self.words(lines, tree), ["4", "z -", "  1", "  6", "a -", "  5", "  p/s +", "  q +"])
        lines = tree.arrange(board.order.reversed(), queue: board.order.reversed(), isAllOpen: true)
        expectEqual(
            Self.words(lines, tree),
            ["4", "z -", "  6", "  1", "a -", "  5", "  p/s -", "    3", "  q -", "    2"])
    }

    @Test func `share a line with the folders that hold nothing else`() {
        let board = Self.board(["/home/me/haul/b", "/home/me/haul/a"])
        var tree = FolderTree(board)
        let lines = tree.arrange(board.order, queue: board.order, isAllOpen: false)
        expectEqual(Self.words(lines, tree), ["/home/me/haul -", "  a +", "  b +"])
        expectEqual(tree.path(lines[1]), "/home/me/haul/a")
        expectEqual(tree.parent(lines[1]), lines[0])
        expectNil(tree.parent(lines[0]))
        expectEqual(tree.parent(TransferID(1)), lines[2])
    }

    @Test func `appear and vanish with their folder as if the whole list were made anew`() {
        var random = SplitMix64(seed: 5)
        let board = Self.board((0..<200).map { _ in Stream.texts.randomElement(using: &random) ?? "" })
        var tree = FolderTree(board)
        var lines = tree.arrange(board.order, queue: board.order, isAllOpen: false)
        for _ in 0..<300 {
            guard let folder = lines.filter({ $0.number < 0 }).randomElement(using: &random) else { break }
            let isOpen = tree.isOpen(folder)
            expect(tree.setOpen(!isOpen, folder, in: &lines) != nil)
            expectEqual(tree.isOpen(folder), !isOpen)
            var other = tree
            expectEqual(lines, other.arrange(board.order, queue: board.order, isAllOpen: false))
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `join at the end as if the whole list were made anew`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var board = QueueCopy()
        var tree = FolderTree(board)
        _ = tree.arrange([], queue: [], isAllOpen: false)
        var largest = 0
        for step in 1...100 {
            var update = Update(at: .at(0))
            if step % 8 == 0 {
                update.removed = board.order.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
                let removed = TransferSet(update.removed)
                update.order = .whole(board.order.filter { !removed.contains($0) })
            } else {
                var added: [TransferID] = []
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    largest += 1
                    var row = TransferSnapshot.sample(largest, "file-\(largest)", of: 100)
                    row.folder = Stream.texts.randomElement(using: &random) ?? ""
                    update.rows[row.id] = row
                    added.append(row.id)
                }
                update.order = .appended(added)
            }
            board.apply(update)
            expectEqual(tree.take(update, board), !update.removed.isEmpty, "seed \(seed)")
            var other = tree
            let wanted = other.arrange(board.order, queue: board.order, isAllOpen: false)
            if case .appended(let added)? = update.order {
                tree.append(added, queue: added)
                expectEqual(tree.lines(), wanted, "seed \(seed)")
            } else {
                tree = other
            }
        }
    }
}
