import Glibc
package import WinchModel

extension Ledger {
    /// Opens `ledger.sqlite` in the state folder for a new run. Missing folders and files are created, accessible to their
    /// owner only.
    ///
    /// A ledger that is damaged or of an older version is renamed and a new one created; the opening has a warning then. Blocks while the file is read, and
    /// ten seconds at most while other processes open it.
    ///
    /// - Parameters:
    ///   - title: the command of the run, for `LedgerContents.unread`.
    ///   - onWrite: called from another thread when recorded changes cannot be written, and with `nil` when they are after all.
    /// - Throws: when there is no usable ledger; the caller goes on without one.
    package static func open(
        stateFolder: String, now: UnixTime, title: String = "", identity: RunIdentity = .current(),
        onWrite: @escaping @Sendable (LedgerFailure?) -> Void = { _ in }
    ) throws(LedgerFailure) -> (ledger: Ledger, opening: LedgerContents) {
        let files = LedgerFiles(folder: identity.absolute(stateFolder))
        try files.makeFolder()
        let locks = try RunLocks(path: files.locks)
        // One process at a time: no other may open a file that is about to be renamed.
        try locks.lockOpening()
        defer { locks.unlockOpening() }
        let register = RunRegister(locks: locks, identity: identity, now: now)
        let (store, opening) = try enterOrReplace(files, register, title: title)
        files.syncFolder()
        return (Ledger(store: store, files: files, locks: locks, onWrite: onWrite), opening)
    }

    /// Enters the run into the existing file, or into a new one when that is unreadable.
    private static func enterOrReplace(
        _ files: LedgerFiles, _ register: RunRegister, title: String
    ) throws(LedgerFailure) -> (LedgerDatabase, LedgerContents) {
        let fault: String
        do throws(LedgerFailure) {
            return try enter(files, register, title: title)
        } catch {
            guard case .unreadable(_, let words) = error else { throw error }
            fault = words
        }
        // Another process that has the file open would delete the new file's journal when closing.
        guard !register.locks.hasLivingRuns else { throw .unreadableInUse(files.database, fault: fault) }
        let path = try files.setAside(at: register.now)
        var entered = try enter(files, register, title: title)
        entered.1.warning = "the ledger \(fault); it was renamed to \(path), and a new one was created"
        return entered
    }

    private static func enter(
        _ files: LedgerFiles, _ register: RunRegister, title: String
    ) throws(LedgerFailure) -> (LedgerDatabase, LedgerContents) {
        try files.secureDatabase()
        let opener = DatabaseOpener(files: files)
        let db = try opener.open()
        return try opener.refusing { try register.enter(db, title: title) }
    }

    /// Entries of the history: 25 MB of file, and a search through all of them takes a fraction of a second.
    package static let historyLength = 100_000

    /// Lists past downloads, newest first, without registering a run. Empty when there is no ledger; none is created.
    package static func history(
        stateFolder: String, _ query: HistoryQuery
    ) throws(LedgerFailure) -> [HistoryEntry] {
        try read(stateFolder: stateFolder) { db, _ in try HistoryTable.find(query, in: db) } ?? []
    }

    /// The downloads that a run which began now would find finished (`LedgerContents.unfinished`), without registering one.
    package static func finishedFiles(
        stateFolder: String, now: UnixTime, identity: RunIdentity = .current()
    ) throws(LedgerFailure) -> [LedgerEntry] {
        try read(stateFolder: stateFolder) { db, locks in
            try RunRegister(locks: locks, identity: identity, now: now).finishedFiles(db)
        } ?? []
    }

    /// - Returns: `nil` when there is no ledger; none is created.
    private static func read<Result>(
        stateFolder: String, _ body: (SQLiteConnection, RunLocks) throws -> Result
    ) throws(LedgerFailure) -> Result? {
        let files = LedgerFiles(folder: RunIdentity.current().absolute(stateFolder))
        guard files.hasDatabase else { return nil }
        let locks = try RunLocks(path: files.locks)
        try locks.lockOpening()
        defer { locks.unlockOpening() }
        let opener = DatabaseOpener(files: files)
        let db = try opener.open()
        defer { try? db.close() }
        return try opener.refusing { try db.transaction(.reading) { try body(db, locks) } }
    }
}

/// Opens the database file and brings it up to date.
struct DatabaseOpener {
    let files: LedgerFiles

    /// Milliseconds to wait for another process that writes: adding a hundred thousand entries takes a second.
    private static let busyTimeout: Int32 = 5000

    func open() throws(LedgerFailure) -> SQLiteConnection {
        try refusing { () throws in
            let connection = try SQLiteConnection(path: files.database, busyTimeout: Self.busyTimeout)
            // Deleted logins are overwritten in the file, not only unlinked.
            try connection.execute("PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 4194304")
            // Before anything is written: a file of another program or version is left unchanged.
            guard let version = try Schema.version(of: connection) else {
                throw LedgerFailure.unusable(files.database, reason: "it is a database of another program")
            }
            guard version <= Schema.version else { throw LedgerFailure.newer(files.database) }
            guard version == 0 || version >= Schema.oldest else {
                throw LedgerFailure.unreadable(files.database, fault: "was written by an older Winch")
            }
            let verdict: String = try connection.value("PRAGMA quick_check(1)") ?? "no response"
            guard verdict == "ok" else { throw damaged(verdict) }
            try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            try Schema.update(connection, from: version)
            return connection
        }
    }

    /// Turns an error of the database into a failure of the ledger.
    func refusing<Result>(_ work: () throws -> Result) throws(LedgerFailure) -> Result {
        do {
            return try work()
        } catch let failure as LedgerFailure {
            throw failure
        } catch let error as SQLiteError {
            switch error.kind {
            case .damaged: throw damaged(error.message)
            case .busy: throw .busy(files.database)
            case .other: throw .unusable(files.database, reason: error.message)
            }
        } catch {
            throw .unusable(files.database, reason: "\(error)")
        }
    }

    private func damaged(_ reason: String) -> LedgerFailure {
        .unreadable(files.database, fault: "is damaged (\(reason))")
    }
}

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
