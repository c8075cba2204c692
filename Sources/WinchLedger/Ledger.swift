import CSQLite
import Dispatch
import Synchronization
package import WinchBatch
package import WinchModel

/// The queue in an SQLite file, shared by all runs of one user.
///
/// Recorded changes are written on a serial dispatch queue; once written they survive the end of the process, and a second
/// later also a power loss. Several processes may have the file open: each entry belongs to one run, and a run is alive as
/// long as its process.
package final class Ledger: LedgerPort, Sendable {
    let store: LedgerDatabase
    private let files: LedgerFiles
    /// Released with the process, which ends the run.
    private let locks: RunLocks
    let queue = DispatchQueue(label: "winch.ledger", qos: .utility)
    private let backlog = Mutex(Backlog())
    /// What is stored beside the changes and is not in the file yet, by its name: the last one of each.
    private let notes = Mutex<[String: LedgerDatabase.Note]>([:])
    private let isSyncDue = Atomic(false)
    private let onWrite: @Sendable (LedgerFailure?) -> Void

    /// A power loss loses the changes of this time at most; one `fdatasync` a second is not measurable in transfer rates.
    private static let syncSpan = DispatchTimeInterval.seconds(1)
    /// Time until failed writes are tried again, if no change is recorded before.
    private static let retrySpan = DispatchTimeInterval.seconds(5)

    init(
        store: LedgerDatabase, files: LedgerFiles, locks: RunLocks,
        onWrite: @escaping @Sendable (LedgerFailure?) -> Void
    ) {
        (self.store, self.files, self.locks, self.onWrite) = (store, files, locks, onWrite)
    }

    /// Returns at once. Changes recorded while others are written share a transaction. Changes that cannot be written are
    /// kept, coalesced and written later.
    package func record(_ changes: [LedgerChange]) {
        let needsWriter = backlog.withLock { $0.add(changes) }
        if needsWriter { queue.async { self.writeBacklog() } }
    }

    package func flush() async { await afterBacklog {} }

    /// Writes all recorded changes durably and ends the run: later runs may adopt its entries.
    package func close() async {
        await afterBacklog { [self] in
            let isFirst = backlog.withLock { $0.close() }
            if isFirst { finish() }
        }
    }

    /// Makes this run the owner of entries of ended runs. Blocks until it is written.
    ///
    /// - Returns: the keys of entries that belong to this run now. Entries that another process has adopted, or that were
    ///   never in the ledger, are missing. All keys when the file cannot be written.
    @discardableResult package func adopt(_ keys: [LedgerKey]) -> [LedgerKey] {
        queue.sync {
            do {
                return try store.adopt(keys)
            } catch {
                report(error)
                return keys
            }
        }
    }

    /// Makes this run the owner of what other runs have left since it began: unfinished, paused and failed transfers. Blocks until
    /// it is written.
    ///
    /// - Parameter isWanted: decides which of them.
    /// - Returns: the entries in queue order, with absolute folders, `LedgerContents.options`, and `LedgerContents.unread`, each once;
    ///   empty when the file cannot be read or written.
    package func takeOver(
        now: UnixTime, where isWanted: (LedgerEntry) -> Bool
    ) -> (entries: [LedgerEntry], options: [NameValueLine], unread: [String]) {
        queue.sync {
            do {
                let left = try RunRegister(locks: locks, identity: store.identity, now: now).left(beside: store)
                let wanted = left.unfinished.filter { $0.standing.isLeft && isWanted($0) }
                let ours = try Set(store.adopt(wanted.map(\.key)))
                // Without it they are told once more.
                try? store.forgetUnread()
                return (wanted.filter { ours.contains($0.key) }, left.options, left.unread)
            } catch {
                report(error)
                return ([], [], [])
            }
        }
    }

    /// Stores the options of this run for a later run that continues it. Returns at once.
    package func keep(_ options: [NameValueLine]) {
        let text = options.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
        note("options") { try $0.keep(options: text) }
    }

    /// Stores a list of `--sums` for later runs that go on with this one's transfers, whose settings name its key. Returns at once.
    package func keep(list: String, key: String) {
        note("list " + key) { try $0.keep(list: list, key: key) }
    }

    /// A list that a run has kept; `nil`: there is none.
    package func list(_ key: String) -> String? { queue.sync { try? store.list(key) } }

    /// Stores whether a part of this run's list has still to be read, for a later run that continues it. Returns at once.
    package func note(isListUnread: Bool) {
        note("unread") { try $0.note(isListUnread: isListUnread) }
    }

    private func note(_ name: String, _ note: @escaping LedgerDatabase.Note) {
        notes.withLock { $0[name] = note }
        queue.async { self.writeBacklog() }
    }

    /// Waiting changes are written before; `nil` when there are no details, or the file cannot be read.
    package func details(of key: LedgerKey) async -> StoredDetails? {
        await afterBacklog { [store] in try? store.details(of: key) }
    }

    /// Works on the queue once all that was recorded is written, or could not be.
    private func afterBacklog<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async {
                self.writeBacklog()
                continuation.resume(returning: work())
            }
        }
    }

    // MARK: - On the queue

    private func writeBacklog() { write { $0.take() } }

    private func write(_ take: (inout Backlog) -> [[LedgerChange]]) {
        // First: that a list was read to its end must not be written before its last entries.
        let due = notes.withLock { notes in
            defer { notes = [:] }
            return notes
        }
        let batches = backlog.withLock { take(&$0) }
        guard !batches.isEmpty || !due.isEmpty else { return }
        do {
            try store.write(batches, Array(due.values))
            if backlog.withLock({ $0.noteWritten() }) { onWrite(nil) }
            scheduleSync()
        } catch {
            notes.withLock { $0.merge(due) { later, _ in later } }
            let advice = backlog.withLock { $0.putBack(batches) }
            if advice.needsReport { report(error) }
            guard advice.needsRetry else { return }
            queue.asyncAfter(deadline: .now() + Self.retrySpan) { [weak self] in self?.write { $0.takeAgain() } }
        }
    }

    private func scheduleSync() {
        guard !isSyncDue.exchange(true, ordering: .relaxed) else { return }
        queue.asyncAfter(deadline: .now() + Self.syncSpan) { [weak self] in self?.sync() }
    }

    private func sync() {
        isSyncDue.store(false, ordering: .relaxed)
        files.syncJournal()
    }

    /// The last connection to close writes the log into the file and syncs it, so no sync is needed before. A log that
    /// remains because another process has the file open is synced here.
    private func finish() {
        do { try store.db.close() } catch { report(error) }
        files.syncJournal()
        locks.unlock(store.run)
    }

    private func report(_ error: any Error) {
        backlog.withLock { $0.noteFailure() }
        onWrite(.notWritten(files.database, reason: (error as? SQLiteError)?.message ?? "\(error)"))
    }
}

/// Why the ledger cannot be used. Downloads do not need it: the caller reports the failure and goes on without a ledger.
package enum LedgerFailure: Error, Hashable, Sendable {
    /// The state folder cannot be made.
    case folder(String, reason: String)
    /// The file cannot be opened, read or written.
    case unusable(String, reason: String)
    /// Written by a later version of Winch; left as it is.
    case newer(String)
    /// Another process has held its lock for seconds.
    case busy(String)
    /// As `unreadable`, and in use by other processes, so that it cannot be renamed.
    case unreadableInUse(String, fault: String)
    /// Damaged, or of an older version, which `fault` says of it; a run that opens it renames it.
    case unreadable(String, fault: String)
    /// A batch of changes could not be written; it is kept in memory and written later.
    case notWritten(String, reason: String)

    /// One line for the user.
    package var message: String {
        switch self {
        case .folder(let path, let reason): "cannot create the state folder \(path): \(reason)"
        case .unusable(let path, let reason): "the ledger \(path) cannot be used: \(reason)"
        case .newer(let path): "the ledger \(path) was written by a newer Winch; it is left untouched"
        case .busy(let path): "the ledger \(path) is locked by another process"
        case .unreadableInUse(let path, let fault): "the ledger \(path) \(fault), and another winch still uses it"
        case .unreadable(let path, let fault):
            "the ledger \(path) \(fault); the next run of winch renames it and creates a new one"
        case .notWritten(let path, let reason):
            "the ledger \(path) cannot be written: \(reason); the queue is kept in memory until it can"
        }
    }
}

/// Facts about the ledger for `winch info`.
package enum LedgerInfo {
    /// The name of the file in the state folder.
    package static let fileName = LedgerFiles.databaseName

    /// The name and the version of the SQLite library, e.g. `SQLite 3.40.1`.
    package static var sqliteVersion: String {
        let number = Int(sqlite3_libversion_number())
        return "SQLite \(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
}
