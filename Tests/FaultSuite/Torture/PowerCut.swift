import Foundation

/// Changes a program's files to what a power loss would have left of them, by the journal that the preloaded library
/// has written.
///
/// `PowerLoss.h` describes the model. Which of the unsynced changes have reached the disk is random.
struct PowerCut {
    /// Absolute paths.
    let roots: [String]
    let journal: String

    private enum Entry {
        case created(String, inode: UInt64)
        case linked(String, inode: UInt64)
        case renamed(String, String, inode: UInt64, kept: String?)
        case removed(String, kept: String?)
        /// `copy` is the name of a copy of the synced bytes.
        case synced(inode: UInt64, copy: String)
        case committed

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            func kept(_ name: String) -> String? { name == "-" ? nil : name }
            switch (fields.first, fields.count) {
            case ("C", 3): self = .created(fields[1], inode: UInt64(fields[2]) ?? 0)
            case ("L", 3): self = .linked(fields[1], inode: UInt64(fields[2]) ?? 0)
            case ("R", 5): self = .renamed(fields[1], fields[2], inode: UInt64(fields[3]) ?? 0, kept: kept(fields[4]))
            case ("U", 4): self = .removed(fields[1], kept: kept(fields[3]))
            case ("S", 3): self = .synced(inode: UInt64(fields[1]) ?? 0, copy: fields[2])
            case ("M", 1): self = .committed
            // Removed attributes ("A") are safe at once.
            default: return nil
            }
        }
    }

    /// How much of the unsynced content has reached the disk.
    private enum Luck: CaseIterable { case none, some, all }

    /// The program must be dead. Afterwards the journal is empty, and everything on disk counts as synced.
    ///
    /// - Returns: bytes that were lost, in whole pages but at the end of a file.
    func happen(using random: inout some RandomNumberGenerator) throws -> Int64 {
        let text = (try? String(contentsOfFile: journal + "/journal", encoding: .utf8)) ?? ""
        let entries = text.split(separator: "\n").compactMap(Entry.init)
        undoNames(entries, using: &random)
        var safe: [UInt64: String] = [:]
        for entry in entries {
            switch entry {
            case .synced(let inode, let copy): safe[inode] = copy
            // The inode number may have belonged to a deleted file.
            case .created(_, let inode): safe[inode] = nil
            case .linked, .renamed, .removed, .committed: break
            }
        }
        let luck: Luck = [.none, .none, .some, .some, .all].randomElement(using: &random) ?? .none
        var lost: Int64 = 0
        for path in files {
            if path.hasSuffix("-shm") {
                unlink(path)
                continue
            }
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let base = safe[UInt64(status.st_ino)].flatMap { FileManager.default.contents(atPath: journal + "/" + $0) }
            lost += try cut(path, to: base ?? Data(), luck, using: &random)
        }
        try start()
        return lost
    }

    /// Begins a new journal, in which everything on disk counts as synced.
    func start() throws {
        try? FileManager.default.removeItem(atPath: journal)
        try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: true)
        var lines = ""
        for (number, path) in files.enumerated() {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            try FileManager.default.copyItem(atPath: path, toPath: journal + "/base.\(number)")
            lines += "S\t\(status.st_ino)\tbase.\(number)\n"
        }
        try Data((lines + "M\n").utf8).write(to: URL(fileURLWithPath: journal + "/journal"))
    }

    private var files: [String] {
        roots.flatMap { root in
            (FileManager.default.subpaths(atPath: root) ?? []).sorted().map { root + "/" + $0 }
        }
    }

    /// Picks a random place in the journal behind its last sync, and undoes, last first, the changes of names after it.
    private func undoNames(_ entries: [Entry], using random: inout some RandomNumberGenerator) {
        let committed = entries.lastIndex { if case .committed = $0 { true } else { false } }.map { $0 + 1 } ?? 0
        let end = Int.random(in: committed...entries.count, using: &random)
        for entry in entries[end...].reversed() {
            switch entry {
            case .created(let path, let inode), .linked(let path, let inode):
                if self.inode(of: path) == inode { unlink(path) }
            case .renamed(let old, let new, let inode, let kept):
                guard self.inode(of: new) == inode else { continue }
                rename(new, old)
                if let kept { rename(journal + "/" + kept, new) }
            case .removed(let path, let kept):
                if let kept { rename(journal + "/" + kept, path) }
            case .synced, .committed: break
            }
        }
    }

    private func inode(of path: String) -> UInt64? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Mixes synced and later content, page by page. Written in place: the file keeps its inode and its attributes.
    private func cut(_ path: String, to base: Data, _ luck: Luck, using random: inout some RandomNumberGenerator) throws
        -> Int64
    {
        let now = try Data(contentsOf: URL(fileURLWithPath: path))
        guard now != base, luck != .all else { return 0 }
        let shorter = min(now.count, base.count)
        let longer = max(now.count, base.count)
        let length = luck == .none ? base.count : Int.random(in: shorter...longer, using: &random)
        var mixed = Data(count: length)
        var lost = Int64(abs(now.count - length))
        for start in stride(from: 0, to: length, by: 4096) {
            let isNew = luck == .some && Bool.random(using: &random)
            let source = isNew ? now : base
            let end = min(start + 4096, length, source.count)
            // Beyond the end of the chosen version a page stays zero, like one that was allocated but never written.
            if start < end { mixed.replaceSubrange(start..<end, with: source[start..<end]) }
            // As `Data`, whose comparison is quick in debug builds as well.
            let common = min(start + 4096, length, now.count)
            if start < common, mixed[start..<common] != now[start..<common] { lost += Int64(common - start) }
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: mixed)
        try file.truncate(atOffset: UInt64(length))
        try file.close()
        return lost
    }
}
