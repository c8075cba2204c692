import WinchModel

/// How long the ledger keeps what is settled, and how many entries of the history. What hosts were found to allow is kept for
/// `LearnedHostLimit.lifetime`.
enum LedgerRetention {
    /// 30 days, in milliseconds: a failed transfer that was not retried by then is not expected to be.
    static let failureLifetime: Int64 = 30 * 86_400_000
    /// 100,000 entries of the history: 25 MB of file, and a search through all of them takes a fraction of a second.
    static let historyLength = 100_000

    /// Deletes what is kept no longer, when a run begins.
    ///
    /// Entries that are not resumed are deleted; the history keeps them. Finished and cancelled entries stay as long as their
    /// run has unfinished ones: without them the progress of a resumed queue would fall back after another run.
    ///
    /// - Parameters:
    ///   - dead: the runs that have ended.
    ///   - last: the latest of them that has entries, all of which stay but old failures.
    static func forget(
        _ dead: Set<Int64>, last: Int64?, _ db: SQLiteConnection, at now: UnixTime
    ) throws(SQLiteError) {
        let dead = dead.map { "\($0)" }.joined(separator: ", ")
        try db.prepare(
            """
            DELETE FROM transfers WHERE run IN (\(dead)) AND run <> ? AND (
                (standing IN ('saved', 'skipped', 'listed', 'cancelled')
                OR standing = 'alreadyComplete' AND upload IS NULL)
                AND run NOT IN (SELECT run FROM transfers WHERE standing IN ('unfinished', 'paused'))
                OR standing = 'failed' AND coalesce(settledAt, addedAt) < ?)
            """
        ).run([last ?? 0, now.milliseconds - failureLifetime])
        try db.execute("DELETE FROM runs WHERE number IN (\(dead)) AND number NOT IN (SELECT run FROM transfers)")
        try SettingsTable.releaseAll(db)
        try DetailsTable.removeStrays(db)
        try pruneHistory(db)
        try HostTable.prune(db, at: now)
    }

    /// Deletes all but the newest `count`.
    static func pruneHistory(_ db: SQLiteConnection, to count: Int = historyLength) throws(SQLiteError) {
        let all: Int = try db.value("SELECT count(*) FROM history") ?? 0
        guard all > count else { return }
        try db.run(
            "DELETE FROM history WHERE key IN (SELECT key FROM history ORDER BY settledAt, key LIMIT ?)",
            [all - count])
    }
}
