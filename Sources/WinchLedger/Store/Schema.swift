import GRDB
import WinchCore

/// The tables, and how an older file becomes a current one. A migration that has been released is never changed.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1-queue") { try makeQueue($0) }
        migrator.registerMigration("2-history") { try makeHistory($0) }
        migrator.registerMigration("3-details") { try makeDetails($0) }
        migrator.registerMigration("4-run-options") { try makeRunOptions($0) }
        return migrator
    }

    /// The list.
    ///
    /// `transfers.ranges`: what lies on disk, inclusive positions as HTTP writes them, `0-1233,2000-2999`.
    /// `transfers.urls`: mirrors, a line each. Times: milliseconds since 1970. Foreign keys are kept by hand: a file that
    /// breaks one must still be read.
    private static func makeQueue(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE runs (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, boot TEXT NOT NULL,
                    startedAt INTEGER NOT NULL, folder TEXT NOT NULL, title TEXT NOT NULL
                );
                CREATE TABLE settings (id INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE);
                CREATE TABLE transfers (
                    key INTEGER PRIMARY KEY, run INTEGER NOT NULL, rank INTEGER NOT NULL, direction TEXT NOT NULL,
                    urls TEXT NOT NULL, folder TEXT NOT NULL, outName TEXT, settings INTEGER NOT NULL, checksum TEXT,
                    startsPaused INTEGER NOT NULL, standing TEXT NOT NULL, detail TEXT, name TEXT NOT NULL,
                    partPath TEXT, targetPath TEXT, ranges TEXT, total INTEGER, etag TEXT, lastModified TEXT,
                    durable INTEGER NOT NULL, isAfterReboot INTEGER NOT NULL, size INTEGER NOT NULL,
                    confidence INTEGER NOT NULL, attempts INTEGER NOT NULL, hauled INTEGER NOT NULL,
                    addedAt INTEGER NOT NULL, startedAt INTEGER, settledAt INTEGER
                );
                CREATE INDEX transfersBySettings ON transfers (settings);
                """)
    }

    /// What was hauled outlives the list. No address in it has a login.
    private static func makeHistory(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE history (
                    key INTEGER PRIMARY KEY, settledAt INTEGER NOT NULL, startedAt INTEGER, name TEXT NOT NULL,
                    folder TEXT NOT NULL, url TEXT NOT NULL, size INTEGER, hauled INTEGER NOT NULL,
                    outcome TEXT NOT NULL, detail TEXT
                );
                CREATE INDEX historyBySettledAt ON history (settledAt);
                """)
        let settled = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, settledAt, startedAt, standing, detail, name, folder, urls, confidence, size, hauled
                FROM transfers WHERE standing NOT IN ('unfinished', 'paused')
                """)
        while let row = try settled.next() {
            let word: String = row[3] ?? ""
            let path: String? = word == "failed" ? nil : row[4]
            let urls: String = row[7] ?? ""
            let url = (try? TransferURL(urls.prefix { $0 != "\n" }))?.redacted ?? ""
            let size: Int64? = (row[8] as Int64?) == 0 ? nil : row[9]
            try db.execute(
                sql: """
                    INSERT INTO history (key, settledAt, startedAt, name, folder, url, size, hauled, outcome, detail)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    row[0] as Int64?, row[1] ?? 0 as Int64, row[2] as Int64?, path ?? row[5] ?? "", row[6] as String?,
                    url,
                    size, row[10] as Int64?, word, row[4] as String?,
                ])
        }
    }

    /// `runs.options`: what counts for a whole run, `name=value` lines. `transfers.listed`: the checksum from a list, which
    /// each file has of its own, so that the others' settings can be one row.
    private static func makeRunOptions(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE runs ADD COLUMN options TEXT;
                ALTER TABLE transfers ADD COLUMN listed TEXT;
                """)
    }

    /// What happened to each transfer on the list, for those who look closer; most have no row in either of the new tables.
    ///
    /// `worked`: milliseconds. `answers.headers`: a line each, `name: value`.
    private static func makeDetails(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE transfers ADD COLUMN worked INTEGER;
                ALTER TABLE transfers ADD COLUMN warning TEXT;
                ALTER TABLE history ADD COLUMN worked INTEGER;
                CREATE TABLE attempts (
                    transfer INTEGER NOT NULL, number INTEGER NOT NULL, host TEXT NOT NULL, began INTEGER NOT NULL,
                    ended INTEGER, start INTEGER NOT NULL, have INTEGER NOT NULL, outcome TEXT NOT NULL, detail TEXT,
                    PRIMARY KEY (transfer, number)
                ) WITHOUT ROWID;
                CREATE TABLE answers (
                    transfer INTEGER PRIMARY KEY, location TEXT, protocol TEXT, address TEXT, port INTEGER,
                    tlsVersion TEXT, tlsCipher TEXT, status INTEGER, headers TEXT, etag TEXT, lastModified TEXT
                );
                """)
    }
}
