import WinchCore

/// Folders that are open already: most files of a batch go to the same one. The loop's thread's own.
final class FolderCache {
    private struct Key: Hashable {
        var root: String
        var parts: [Substring]
    }

    private var open: [Key: TargetFolder] = [:]
    /// Few enough that the open files of a process stay far below the usual limit of 1024.
    private static let most = 64

    func folder(_ root: String, parts: [Substring] = []) throws(TransferFailure) -> TargetFolder {
        let key = Key(root: root, parts: parts)
        if let known = open[key] { return known }
        let folder = try TargetFolder.open(root, parts: parts)
        if open.count >= Self.most { open.removeAll() }
        open[key] = folder
        return folder
    }

    /// The folder was removed under us: the next one who asks gets a new one.
    func forget(_ folder: TargetFolder) {
        open = open.filter { $0.value !== folder }
    }
}
