import Synchronization
import WinchModel

/// Folders that are open already: most files of a batch go to the same one.
final class FolderCache: Sendable {
    private struct Key: Hashable {
        var root: String
        var parts: [Substring]
    }

    private let open = Mutex<[Key: TargetFolder]>([:])
    /// Few enough that the open files of a process stay far below the usual limit of 1024.
    private static let most = 64

    /// Opens the folder outside the lock: a file server that is away holds up only those that need it.
    func folder(_ root: String, parts: [Substring] = []) throws(TransferFailure) -> TargetFolder {
        let key = Key(root: root, parts: parts)
        if let known = open.withLock({ $0[key] }) { return known }
        let folder = try TargetFolder.open(root, parts: parts)
        return open.withLock { open in
            // Two connections that open it at once get the same object: it knows which parts they left.
            if let known = open[key] { return known }
            if open.count >= Self.most { open.removeAll() }
            open[key] = folder
            return folder
        }
    }

    /// The folder was removed: the next call for its path opens a new one.
    func forget(_ folder: TargetFolder) {
        open.withLock { open in open = open.filter { $0.value !== folder } }
    }
}
