public import WinchCore

extension Ledger {
    /// Opens `ledger.sqlite` in the state folder for a new run; makes what is missing, for the eyes of its owner alone.
    ///
    /// A damaged ledger is set aside and a new one begun; the opening says so. Waits for the file, and ten seconds at most
    /// for other processes.
    ///
    /// - Parameters:
    ///   - title: what the run is called, for whoever looks into the file.
    ///   - tell: called once, from another thread, when recorded changes cannot be written.
    /// - Throws: when there is no usable ledger; downloads go on without.
    public static func open(
        stateFolder: String, now: UnixTime, title: String = "",
        tell: @escaping @Sendable (LedgerFailure) -> Void = { _ in }
    ) throws(LedgerFailure) -> (ledger: Ledger, opening: LedgerOpening) {
        try open(stateFolder: stateFolder, now: now, title: title, surroundings: .current(), tell: tell)
    }

    static func open(
        stateFolder: String, now: UnixTime, title: String = "", surroundings: Surroundings,
        tell: @escaping @Sendable (LedgerFailure) -> Void = { _ in }
    ) throws(LedgerFailure) -> (ledger: Ledger, opening: LedgerOpening) {
        let files = LedgerFiles(folder: surroundings.absolute(stateFolder))
        try files.makeFolder()
        let locks = try RunLocks(path: files.locks)
        // One at a time: nobody opens what another is about to set aside.
        try locks.lockOpening()
        defer { locks.unlockOpening() }
        let register = RunRegister(locks: locks, surroundings: surroundings, now: now)
        let (store, opening) = try enterOrReplace(files, register, title: title)
        files.syncFolder()
        return (Ledger(store: store, files: files, locks: locks, tell: tell), opening)
    }

    /// With a new file when the one that is there is damaged.
    private static func enterOrReplace(
        _ files: LedgerFiles, _ register: RunRegister, title: String
    ) throws(LedgerFailure) -> (LedgerStore, LedgerOpening) {
        let reason: String
        do throws(DatabaseOpener.Refusal) {
            return try enter(files, register, title: title)
        } catch {
            guard case .damaged(let words) = error else { throw error.failure(files) }
            reason = words
        }
        // A process that closes it would take the new file's journal for its own, and remove it.
        guard !register.locks.hasLivingRuns else { throw .damagedInUse(files.database) }
        let path = try files.setAside(at: register.now)
        do throws(DatabaseOpener.Refusal) {
            let entered = try enter(files, register, title: title)
            var opening = entered.1
            opening.warning = "the ledger was damaged (\(reason)); it was renamed to \(path), and a new one was created"
            return (entered.0, opening)
        } catch {
            throw error.failure(files)
        }
    }

    private static func enter(
        _ files: LedgerFiles, _ register: RunRegister, title: String
    ) throws(DatabaseOpener.Refusal) -> (LedgerStore, LedgerOpening) {
        do throws(LedgerFailure) { try files.secureDatabase() } catch { throw .failed(error) }
        let opener = DatabaseOpener(files: files)
        let database = try opener.open()
        return try opener.refusing { try register.enter(database, title: title) }
    }

    /// How many settled transfers are remembered.
    public static var historyLength: Int { HistoryTable.longest }

    /// Looks up past downloads, newest first, without a run of its own: nothing is there yet, nothing is found.
    public static func history(
        stateFolder: String, _ query: HistoryQuery
    ) throws(LedgerFailure) -> [HistoryEntry] {
        let files = LedgerFiles(folder: Surroundings.current().absolute(stateFolder))
        guard files.hasDatabase else { return [] }
        let locks = try RunLocks(path: files.locks)
        try locks.lockOpening()
        defer { locks.unlockOpening() }
        let opener = DatabaseOpener(files: files)
        do throws(DatabaseOpener.Refusal) {
            let database = try opener.open()
            defer { try? database.close() }
            return try opener.refusing { try database.read { db in try HistoryTable.find(query, in: db) } }
        } catch {
            throw error.failure(files)
        }
    }
}

extension DatabaseOpener.Refusal {
    /// For whoever cannot set it aside.
    fileprivate func failure(_ files: LedgerFiles) -> LedgerFailure {
        switch self {
        case .damaged: .damaged(files.database)
        case .failed(let failure): failure
        }
    }
}
