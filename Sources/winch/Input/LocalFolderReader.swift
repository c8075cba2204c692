import Glibc
import WinchModel

/// Makes uploads of all that lies below a local folder, in pieces: the files of a folder, in the order of their names' bytes,
/// before those of its sub-folders. Of a folder without entries that are sent, one that makes it at the server.
///
/// What cannot be sent becomes an upload too, whose row fails with the reason: a folder that cannot be read, and what is
/// neither a file nor a folder. Other errors in reading are problems.
struct LocalFolderReader: Sendable {
    enum Links {
        case leftOut
        /// What they lead to is sent in their place, except a folder that they are in.
        case followed
    }

    private struct Folder {
        let path: String
        /// Ends in `/`.
        let url: TransferURL
        /// 0 for the one where the reading begins.
        let depth: Int
        /// Folders that it is in; empty when links are left out.
        var ancestors: [Identity] = []
    }

    private struct Identity: Hashable {
        let device: UInt64
        let node: UInt64
    }

    private enum Kind { case file, folder, link, other }

    private let order: UploadOrder
    private let settings: Shared<TransferSettings>
    private let links: Links
    /// To be read, the next one last.
    private var folders: [Folder]
    /// Of the folder that was read last.
    private var specs: ArraySlice<TransferSpec> = []
    private(set) var linksLeftOut = 0
    /// Links to folders that they are in.
    private(set) var loops = 0
    /// Messages about what is not even a row.
    private(set) var problems: [String] = []
    /// As given, for messages.
    let path: String

    /// - Parameters:
    ///   - path: of a folder; a symbolic link to one is followed.
    ///   - order: how each file is sent; its content is replaced.
    ///   - url: what the folder becomes; ends in `/`, without a query.
    init(
        _ path: String, as order: UploadOrder, to url: TransferURL, settings: Shared<TransferSettings>, links: Links
    ) {
        (self.path, self.order, self.settings, self.links) = (path, order, settings, links)
        let end = path.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        let bare = end.map { String(Substring(path.utf8[...$0])) } ?? path
        folders = [Folder(path: bare, url: url, depth: 0)]
    }

    var isAtEnd: Bool { folders.isEmpty && specs.isEmpty }

    /// Messages that are no problems; complete when `isAtEnd`.
    var notices: [String] {
        func words(_ count: Int) -> String {
            count == 1 ? "1 symbolic link" : "\(NumberFormat.count(count)) symbolic links"
        }
        var notices: [String] = []
        if linksLeftOut > 0 {
            notices.append("\(path): \(words(linksLeftOut)) left out; --follow sends what they lead to")
        }
        if loops > 0 { notices.append("\(path): \(words(loops)) to a folder above left out") }
        return notices
    }

    /// Returns the next `count` uploads, or those to the end. Reads the file system, and may block.
    mutating func next(atMost count: Int) -> [TransferSpec] {
        var found: [TransferSpec] = []
        while found.count < count {
            if specs.isEmpty {
                guard let folder = folders.popLast() else { break }
                read(folder)
            } else {
                let piece = specs.prefix(count - found.count)
                found += piece
                specs = specs.dropFirst(piece.count)
            }
        }
        return found
    }

    private mutating func read(_ folder: Folder) {
        let follows = folder.depth == 0 || links == .followed
        let number = open(folder.path.cBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW))
        guard number >= 0 else { return noteUnread(folder, errno) }
        guard let stream = fdopendir(number) else {
            let code = errno
            close(number)
            return noteUnread(folder, code)
        }
        defer { closedir(stream) }
        var ancestors = folder.ancestors
        if links == .followed {
            var status = stat()
            fstat(number, &status)
            let own = Identity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
            guard !ancestors.contains(own) else { return loops += 1 }
            ancestors.append(own)
        }
        let (files, subfolders) = entries(of: stream, number, at: folder.path)
        guard !files.isEmpty || !subfolders.isEmpty else { return specs = [whole(folder)] }
        addFiles(files, of: folder)
        for name in subfolders.reversed() {
            let path = Self.path(of: name, in: folder.path)
            guard let url = Self.url(ofFolder: name, in: folder.url) else {
                noteTooLong(path)
                continue
            }
            folders.append(Folder(path: path, url: url, depth: folder.depth + 1, ancestors: ancestors))
        }
    }

    /// The folder cannot be opened. The upload of it meets the same where the user may not read it, and its row says so. After
    /// other errors, such as too many open files, it might succeed, and make an empty folder of a full one.
    private mutating func noteUnread(_ folder: Folder, _ code: Int32) {
        guard code != EACCES, code != ENOENT else { return specs = [whole(folder)] }
        problems.append("\(folder.path): \(String(cString: strerror(code)))")
    }

    /// - Parameter number: the folder's descriptor.
    /// - Returns: both in the order of their bytes; as many as can be read.
    private mutating func entries(
        of stream: OpaquePointer, _ number: Int32, at path: String
    ) -> (files: [(name: String, kind: Kind)], folders: [String]) {
        var files: [(name: String, kind: Kind)] = []
        var folders: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(system: $0.prefix { $0 != 0 }) }
            guard name != ".", name != ".." else { continue }
            switch kind(of: name, in: number, type: Int(entry.pointee.d_type)) {
            case .folder: folders.append(name)
            case .link: linksLeftOut += 1
            case let kind: files.append((name, kind))
            }
        }
        if errno != 0 { problems.append("\(path): \(String(cString: strerror(errno)))") }
        files.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        folders.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return (files, folders)
    }

    /// - Parameter type: as the folder says it, which not all file systems do.
    private func kind(of name: String, in folder: Int32, type: Int) -> Kind {
        switch type {
        case Int(DT_REG): return .file
        case Int(DT_DIR): return .folder
        case Int(DT_LNK) where links == .leftOut: return .link
        case Int(DT_LNK), Int(DT_UNKNOWN): break
        default: return .other
        }
        var status = stat()
        // Of what cannot be looked at, such as a link that leads nowhere, the upload says why.
        guard fstatat(folder, name.cBytes, &status, links == .followed ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
            return .file
        }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .other
        }
    }

    private mutating func addFiles(_ files: [(name: String, kind: Kind)], of folder: Folder) {
        let common = spec(.folder(folder.path), to: folder.url, in: folder.path, listed: folder.depth + 1)
        var found: [TransferSpec] = []
        found.reserveCapacity(files.count)
        for (name, kind) in files {
            let path = Self.path(of: name, in: folder.path)
            let isFile = kind == .file
            guard let url = isFile ? folder.url.file(named: name) : Self.url(ofFolder: name, in: folder.url) else {
                noteTooLong(path)
                continue
            }
            var spec = common
            spec.urls = MirrorList([url])
            spec.upload?.content = isFile ? .file(path) : .folder(path)
            found.append(spec)
        }
        specs = found[...]
    }

    private func whole(_ folder: Folder) -> TransferSpec {
        spec(.folder(folder.path), to: folder.url, in: Self.folder(of: folder.path), listed: folder.depth)
    }

    private func spec(
        _ content: UploadOrder.Content, to url: TransferURL, in folder: String, listed parts: Int
    ) -> TransferSpec {
        var order = order
        order.content = content
        order.listedParts = links == .leftOut ? parts : nil
        var spec = TransferSpec(upload: order, to: url, settings: settings)
        spec.folder = folder
        return spec
    }

    private mutating func noteTooLong(_ path: String) { problems.append("\(path): its URL would be too long") }

    private static func path(of name: String, in folder: String) -> String {
        folder == "/" ? "/" + name : folder + "/" + name
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(Substring(path.utf8[..<slash]))
    }

    private static func url(ofFolder name: String, in folder: TransferURL) -> TransferURL? {
        try? TransferURL(folder.text + PercentCoding.encoded(name) + "/")
    }
}
