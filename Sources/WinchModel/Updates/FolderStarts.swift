/// Tells the folders that the user named from those that were found below them, of which a front end says less.
package struct FolderStarts: Sendable {
    /// Local folders of the rows that list one.
    private var folders: Set<String> = []

    package init() {}

    /// Call it with each row that joins the list.
    package mutating func note(_ row: TransferSnapshot) {
        if row.listsFolder { folders.insert(row.folder) }
    }

    /// Whether the row lists a folder that another row has found.
    package func isBelow(_ row: TransferSnapshot) -> Bool {
        guard row.listsFolder, let slash = row.folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        return folders.contains(String(row.folder[..<slash]))
    }
}

extension TransferSnapshot {
    /// The row lists a folder: no file has such a name.
    package var listsFolder: Bool { name.utf8.last == UInt8(ascii: "/") }
}
