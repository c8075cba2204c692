import Synchronization
import WinchModel

/// Which transfer of this run gets which name, so that no two of them meet on disk. Used by the loop when a transfer
/// starts and by the finisher when a foreign file turns out to have the name.
///
/// A transfer holds its name while it is on a connection or being finished. Afterwards the name stays with its address
/// as long as something of it is on disk: the same address gets it again, and so finds the file or the part; another one
/// gets the next number.
final class NameRegistry: Sendable {
    /// A transfer's part or file under the name, when its connection has ended.
    enum Rest { case part, file }

    private let names = Mutex(NamesInUse())

    /// The wished name, or `name.1.ext` and so on when another transfer has it. A transfer that wishes the same again
    /// keeps what it has; one that wishes another name gives the first back.
    ///
    /// - Parameters:
    ///   - address: where the file comes from, without a login.
    ///   - replaces: a foreign file of that name is to be replaced, or makes the transfer end.
    func reserve(
        _ id: TransferID, _ preferred: String, of address: String, in folder: TargetFolder, replaces: Bool = false
    ) -> String {
        names.withLock {
            $0.reserve(
                id, preferred, of: address, in: folder.identity, replaces: replaces,
                ignoresCase: { folder.ignoresCase })
        }
    }

    /// The next number: a foreign file has the name this transfer holds.
    func next(_ id: TransferID, of address: String, in folder: TargetFolder, after name: String) -> String {
        names.withLock {
            $0.next(id, of: address, in: folder.identity, after: name, ignoresCase: { folder.ignoresCase })
        }
    }

    /// Gives the name back: nothing is on disk under it.
    func release(_ id: TransferID) { names.withLock { $0.release(id) } }

    /// The transfer's connection has ended.
    ///
    /// - Parameter rest: what of it is on disk; `nil`: nothing, and the name is given back.
    func settle(_ id: TransferID, with rest: Rest?) {
        names.withLock { if let rest { $0.settle(id, with: rest) } else { $0.release(id) } }
    }

    /// Names that transfers hold, and those that are remembered.
    var counts: (held: Int, remembered: Int) { names.withLock { $0.counts } }
}
