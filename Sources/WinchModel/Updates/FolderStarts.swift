/// The folders that are listed. It tells those that the user named from those that were found below them, of which a front end
/// says less, and gives each file its path below the former.
package struct FolderStarts: Sendable {
    /// Local folders of the rows that list one.
    private var folders: Set<String> = []

    package init() {}

    /// Call it with each update, in order, before anything is asked about its rows.
    ///
    /// - Returns: rows that were there before may have another path now.
    @discardableResult package mutating func note(_ update: Update) -> Bool {
        var isNew = false
        for row in update.rows.values where note(row) { isNew = true }
        return isNew
    }

    /// - Returns: as for an update.
    @discardableResult package mutating func note(_ row: TransferSnapshot) -> Bool {
        row.isListing && folders.insert(row.folder).inserted
    }

    /// Whether the row lists a folder that another row has found.
    package func isBelow(_ row: TransferSnapshot) -> Bool {
        guard row.isListing, let above = Self.above(row.folder[...]) else { return false }
        return folders.contains(String(above))
    }

    /// Whether `path` is more than the row's name.
    package func hasPath(_ row: TransferSnapshot) -> Bool {
        row.direction == .up ? !row.localFolder.isEmpty : folders.contains(row.folder)
    }

    /// The row's name, in a folder with the path to it, because a folder's files may have the names of another's: from the folder
    /// on that the user named, such as `pub/2024/a.iso`; of an upload as the user gave it.
    package func path(of row: TransferSnapshot) -> String { path(of: row, name: row.name) }

    /// - Parameter name: of the row's file, in its folder.
    package func path(of row: TransferSnapshot, name: String) -> String {
        if row.direction == .up { return row.localFolder.isEmpty ? name : Self.joined(row.localFolder, name) }
        if row.isListing {
            guard isBelow(row) else { return name }
        } else {
            guard folders.contains(row.folder) else { return name }
        }
        var start = row.folder[...]
        while let above = Self.above(start), folders.contains(String(above)) { start = above }
        let first = start.utf8.lastIndex(of: Self.slash).map { start.utf8.index(after: $0) } ?? start.startIndex
        return Self.joined(String(row.folder[first...]), row.isListing ? "" : name)
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        folder + (folder.utf8.last == slash ? "" : "/") + name
    }

    /// The path of the folder that a folder is in; `nil`: it has only one part.
    private static func above(_ path: Substring) -> Substring? {
        path.utf8.lastIndex(of: slash).map { path[..<$0] }
    }

    private static let slash = UInt8(ascii: "/")
}
