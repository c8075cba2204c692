/// The path of a transfer's file for messages: its name alone does not tell it from the files of other folders.
struct FilePath {
    let direction: Direction
    let folder: String
    /// As in `TransferSpec`.
    let namedParts: Int
    let isListing: Bool

    /// From the folder on that the user wants whole, such as `pub/2024/a.iso`; of an upload from a folder as the user gave that; of
    /// a folder that is listed its own path; of any other transfer the name alone.
    ///
    /// - Parameter name: of the file, in its folder.
    func path(to name: String) -> String {
        if direction == .up { return ["", "."].contains(folder) ? name : Self.joined(folder[...], name) }
        // At the byte: for Swift a slash with a combining accent is one character.
        let parts = folder.utf8.split(separator: UInt8(ascii: "/")).suffix(max(0, namedParts))
        guard let first = parts.first else { return name }
        return Self.joined(folder[first.startIndex...], isListing ? "" : name)
    }

    private static func joined(_ folder: Substring, _ name: String) -> String {
        String(folder) + (folder.utf8.last == UInt8(ascii: "/") ? "" : "/") + name
    }
}

extension TransferSpec {
    /// The name with the path that tells it from the names of other files, as `FilePath` makes it.
    package func path(to name: String) -> String {
        FilePath(direction: direction, folder: folder, namedParts: namedParts, isListing: isListing).path(to: name)
    }
}

extension TransferSnapshot {
    /// The name with the path that tells it from the names of other files, as `FilePath` makes it.
    package var path: String { path(to: name) }

    /// - Parameter name: of the row's file, in its folder.
    package func path(to name: String) -> String {
        FilePath(direction: direction, folder: folder, namedParts: Int(namedParts), isListing: isListing)
            .path(to: name)
    }

    /// Whether `path` is more than the name.
    package var hasPath: Bool { direction == .up ? !localFolder.isEmpty : namedParts > 0 }

    /// It lists a folder that was found in another, of which a front end says less than of one that the user named.
    package var isSubfolder: Bool { isListing && namedParts > 1 }
}
