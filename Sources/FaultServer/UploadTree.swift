/// The files and folders that clients have made, by absolute path without a slash at the end.
struct UploadTree: Sendable {
    struct File: Sendable {
        let bytes: [UInt8]
        /// `false` for a body that the options asked not to keep.
        let isKept: Bool
    }

    private(set) var folders: Set<String> = [root]
    private(set) var files: [String: File] = [:]

    /// Where every upload lies.
    static let root = "/up"

    static func contains(_ path: String) -> Bool { path == root || path.hasPrefix(root + "/") }

    enum Outcome: Equatable, Sendable { case created, replaced, noFolder, exists }

    func hasFolder(above path: String) -> Bool {
        path.lastIndex(of: "/").map { folders.contains(String(path[..<$0])) } ?? false
    }

    mutating func put(_ file: File, at path: String) -> Outcome {
        guard !path.hasSuffix("/"), !folders.contains(path) else { return .exists }
        guard hasFolder(above: path) else { return .noFolder }
        return files.updateValue(file, forKey: path) == nil ? .created : .replaced
    }

    mutating func makeFolder(_ path: String) -> Outcome {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard !folders.contains(path), files[path] == nil else { return .exists }
        guard hasFolder(above: path) else { return .noFolder }
        folders.insert(path)
        return .created
    }

    mutating func makeFolders(above path: String) {
        for index in path.indices.dropFirst() where path[index] == "/" { folders.insert(String(path[..<index])) }
    }

    /// - Returns: whether there was such a file or folder; a folder goes with all that is in it.
    mutating func remove(_ path: String) -> Bool {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        if files.removeValue(forKey: path) != nil { return true }
        guard path != Self.root, folders.contains(path) else { return false }
        folders = folders.filter { $0 != path && !$0.hasPrefix(path + "/") }
        files = files.filter { !$0.key.hasPrefix(path + "/") }
        return true
    }
}
