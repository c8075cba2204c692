import Glibc
import Synchronization
import WinchModel

final class TargetFolder: Sendable {
    /// Which folder it is, whatever path led there.
    struct Identity: Hashable, Sendable {
        var device: UInt64
        var node: UInt64
    }

    let descriptor: Descriptor
    let identity: Identity
    let root: String
    /// So many of the last parts of `root` were named by servers.
    private let named: Int
    /// The `.part` files that were there when it was opened, and those that our transfers have left since; `nil`: too
    /// many to tell.
    private let parts: Mutex<Set<String>?>
    /// Path below it, with a closing slash; empty for the target folder itself.
    let below: String
    /// The longest name in bytes: 143 on eCryptfs. At most 255, which FAT does not tell.
    let longestName: Int
    /// What its file system has been found to do with names.
    private let manners = Mutex(Manners())

    /// `nil`: not asked yet.
    private struct Manners {
        var ignoresCase: Bool?
        var refusesReserved: Bool?
    }

    private init(
        descriptor: Descriptor, root: String, named: Int, below: String
    ) throws(TransferFailure) {
        guard let status = descriptor.status else { throw ErrnoFailure.file(errno, path: root, folder: root) }
        self.descriptor = descriptor
        identity = Identity(status)
        self.root = root
        self.named = named
        self.below = below
        parts = Mutex(Self.partNames(in: descriptor))
        longestName = Self.longestName(in: descriptor)
    }

    /// In bytes, at most 255.
    static func longestName(in folder: Descriptor) -> Int {
        let most = withExtendedLifetime(folder) { fpathconf(folder.number, Int32(_PC_NAME_MAX)) }
        return most > 0 ? min(most, TargetName.longest) : TargetName.longest
    }

    /// Names looked through at most: a folder with more is asked for each part by itself.
    private static let mostNames = 20_000

    private static func partNames(in descriptor: Descriptor) -> Set<String>? {
        let copy = openat(descriptor.number, ".", flags)
        guard copy >= 0 else { return nil }
        guard let stream = fdopendir(copy) else {
            Glibc.close(copy)
            return nil
        }
        defer { closedir(stream) }
        var parts: Set<String> = []
        for _ in 0..<mostNames {
            guard let entry = readdir(stream) else { return parts }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(system: bytes.prefix { $0 != 0 })
            }
            if name.hasSuffix(".part") { parts.insert(name) }
        }
        return nil
    }

    /// Whether an earlier run or transfer may have left this part. Other parts that came later are foreign.
    func mayHold(part name: String) -> Bool { parts.withLock { $0?.contains(name) ?? true } }

    /// Foreign parts of the same name that are passed over in search of our own.
    private static let partsTried = 4

    /// The names that a part of the file may have here, as `mayHold` says.
    func partNames(of target: String) -> [String] {
        (0..<Self.partsTried).map { PartFile.name(of: target, $0) }.filter { mayHold(part: $0) }
    }

    /// It has few enough names that `mayHold` knows all parts.
    var knowsParts: Bool { parts.withLock { $0 != nil } }

    /// A transfer has left this part here.
    func note(part name: String) {
        parts.withLock { parts in
            parts?.insert(name)
            if let count = parts?.count, count > Self.mostNames { parts = nil }
        }
    }

    /// For messages.
    var path: String { below.isEmpty ? root : Self.joined(root, String(below.dropLast())) }

    func path(of name: String) -> String { Self.joined(path, name) }

    static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// Opens the folder, and the ones below it, making what is missing.
    ///
    /// - Parameters:
    ///   - root: the user's own path: its links are followed.
    ///   - named: so many of its last parts are not the user's but servers', and are treated as `parts`.
    ///   - parts: folders from a batch file: a link among them is refused, since it may lead out of the folder.
    static func open(_ root: String, named: Int = 0, parts: [Substring]) throws(TransferFailure) -> TargetFolder {
        let (own, serversParts) = split(root, named: named)
        var descriptor = try openRoot(own)
        var path = own
        for part in serversParts + parts {
            path = joined(path, String(part))
            descriptor = try openPart(String(part), in: descriptor, path: path)
        }
        let below = parts.map { "\($0)/" }.joined()
        return try TargetFolder(descriptor: descriptor, root: root, named: serversParts.count, below: below)
    }

    /// The user's part of a folder's path, and what servers have named.
    static func split(_ root: String, named: Int) -> (own: String, named: [Substring]) {
        guard named > 0 else { return (root, []) }
        let parts = root.pathParts
        let own = parts.dropLast(named).joined(separator: "/")
        let isAbsolute = root.utf8.first == UInt8(ascii: "/")
        return (isAbsolute ? "/" + own : own.isEmpty ? "." : own, Array(parts.suffix(named)))
    }

    static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    private static func openRoot(_ root: String) throws(TransferFailure) -> Descriptor {
        let path = root.isEmpty ? "." : root
        var opened = Descriptor.open(path, flags)
        if opened == nil, errno == ENOENT {
            try makeAll(path)
            opened = Descriptor.open(path, flags)
        }
        guard let folder = opened else {
            // ENOTDIR: a file is in the place of the folder, which cannot be created; else the folder cannot be used.
            throw errno == ENOTDIR
                ? ErrnoFailure.creation(errno, of: path, in: path) : ErrnoFailure.file(errno, path: path, folder: path)
        }
        return folder
    }

    /// `mkdir -p`.
    private static func makeAll(_ path: String) throws(TransferFailure) {
        var done = path.hasPrefix("/") ? "/" : ""
        for part in path.pathParts {
            let parent = done
            done += part
            guard mkdir(done.cBytes, 0o777) == 0 || errno == EEXIST else {
                // In /proc and similar file systems no folder can be created; they answer ENOENT.
                if errno == ENOENT { throw .folder(done, reason: "no folder can be created there") }
                throw ErrnoFailure.creation(errno, of: done, in: parent.isEmpty ? "." : parent)
            }
            done += "/"
        }
    }

    private static func openPart(
        _ part: String, in parent: Descriptor, path: String
    ) throws(TransferFailure) -> Descriptor {
        guard part != "..", part != "." else { throw .folder(path, reason: "leaves the target folder") }
        guard mkdirat(parent.number, part.cBytes, 0o777) == 0 || errno == EEXIST else {
            throw ErrnoFailure.creation(errno, of: path, in: path)
        }
        guard let folder = Descriptor.open(part, in: parent, flags | O_NOFOLLOW) else {
            let code = errno
            let isLink = parent.status(of: part)?.isLink ?? false
            throw ErrnoFailure.creation(isLink ? ELOOP : code, of: path, in: path)
        }
        return folder
    }
}

extension TargetFolder.Identity {
    init(_ status: stat) { self.init(device: UInt64(status.st_dev), node: UInt64(status.st_ino)) }
}

// MARK: - Names

extension TargetFolder {
    /// Names that differ in case only are the same file, as on FAT. Seen by a file that is made for it once and found again
    /// under its name in capitals; false where none can be made.
    var ignoresCase: Bool {
        known(\.ignoresCase) {
            probe(".winch-case") {
                guard let made = status(of: $0), let found = status(of: $0.uppercased()) else { return false }
                return made.st_ino == found.st_ino && made.st_dev == found.st_dev
            } ?? false
        }
    }

    /// It refuses `:` and the like in names, as FAT, exFAT and NTFS do. Seen by a file that is made for it once.
    private var refusesReserved: Bool { known(\.refusesReserved) { probe(".winch:name") { _ in false } ?? true } }

    /// The name as the file system takes it: shortened, and with `_` for characters that it refuses.
    func fitting(_ name: String) -> String {
        TargetName.fitting(name, longest: longestName, refusesReserved: { refusesReserved })
    }

    private func known(_ answer: WritableKeyPath<Manners, Bool?>, _ ask: () -> Bool) -> Bool {
        if let known = manners.withLock({ $0[keyPath: answer] }) { return known }
        let found = ask()
        manners.withLock { $0[keyPath: answer] = found }
        return found
    }

    /// - Returns: what `look` says of a file that is made for it; `nil` when the file system refuses its name.
    private func probe(_ name: String, _ look: (String) -> Bool) -> Bool? {
        let name = "\(name)-\(getpid())"
        guard let file = Descriptor.open(name, in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW) else {
            return errno == EINVAL || errno == EILSEQ ? nil : look(name)
        }
        defer { withExtendedLifetime(file) { unlink(name) } }
        return look(name)
    }
}

extension TargetFolder {
    /// The entry of this name, if there is one; of a link the link itself.
    func status(of name: String) -> stat? { descriptor.status(of: name) }

    /// The name belongs to this file.
    func holds(_ file: Identity, as name: String) -> Bool { status(of: name).map(Identity.init) == file }

    /// A folder of a file's name is not the file, which `skip` must not take it for.
    func refuseFolder(_ name: String) throws(TransferFailure) {
        guard let status = status(of: name), status.isFolder else { return }
        throw .folder(path(of: name), reason: "a folder has this name")
    }

    /// Refuses what `overwrite` does not replace: a folder, a device, a pipe. Of a link it replaces the link itself, and what
    /// that leads to stays as it is.
    func refuseIrreplaceable(_ name: String) throws(TransferFailure) {
        guard let status = status(of: name), ![S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) else { return }
        throw .nameTaken(path(of: name))
    }

    /// Opens a file for reading.
    ///
    /// - Parameter followingLink: opens what a link leads to.
    /// - Returns: `nil` with `errno` when that is impossible, or the name is that of a link which is not followed.
    func opened(_ name: String, followingLink: Bool = false) -> Descriptor? {
        Descriptor.open(name, in: descriptor, O_RDONLY | (followingLink ? 0 : O_NOFOLLOW) | O_NONBLOCK)
    }

    /// Its path still leads to it: no other folder has its name now, and no disk was mounted there.
    var isAtItsPath: Bool {
        var status = stat()
        let isOwn = named == 0 && below.isEmpty
        let path = path.isEmpty ? "." : path
        return fstatat(AT_FDCWD, path.cBytes, &status, isOwn ? 0 : AT_SYMLINK_NOFOLLOW) == 0
            && identity == Identity(status)
    }

    /// Removed from its parent since it was opened.
    var isGone: Bool { descriptor.isGone }

    /// The folder of the same path, made anew.
    func again() throws(TransferFailure) -> TargetFolder {
        try Self.open(root, named: named, parts: below.pathParts)
    }

    /// Removes the name; the caller may still hold the file open.
    func unlink(_ name: String) { unlinkat(descriptor.number, name.cBytes, 0) }
}

/// Folders that are open already: most files of a batch go to the same one.
final class FolderCache: Sendable {
    private struct Key: Hashable {
        var root: ExactText
        var named: Int
        var parts: [ExactText]
    }

    private let open = Mutex<[Key: TargetFolder]>([:])
    /// Few enough that the open files of a process stay far below the usual limit of 1024.
    private static let most = 64

    /// Opens the folder outside the lock: a file server that is away holds up only those that need it.
    ///
    /// - Parameters: as of `TargetFolder.open`.
    func folder(
        _ root: String, named: Int = 0, parts: [Substring] = []
    ) throws(TransferFailure) -> TargetFolder {
        let key = Key(root: ExactText(root), named: named, parts: parts.map { ExactText($0) })
        if let known = open.withLock({ $0[key] }) {
            if known.isAtItsPath { return known }
            forget(known)
        }
        let folder = try TargetFolder.open(root, named: named, parts: parts)
        return open.withLock { open in
            // Two connections that open it at once get the same object: it knows which parts they left.
            if let known = open[key] { return known }
            if open.count >= Self.most { open.removeAll() }
            open[key] = folder
            return folder
        }
    }

    /// No transfer runs: the disks can be unmounted.
    func close() { open.withLock { $0.removeAll() } }

    /// The folder was removed: the next call for its path opens a new one.
    func forget(_ folder: TargetFolder) {
        open.withLock { open in open = open.filter { $0.value !== folder } }
    }
}

extension String {
    /// Split at the byte, as the kernel does: for it a slash with a combining accent is a slash.
    var pathParts: [Substring] { utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) } }
}
