import Glibc
package import WinchBatch
package import WinchModel
import WinchSystem

/// Enters a new run into the database, and reads what earlier runs left.
struct RunRegister {
    let locks: RunLocks
    let identity: RunIdentity
    let now: UnixTime

    /// The other runs in the file.
    private struct Others {
        /// Process IDs by run.
        var living: [Int64: Int32] = [:]
        var ended = LedgerDatabase.EndedRuns()
        /// The latest ended run that has entries.
        var last: Int64?
    }

    /// - Returns: the store of the new run, and the entries that it may adopt.
    func enter(_ db: SQLiteConnection, title: String) throws -> (store: LedgerDatabase, opening: LedgerContents) {
        try db.transaction(.writing) {
            let run = try number(db, title: title)
            let others = try others(than: run, db)
            try LedgerRetention.forget(others.ended.all, last: others.last, db, at: now)
            var opening = LedgerContents(firstKey: LedgerKey(run << Self.keyBits))
            try load(others, db, &opening)
            return (LedgerDatabase(db, run: run, identity: identity, endedRuns: others.ended), opening)
        }
    }

    /// Reads what other runs have left since the run of the store began.
    ///
    /// - Returns: what they have left, which the store may adopt now.
    func left(beside store: LedgerDatabase) throws -> LedgerContents {
        let db = store.db
        return try db.transaction(.writing) {
            let others = try others(than: store.run, db)
            store.endedRuns = others.ended
            var opening = LedgerContents(firstKey: LedgerKey(0))
            try load(others, db, &opening, besides: store.run)
            return opening
        }
    }

    /// Finished downloads of ended runs that stay when a run begins, in queue order. Nothing is written.
    func finishedFiles(_ db: SQLiteConnection) throws(SQLiteError) -> [LedgerEntry] {
        // No run has this number.
        let others = try others(than: 0, db)
        let ended = LedgerDatabase.list(others.ended.all)
        var reader = TransfersTableReader()
        var entries: [LedgerEntry] = []
        var rows = try db.rows(
            """
            \(TransfersTableReader.selection)
            WHERE transfers.standing IN ('saved', 'alreadyComplete') AND transfers.upload IS NULL
                AND transfers.run IN (\(ended)) AND (transfers.run = ? OR transfers.run IN (\(LedgerRetention.openRuns)))
            ORDER BY transfers.run, transfers.rank, transfers.key
            """, [others.last ?? 0])
        while let row = try rows.next() {
            if let entry = reader.read(row) { entries.append(entry) }
        }
        return entries
    }

    /// The run is locked before the transaction makes its number visible to other processes.
    private func number(_ db: SQLiteConnection, title: String) throws -> Int64 {
        while true {
            try db.run(
                "INSERT INTO runs (pid, boot, startedAt, folder, title) VALUES (?, ?, ?, ?, ?)",
                [identity.pid, identity.bootID, now.milliseconds, identity.workingFolder, title])
            let run = db.lastInsertedKey
            // A run that still uses a deleted ledger holds the lock: the next number is tried.
            if try locks.lock(run) { return run }
            try db.run("DELETE FROM runs WHERE number = ?", [run])
        }
    }

    private func others(than run: Int64, _ db: SQLiteConnection) throws(SQLiteError) -> Others {
        var others = Others()
        var rows = try db.rows("SELECT number, pid, boot FROM runs WHERE number <> ? ORDER BY number", [run])
        while let row = try rows.next() {
            let number: Int64 = row[0] ?? 0
            if locks.isHeld(number) {
                others.living[number] = row[1] ?? 0
            } else {
                others.ended.all.insert(number)
                if identity.isAfterReboot(since: row[2] ?? "") { others.ended.rebooted.insert(number) }
            }
        }
        let owners = try Set(db.values("SELECT DISTINCT run FROM transfers") as [Int64])
        others.ended.all.formUnion(owners.subtracting(others.living.keys))
        others.last = others.ended.all.intersection(owners).max()
        return others
    }

    /// - Parameter own: a run whose entries are left out.
    private func load(
        _ others: Others, _ db: SQLiteConnection, _ opening: inout LedgerContents, besides own: Int64 = 0
    ) throws(SQLiteError) {
        var reader = TransfersTableReader()
        var entries: [(run: Int64, entry: LedgerEntry)] = []
        var unreadable: [LedgerKey] = []
        var rows = try db.rows("\(TransfersTableReader.selection) ORDER BY key")
        while let row = try rows.next() {
            let run = TransfersTableReader.run(row)
            if run == own { continue }
            if let pid = others.living[run] {
                guard let entry = reader.read(row), !entry.standing.isSettled else { continue }
                opening.heldByOthers.append(HeldEntry(entry: entry, pid: pid))
            } else if var entry = reader.read(row) {
                if others.ended.rebooted.contains(run) { entry.resume?.isAfterReboot = true }
                entries.append((run, entry))
            } else {
                unreadable.append(TransfersTableReader.key(row))
            }
        }
        entries.sort { ($0.run, $0.entry.rank, $0.entry.key) < ($1.run, $1.entry.rank, $1.entry.key) }
        opening.unfinished = entries.map(\.entry)
        if let last = entries.lazy.filter({ $0.entry.standing.isLeft }).map(\.run).max() {
            let text: String? = try db.value("SELECT options FROM runs WHERE number = ?", [last])
            opening.options = NameValueLines(parsing: Array((text ?? "").utf8)).lines.map(\.setting)
        }
        try loadUnread(others, db, &opening)
        guard !unreadable.isEmpty else { return }
        for key in unreadable { try db.run("DELETE FROM transfers WHERE key = ?", [key.number]) }
        opening.warning = "invalid entries of the ledger were dropped: \(unreadable.count)"
    }

    /// A run that was given the same command later has read its list anew, unless that was standard input.
    private func loadUnread(
        _ others: Others, _ db: SQLiteConnection, _ opening: inout LedgerContents
    ) throws(SQLiteError) {
        let ended = LedgerDatabase.list(others.ended.all)
        var rows = try db.rows(
            """
            SELECT title, folder FROM runs
            WHERE isListUnread AND number IN (\(ended)) AND number IN (SELECT run FROM transfers)
                AND NOT EXISTS (
                    SELECT 1 FROM runs AS later
                    WHERE later.number > runs.number AND later.title = runs.title AND later.folder = runs.folder
                        AND runs.title || ' ' NOT GLOB '*[ =i]- *')
            ORDER BY number
            """)
        while let row = try rows.next() {
            let (title, folder): (String, String) = (row[0] ?? "", row[1] ?? "")
            opening.unread.append(folder == identity.workingFolder ? title : "\(title) (in \(folder))")
        }
    }

    /// 2^32 keys for each of 2^31 runs.
    private static let keyBits: Int64 = 32
}

/// The contents of a ledger when a run opens it.
package struct LedgerContents: Sendable {
    /// The transfers that ended runs left, in queue order, with absolute folders: unfinished, paused and failed ones of all
    /// these runs; finished and cancelled ones of the last of them, and of those with unfinished transfers. Failed transfers
    /// of earlier runs are dropped after 30 days. Transfers of runs that are alive are not included.
    /// `ResumePoint.isAfterReboot` is set where the machine was rebooted since.
    package var unfinished: [LedgerEntry] = []
    /// The options of the last run that left transfers, as they were at its end.
    package var options: [NameValueLine] = []
    /// The commands of ended runs that have not read their lists to the end, in their order, with the folder where that is another
    /// one: `unfinished` has what they had read.
    package var unread: [String] = []
    /// The first of 2^32 consecutive keys that belong to this run and were never used before.
    package var firstKey: LedgerKey
    /// The transfers that other processes have not settled yet.
    package var heldByOthers: [HeldEntry] = []
    /// A message for the user, e.g. that a damaged ledger was renamed.
    package var warning: String?
}

/// A transfer that belongs to another process.
package struct HeldEntry: Hashable, Sendable {
    package var entry: LedgerEntry
    package var pid: Int32
}

/// Knows which runs are alive: each run holds a lock on one byte of a file, and the kernel releases it when the process
/// ends, also after a crash.
///
/// Byte 0 is locked while a ledger is opened or its history is read, byte n by run n for its whole life. The locks belong
/// to the open file, not to the process: two ledgers in one process see each other's.
///
/// - Source: fcntl(2), open file description locks.
final class RunLocks: Sendable {
    private let descriptor: Int32
    private let path: String

    static let opening: Int64 = 0

    init(path: String) throws(LedgerFailure) {
        self.path = path
        descriptor = open(path.cBytes, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(path, reason: String(cString: strerror(errno))) }
    }

    deinit {
        close(descriptor)
    }

    /// - Returns: false when another run holds the lock.
    func lock(_ place: Int64) throws(LedgerFailure) -> Bool {
        var request = Self.request(place, count: 1, type: F_WRLCK)
        if fcntl(descriptor, Self.setLock, &request) == 0 { return true }
        guard errno == EAGAIN || errno == EACCES else {
            throw .unusable(path, reason: String(cString: strerror(errno)))
        }
        return false
    }

    func unlock(_ place: Int64) {
        var request = Self.request(place, count: 1, type: F_UNLCK)
        _ = fcntl(descriptor, Self.setLock, &request)
    }

    /// Waits while another process opens the ledger, which takes a second at most.
    ///
    /// - Throws: `.busy` after ten seconds.
    func lockOpening() throws(LedgerFailure) {
        for _ in 0..<Self.maxAttempts {
            if try lock(Self.opening) { return }
            usleep(10_000)
        }
        throw .busy(path)
    }

    func unlockOpening() { unlock(Self.opening) }

    /// Another run holds the lock. True also when the kernel does not answer: an entry must not be run twice.
    func isHeld(_ run: Int64) -> Bool { isHeld(from: run, count: 1) }

    /// Any other run is alive.
    var hasLivingRuns: Bool { isHeld(from: 1, count: 0) }

    /// - Parameter count: of bytes; 0: to the end.
    private func isHeld(from place: Int64, count: Int64) -> Bool {
        var request = Self.request(place, count: count, type: F_WRLCK)
        guard fcntl(descriptor, Self.getLock, &request) == 0 else { return true }
        return Int32(request.l_type) != F_UNLCK
    }

    private static func request(_ place: Int64, count: Int64, type: Int32) -> flock {
        var request = flock()
        request.l_type = Int16(type)
        request.l_whence = Int16(SEEK_SET)
        request.l_start = off_t(place)
        request.l_len = off_t(count)
        return request
    }

    /// Attempts, 10 ms apart: ten seconds.
    private static let maxAttempts = 1000
    /// F_OFD_GETLK and F_OFD_SETLK, which the module of the C library leaves out.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)
}

/// The process of a run and the boot of the machine in which it runs.
package struct RunIdentity: Hashable, Sendable {
    var pid: Int32
    /// Changes with every boot of the machine; empty when the kernel does not provide it.
    var bootID: String
    /// Relative folders are resolved against it.
    let workingFolder: String
    private let folder: WorkingFolder

    init(pid: Int32, bootID: String, workingFolder: String) {
        (self.pid, self.bootID, self.workingFolder) = (pid, bootID, workingFolder)
        folder = WorkingFolder(workingFolder)
    }

    package static func current() -> RunIdentity {
        RunIdentity(pid: getpid(), bootID: BootID.current ?? "", workingFolder: CurrentFolder.path ?? "/")
    }

    /// True unless it is certain that the machine has not been rebooted since.
    func isAfterReboot(since bootID: String) -> Bool { bootID.isEmpty || bootID != self.bootID }

    /// As `WorkingFolder` has it.
    func absolute(_ path: String) -> String { folder.absolute(path) }
}
