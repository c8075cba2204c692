import Glibc
import WinchModel

struct LedgerFiles: Sendable {
    static let databaseName = "ledger.sqlite"

    let folder: String

    var database: String { folder + "/" + Self.databaseName }
    /// Changes that are not in the database file yet.
    var journal: String { database + "-wal" }
    var locks: String { folder + "/ledger.lock" }

    var hasDatabase: Bool { access(database.cBytes, F_OK) == 0 }

    /// Creates the folder and those above it, accessible to their owner only. An existing folder keeps its mode.
    ///
    /// - Source: XDG Base Directory Specification: such folders are created with mode 0700.
    func makeFolder() throws(LedgerFailure) {
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += part
            if mkdir(path.cBytes, 0o700) != 0, errno != EEXIST, access(path.cBytes, F_OK) != 0 {
                throw .folder(folder, reason: String(cString: strerror(errno)))
            }
            path += "/"
        }
        var status = stat()
        guard stat(folder.cBytes, &status) == 0 else { throw .folder(folder, reason: String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .folder(folder, reason: "it is not a folder") }
    }

    /// Creates the database file, or changes its mode, so that only its owner has access; SQLite gives the journal the
    /// same mode.
    ///
    /// An existing file is not opened: closing it would release the locks that SQLite holds on it in this process.
    func secureDatabase() throws(LedgerFailure) {
        let descriptor = open(database.cBytes, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw .unusable(database, reason: String(cString: strerror(errno)))
        } else {
            // The mode of another user's file cannot be changed; opening it fails if access is denied.
            chmod(database.cBytes, 0o600)
        }
    }

    /// Renames an unreadable database and its journal. No process may have them open.
    ///
    /// - Returns: the new path.
    func setAside(at now: UnixTime) throws(LedgerFailure) -> String {
        let base = database + ".old-" + now.text("%Y%m%dT%H%M%SZ")
        var path = base
        var number = 1
        while access(path.cBytes, F_OK) == 0 {
            number += 1
            path = "\(base)-\(number)"
        }
        guard rename(database.cBytes, path.cBytes) == 0 else {
            throw .unusable(database, reason: String(cString: strerror(errno)))
        }
        // SQLite would apply a remaining journal to the new file.
        if rename(journal.cBytes, (path + "-wal").cBytes) != 0 { unlink(journal.cBytes) }
        unlink((database + "-shm").cBytes)
        unlink((database + "-journal").cBytes)
        return path
    }

    /// Makes the file names in the folder survive a power loss.
    func syncFolder() {
        let descriptor = open(folder.cBytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Makes committed changes survive a power loss, with one sync for many commits.
    ///
    /// SQLite writes its write-ahead log without waiting for the disk (`synchronous=NORMAL`); after a power loss it reads the
    /// part of the log that is intact. One `fdatasync` of the log makes every commit so far durable. SQLite holds no locks on
    /// this file, so opening it a second time is allowed.
    ///
    /// - Source: https://www.sqlite.org/wal.html, https://www.sqlite.org/howtocorrupt.html (2.2).
    func syncJournal() {
        let descriptor = open(journal.cBytes, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fdatasync(descriptor)
        close(descriptor)
    }
}
