import Foundation
import WinchModel

/// Changes a program's files to what a power loss would have left of them, by the journal that the preloaded library
/// has written.
///
/// `PowerLoss.h` describes the model. Which of the unsynced changes have reached the disk is random.
struct PowerCut {
    let scratch: Scratch
    /// Path of libPowerLoss.so.
    let library: String
    /// Those that lose files.
    var folders = ["got", "state"]

    private var journal: String { scratch["journal"] }

    /// Of the program whose files are to be lost.
    var environment: [String: String] {
        [
            "LD_PRELOAD": library, "POWER_LOSS_ROOTS": folders.map { scratch[$0] }.joined(separator: ":"),
            "POWER_LOSS_JOURNAL": journal, "POWER_LOSS_BOOT_ID": scratch["boot_id"],
        ]
    }

    /// Begins a new journal, in which everything on disk counts as synced, and gives the machine another boot ID.
    func start() throws {
        try scratch.write(UUID().uuidString + "\n", to: "boot_id")
        try? FileManager.default.removeItem(atPath: journal)
        try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: true)
        var lines = ""
        for (index, name) in files.enumerated() {
            guard let number = inode(of: scratch[name]) else { continue }
            try FileManager.default.copyItem(atPath: scratch[name], toPath: journal + "/base.\(index)")
            lines += "S\t\(number)\tbase.\(index)\n"
        }
        try scratch.write(lines + "M\n", to: "journal/journal")
    }

    /// The program must be dead. A new journal begins.
    func happen(using random: inout SplitMix64) throws {
        let counts = ["C": 3, "L": 3, "R": 5, "U": 4, "S": 3, "M": 1]
        let lines: [[String]] = scratch.text("journal/journal").split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }.filter { counts[$0[0]] == $0.count }
        undoNames(lines, using: &random)
        var safe: [String: String] = [:]
        for line in lines {
            if line[0] == "S" { safe[line[1]] = line[2] }
            // The inode number may have belonged to a deleted file.
            if line[0] == "C" { safe[line[2]] = nil }
        }
        let share = random.pick([0, 0, 0.5, 0.5, 1])
        for name in files {
            let path = scratch[name]
            if name.hasSuffix("-shm") {
                unlink(path)
            } else if let number = inode(of: path) {
                let base = safe[number].flatMap { FileManager.default.contents(atPath: journal + "/" + $0) }
                try cut(path, to: base ?? Data(), share, using: &random)
            }
        }
        try start()
    }

    private var files: [String] {
        folders.flatMap { folder in
            scratch.files(below: folder).sorted().map { folder + "/" + $0 }.filter { scratch.size($0) != nil }
        }
    }

    private func inode(of path: String) -> String? {
        var status = stat()
        return lstat(path, &status) == 0 ? "\(status.st_ino)" : nil
    }

    /// Picks a random place in the journal behind its last sync, and undoes, last first, the changes of names after it.
    private func undoNames(_ lines: [[String]], using random: inout SplitMix64) {
        let committed = lines.lastIndex { $0[0] == "M" }.map { $0 + 1 } ?? 0
        for line in lines[random.int(committed...lines.count)...].reversed() {
            switch line[0] {
            case "C", "L":
                if inode(of: line[1]) == line[2] { unlink(line[1]) }
            case "R":
                guard inode(of: line[2]) == line[3] else { continue }
                rename(line[2], line[1])
                if line[4] != "-" { rename(journal + "/" + line[4], line[2]) }
            case "U":
                if line[3] != "-" { rename(journal + "/" + line[3], line[1]) }
            default: break
            }
        }
    }

    /// Mixes synced and later content, page by page. Written in place: the file keeps its inode and its attributes.
    ///
    /// - Parameter share: of the later pages that have reached the disk.
    private func cut(_ path: String, to base: Data, _ share: Double, using random: inout SplitMix64) throws {
        let now = try Data(contentsOf: URL(fileURLWithPath: path))
        guard now != base, share < 1 else { return }
        let lengths = [now.count, base.count].sorted()
        let length = share == 0 ? base.count : random.int(lengths[0]...lengths[1])
        var mixed = Data(count: length)
        for start in stride(from: 0, to: length, by: 4096) {
            let source = share > 0 && random.chance(Int(share * 100)) ? now : base
            let end = min(start + 4096, length, source.count)
            // Beyond the end of the chosen version a page stays zero, like one that was allocated but never written.
            if start < end { mixed.replaceSubrange(start..<end, with: source[start..<end]) }
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.write(contentsOf: mixed)
        try file.truncate(atOffset: UInt64(length))
        try file.close()
    }
}
