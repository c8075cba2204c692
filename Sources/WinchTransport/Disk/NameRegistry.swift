import Synchronization
import WinchCore

/// Which transfer of this run gets which name, so that no two of them meet on disk. Used by the loop when a transfer
/// starts and by the finisher when a stranger's file turns out to have the name.
final class NameRegistry: Sendable {
    private struct Holding {
        // Not the folder itself: that would keep thousands of folders open.
        var folder: TargetFolder.Identity
        /// The name that was wished for, without a number.
        var base: String
        var number: Int
        var name: String { TargetName.numbered(base, number) }
    }

    private struct Names {
        var holdings: [TransferID: Holding] = [:]
        var owners: [TargetFolder.Identity: [String: TransferID]] = [:]

        mutating func release(_ id: TransferID) {
            guard let held = holdings.removeValue(forKey: id) else { return }
            owners[held.folder]?[held.name] = nil
        }

        mutating func hold(_ id: TransferID, _ base: String, from first: Int, in folder: TargetFolder) -> String {
            release(id)
            var number = first
            while owners[folder.identity]?[TargetName.numbered(base, number)] != nil { number += 1 }
            let name = TargetName.numbered(base, number)
            owners[folder.identity, default: [:]][name] = id
            holdings[id] = Holding(folder: folder.identity, base: base, number: number)
            return name
        }
    }

    private let names = Mutex(Names())

    /// The wished name, or `name.1.ext` and so on when another transfer has it. A transfer that wishes the same again
    /// keeps what it has; one that wishes another name gives the first back.
    func reserve(_ id: TransferID, _ wish: String, in folder: TargetFolder) -> String {
        names.withLock { names in
            if let held = names.holdings[id], held.base == wish || held.name == wish,
                held.folder == folder.identity
            {
                return held.name
            }
            return names.hold(id, wish, from: 0, in: folder)
        }
    }

    /// The next number: a stranger's file has the name this transfer holds.
    func next(_ id: TransferID, in folder: TargetFolder, after name: String) -> String {
        names.withLock { names in
            guard let held = names.holdings[id] else { return names.hold(id, name, from: 1, in: folder) }
            return names.hold(id, held.base, from: held.number + 1, in: folder)
        }
    }

    /// Gives the name back.
    func release(_ id: TransferID) { names.withLock { $0.release(id) } }
}
