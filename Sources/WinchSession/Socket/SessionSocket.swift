import CSession
import Glibc
import Synchronization
import WinchModel

/// Where the session of a state folder listens: a Unix socket in that folder, which only the user may enter.
package struct SessionSocket: Sendable {
    /// The state folder.
    package let folder: String
    package static let socketName = "session.socket"
    static let lockName = "session.lock"

    package init(folder: String) { self.folder = folder }

    package var socketPath: String { folder + "/" + Self.socketName }

    /// Makes the folder if it is missing, and takes its lock and its socket.
    ///
    /// - Throws: `.running` when another session has the lock; `.unsafe` when another user could have put a socket there.
    package func listen() throws(SessionFailure) -> SessionListener {
        makeFolders()
        let entry = try openFolder()
        let lock = openat(entry.number, Self.lockName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .system(path: folder + "/" + Self.lockName, reason: Self.words(errno)) }
        let lockFile = OpenFile(lock)
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw .running(folder: folder) }
        try removeOldSocket(entry)
        let socket = try UnixSocket.make()
        let code = UnixSocket.withAddress(of: entry.number, Self.socketName) { bind(socket.number, $0, $1) }
        // Others cannot enter the folder meanwhile.
        guard code == 0, fchmodat(entry.number, Self.socketName, 0o600, 0) == 0, Glibc.listen(socket.number, 64) == 0
        else {
            throw .system(path: socketPath, reason: Self.words(errno))
        }
        return SessionListener(folder: entry, lock: lockFile, socket: socket)
    }

    package func connect() throws(SessionFailure) -> OpenFile {
        // Asked before it is opened: afterwards another process may have made it.
        guard !isMissing else { throw .notRunning(folder: folder) }
        let entry = try openFolder()
        var status = stat()
        if fstatat(entry.number, Self.socketName, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK
        {
            throw .unsafe(path: socketPath, reason: "is not a socket of this user; remove it")
        }
        let socket = try UnixSocket.make()
        let code = UnixSocket.withAddress(of: entry.number, Self.socketName) { Glibc.connect(socket.number, $0, $1) }
        guard code == 0 else {
            if [ENOENT, ECONNREFUSED, ENOTSOCK].contains(errno) { throw .notRunning(folder: folder) }
            throw .system(path: socketPath, reason: Self.words(errno))
        }
        guard UnixSocket.isTrusted(socket.number) else {
            throw .unsafe(path: socketPath, reason: "another user listens there; do not use this folder")
        }
        return socket
    }

    /// Waits until no session has the folder's lock: its socket is removed by then, and another session may start.
    ///
    /// - Returns: false when one still has it at the deadline.
    package func waitUntilFree(until deadline: ContinuousClock.Instant) -> Bool {
        let number = open((folder + "/" + Self.lockName).cBytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        // No session has ever run there, or its folder is gone.
        guard number >= 0 else { return true }
        let lock = OpenFile(number)
        while flock(lock.number, LOCK_SH | LOCK_NB) != 0 {
            guard ContinuousClock.now < deadline else { return false }
            usleep(5000)
        }
        return true
    }

    /// Waits while a session has the lock and does not listen: one that ends gives back its socket first, and one that starts takes
    /// its lock first.
    package func waitForEndOrStart(until deadline: ContinuousClock.Instant) {
        while (try? connect()) == nil, !waitUntilFree(until: .now), ContinuousClock.now < deadline { usleep(5000) }
    }

    private var isMissing: Bool { access(folder.cBytes, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) }

    /// Makes what is missing of the path. That it cannot be made is found out when the folder is opened.
    private func makeFolders() {
        var path = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            path += "/" + part
            mkdir(path.cBytes, 0o700)
        }
    }

    /// - Throws: when it is not the user's own, or others may write in it.
    private func openFolder() throws(SessionFailure) -> OpenFile {
        let number = open(folder.cBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .system(path: folder, reason: Self.words(errno)) }
        let entry = OpenFile(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .system(path: folder, reason: Self.words(errno)) }
        guard status.st_uid == geteuid() else {
            throw .unsafe(path: folder, reason: "the folder belongs to another user; --state-dir names another one")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw .unsafe(path: folder, reason: "other users may write in the folder; run chmod go-w on it")
        }
        try checkParents(of: entry)
        return entry
    }

    /// Users who may write in a folder above may put another one in the place of this one, but for a sticky folder such as /tmp.
    /// The user's own group is trusted: many systems have a group for each user, and folders that it may write.
    private func checkParents(of entry: OpenFile) throws(SessionFailure) {
        var (child, up) = (stat(), "..")
        guard fstat(entry.number, &child) == 0 else { throw .system(path: folder, reason: Self.words(errno)) }
        while true {
            var parent = stat()
            guard fstatat(entry.number, up, &parent, 0) == 0 else {
                throw .system(path: "\(folder)/\(up)", reason: Self.words(errno))
            }
            // The root is its own parent.
            if parent.st_ino == child.st_ino, parent.st_dev == child.st_dev { return }
            let others: mode_t = parent.st_gid == getegid() ? 0o002 : 0o022
            guard parent.st_mode & others == 0 || parent.st_mode & S_ISVTX != 0 else {
                throw .unsafe(
                    path: folder,
                    reason:
                        "other users may write in \(Self.resolved("\(folder)/\(up)")), which has it; run chmod o-w,g-w on that"
                )
            }
            (child, up) = (parent, up + "/..")
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let text = realpath(path.cBytes, nil) else { return path }
        defer { free(text) }
        return String(systemC: text)
    }

    /// Removes the socket of a session that was killed: the process with the lock is the only one that listens.
    private func removeOldSocket(_ entry: OpenFile) throws(SessionFailure) {
        var status = stat()
        guard fstatat(entry.number, Self.socketName, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
            throw .unsafe(path: socketPath, reason: "is not a socket of this user; remove it")
        }
        unlinkat(entry.number, Self.socketName, 0)
    }

    private static func words(_ number: Int32) -> String { String(cString: strerror(number)) }
}

/// The socket of a session, and the lock that makes it the only one.
///
/// The lock is given back with the last reference, at the latest when the process ends; the socket before it, by `removeSocket`.
package final class SessionListener: Sendable {
    let socket: OpenFile
    private let folder: OpenFile
    private let lock: OpenFile
    private let isRemoved = Atomic(false)

    fileprivate init(folder: OpenFile, lock: OpenFile, socket: OpenFile) {
        (self.folder, self.lock, self.socket) = (folder, lock, socket)
    }

    /// A process that ends without this leaves its socket to the next session, which finds it dead and replaces it.
    func removeSocket() {
        guard !isRemoved.exchange(true, ordering: .relaxed) else { return }
        unlinkat(folder.number, SessionSocket.socketName, 0)
    }

    deinit { removeSocket() }
}

/// A descriptor that is closed with its last reference.
package final class OpenFile: Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Reading and writing return at once from now on.
    package func setNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
}

enum UnixSocket {
    static func make() throws(SessionFailure) -> OpenFile {
        let number = winch_local_socket()
        guard number >= 0 else { throw .system(path: "socket", reason: String(cString: strerror(errno))) }
        return OpenFile(number)
    }

    /// Calls `body` with the address of a socket in an open folder: an address has room for 108 bytes, whatever the length of the
    /// folder's path.
    static func withAddress(
        of folder: Int32, _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/proc/self/fd/\(folder)/\(name)".utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// The process at the other end belongs to this user, or to root.
    static func isTrusted(_ socket: Int32) -> Bool {
        var user = uid_t()
        return winch_local_peer(socket, &user) == 0 && (user == geteuid() || user == 0)
    }

    static func accept(from listener: Int32) -> OpenFile? {
        let number = winch_local_accept(listener)
        return number >= 0 ? OpenFile(number) : nil
    }
}

struct LineBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Up to here no line end was found.
    private var searched = 0
    private let most: Int

    /// 4 MiB: a Metalink's entry with the hashes of 50,000 pieces.
    static let mostFromClients = 4 << 20

    /// - Parameter most: the longest line, in bytes.
    init(most: Int) { self.most = most }

    mutating func append(_ more: some Sequence<UInt8>) {
        // What was read is removed at once for many lines, because all that follows is moved.
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            (start, searched) = (0, searched - start)
        }
        bytes += more
    }

    var isEmpty: Bool { start == bytes.count }

    var isTooLong: Bool { bytes.count - start > most && searched == bytes.count }

    /// - Returns: the next line without its end; `nil`: the rest of it has not come yet.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        defer { (start, searched) = (end + 1, end + 1) }
        return bytes[start..<end]
    }
}
