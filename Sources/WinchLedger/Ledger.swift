import Dispatch
import Synchronization
public import WinchCore

/// The queue in an SQLite file, shared by all runs of a person.
///
/// What is recorded is written by a serial queue of its own, and survives the end of the process from then on; a second
/// later it survives a power loss too. Several processes may have it open: each entry belongs to one run, and a run lives as
/// long as its process.
public final class Ledger: LedgerPort, Sendable {
    let store: LedgerStore
    private let files: LedgerFiles
    /// Gone with the process: then the run is over.
    private let locks: RunLocks
    private let journal: JournalSync
    private let queue = DispatchQueue(label: "winch.ledger", qos: .utility)
    private let backlog = Mutex(Backlog())
    private let isSyncDue = Mutex(false)
    private let tell: @Sendable (LedgerFailure) -> Void

    /// How long a change may be lost by a power loss; an `fdatasync` a second costs next to nothing.
    private static let syncSpan = DispatchTimeInterval.seconds(1)
    /// A disk that was full is asked again after so long, if nothing is recorded before.
    private static let retrySpan = DispatchTimeInterval.seconds(5)

    init(
        store: LedgerStore, files: LedgerFiles, locks: RunLocks, tell: @escaping @Sendable (LedgerFailure) -> Void
    ) {
        self.store = store
        self.files = files
        self.locks = locks
        self.tell = tell
        journal = JournalSync(files)
    }

    /// Returns at once. Changes that wait for one another's writing share a transaction. What cannot be written is kept,
    /// coalesced, and tried again.
    public func record(_ changes: [LedgerChange]) {
        let isToBeWritten = backlog.withLock { $0.add(changes) }
        if isToBeWritten { queue.async { self.writeBacklog() } }
    }

    /// Waits for all that was recorded, makes it last, and ends the run for the ledger: others may go on with its entries.
    public func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.writeBacklog()
                let isFirst = self.backlog.withLock { $0.close() }
                if isFirst { self.finish() }
                continuation.resume()
            }
        }
    }

    /// This run takes over entries of earlier runs that are over. Waits for the file.
    ///
    /// - Returns: those that it got. What another process has taken in the meantime is not among them, nor what was never
    ///   in the ledger.
    @discardableResult public func adopt(_ keys: [LedgerKey]) -> [LedgerKey] {
        queue.sync {
            do {
                return try store.adopt(keys)
            } catch {
                report(error)
                return keys
            }
        }
    }

    /// Keeps what counts for this run as a whole, for one that continues it. Returns at once.
    public func keep(_ options: [Setting]) {
        let text = options.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
        queue.async {
            do { try self.store.keep(options: text) } catch { self.report(error) }
        }
    }

    /// What is still to be written is written before; nothing when the file cannot be read.
    public func details(of key: LedgerKey) async -> KeptDetails? {
        await withCheckedContinuation { continuation in
            queue.async {
                self.writeBacklog()
                continuation.resume(returning: try? self.store.details(of: key))
            }
        }
    }

    /// Newest first; what is still to be written is written before.
    public func history(_ query: HistoryQuery) throws(LedgerFailure) -> [HistoryEntry] {
        let result = queue.sync { () -> Result<[HistoryEntry], LedgerFailure> in
            writeBacklog()
            do {
                return .success(try store.history(query))
            } catch {
                return .failure(.unusable(files.database, reason: Self.reason(error)))
            }
        }
        return try result.get()
    }

    // MARK: - On the queue

    private func writeBacklog() {
        write(backlog.withLock { $0.take() })
    }

    private func write(_ batches: [[LedgerChange]]) {
        guard !batches.isEmpty else { return }
        do {
            try store.write(batches)
            scheduleSync()
        } catch {
            let setback = backlog.withLock { $0.putBack(batches) }
            if setback.isToBeTold { report(error) }
            guard setback.isToBeRetried else { return }
            queue.asyncAfter(deadline: .now() + Self.retrySpan) { [weak self] in
                guard let self else { return }
                write(backlog.withLock { $0.takeAgain() })
            }
        }
    }

    private func scheduleSync() {
        let isScheduled = isSyncDue.withLock { isDue in
            defer { isDue = true }
            return isDue
        }
        guard !isScheduled else { return }
        queue.asyncAfter(deadline: .now() + Self.syncSpan) { [weak self] in self?.sync() }
    }

    private func sync() {
        isSyncDue.withLock { $0 = false }
        journal.sync()
    }

    /// Whoever closes last has the log written into the file, which makes it last: one more sync before that would be
    /// waited for at the end of every run. Where the log stays, it is synced as ever.
    private func finish() {
        do { try store.close() } catch { report(error) }
        if files.hasJournal { journal.sync() }
        locks.unlock(store.run)
    }

    private func report(_ error: any Error) {
        tell(.notWritten(files.database, reason: Self.reason(error)))
    }

    private static func reason(_ error: any Error) -> String {
        (error as? SQLiteError)?.message ?? "\(error)"
    }
}
