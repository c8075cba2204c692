import Synchronization
package import WinchModel

/// The lists of `--sums` by which files are verified whose names come from servers and folders: that of this run, and those that
/// the transfers of earlier runs were added with.
package final class ChecksumLists: Sendable {
    private let own: ChecksumList
    private let byKey: Mutex<[String: ChecksumList]>
    private let stored = Mutex<(@Sendable (String) -> ChecksumList?)?>(nil)

    /// - Parameters:
    ///   - own: for transfers whose settings name no list.
    ///   - key: by which settings name it; `nil`: none does.
    package init(_ own: ChecksumList = ChecksumList(), key: String? = nil) {
        self.own = own
        byKey = Mutex(key.map { [$0: own] } ?? [:])
    }

    /// - Parameter read: the list of an earlier run, by its key; `nil`: it is not known. May block.
    package func open(_ read: @escaping @Sendable (String) -> ChecksumList?) { stored.withLock { $0 = read } }

    /// The list that the transfer was added with.
    ///
    /// - Throws: when it is not known any more: its files could not be verified.
    package func list(for settings: TransferSettings) throws(TransferFailure) -> ChecksumList {
        guard let key = settings.sums else { return own }
        if let known = byKey.withLock({ $0[key] }) { return known }
        guard let list = stored.withLock(\.self)?(key) else {
            throw .other("the checksum list that it was added with (--sums) is lost; add it anew")
        }
        byKey.withLock { $0[key] = list }
        return list
    }
}
