import WinchModel

/// The tables, and the migrations that update older files. A released migration is never changed.
enum Schema {
    struct Migration: Sendable {
        /// Stored in the file once it is applied.
        let name: String
        let sql: String
        /// Fills the new tables.
        var fill: (@Sendable (SQLiteConnection) throws(SQLiteError) -> Void)?
    }

    /// In the order in which they are applied.
    static let migrations = [
        // The entries of all runs.
        //
        // `transfers.ranges`: the bytes on disk, inclusive positions as HTTP writes them, `0-1233,2000-2999`.
        // `transfers.durable`: the bytes that were synced, as in `ranges`; of earlier versions their number when there is no gap.
        // `transfers.urls`: mirrors, one per line. Times: milliseconds since 1970. No foreign keys are declared: a file that
        // violates one must still be readable.
        Migration(
            name: "1-queue",
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
                """),
        // Settled transfers, kept after their entries are deleted. No URL in it contains a login.
        Migration(
            name: "2-history",
            sql: """
                CREATE TABLE history (
                    key INTEGER PRIMARY KEY, settledAt INTEGER NOT NULL, startedAt INTEGER, name TEXT NOT NULL,
                    folder TEXT NOT NULL, url TEXT NOT NULL, size INTEGER, hauled INTEGER NOT NULL,
                    outcome TEXT NOT NULL, detail TEXT
                );
                CREATE INDEX historyBySettledAt ON history (settledAt);
                """, fill: fillHistory),
        // The attempts at each transfer and the last answer; most transfers have no row in either of the new tables.
        //
        // `worked`: milliseconds. `answers.headers`: one per line, `name: value`.
        Migration(
            name: "3-details",
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
                """),
        // `runs.options`: the options of a run, `name=value` lines. `transfers.listed`: the checksum from a list, stored with
        // each transfer so that transfers with different checksums share a row of `settings`.
        Migration(
            name: "4-run-options",
            sql: """
                ALTER TABLE runs ADD COLUMN options TEXT;
                ALTER TABLE transfers ADD COLUMN listed TEXT;
                """),
        // How many connections for one file each host was found to allow. `learnedAt`: milliseconds since 1970.
        Migration(
            name: "5-hosts",
            sql: """
                CREATE TABLE hosts (
                    host TEXT PRIMARY KEY, connections INTEGER NOT NULL, learnedAt INTEGER NOT NULL
                ) WITHOUT ROWID;
                """),
        // `transfers.upload`: what an upload sends and where, as JSON; NULL for downloads.
        Migration(name: "6-uploads", sql: "ALTER TABLE transfers ADD COLUMN upload TEXT"),
        // The server's answer to an upload: its status, `Location`, and the beginning of its body, 1 when that was cut.
        Migration(
            name: "7-replies",
            sql: """
                CREATE TABLE replies (
                    transfer INTEGER PRIMARY KEY, status INTEGER NOT NULL, location TEXT, body TEXT NOT NULL,
                    isCut INTEGER NOT NULL
                );
                """),
        // What a Metalink says of a transfer's file, so that a later run verifies it as this one would.
        //
        // `transfers.listedFrom`: the origin of `listed`, `metalink`; NULL: a checksum list. `transfers.pieceHash`,
        // `pieceLength`, `pieces`: the hash function, the bytes in a piece and the digests one after the other; NULL: none.
        Migration(
            name: "8-pieces",
            sql: """
                ALTER TABLE transfers ADD COLUMN listedFrom TEXT;
                ALTER TABLE transfers ADD COLUMN pieceHash TEXT;
                ALTER TABLE transfers ADD COLUMN pieceLength INTEGER;
                ALTER TABLE transfers ADD COLUMN pieces BLOB;
                """),
        // `transfers.listedSize`: the bytes that a download without hashes must have, from a Metalink; NULL: it may have any size.
        Migration(name: "9-size", sql: "ALTER TABLE transfers ADD COLUMN listedSize INTEGER"),
        // `transfers.namedParts`: the last parts of the folder that servers named. `versionSize` to `versionTag`: what a folder's
        // listing says of the file; NULL: nothing. `versionTime`: seconds since 1970. `versionFacts`: see `ListedTime.facts`.
        // `folderOrder`: a `FolderOrder` as JSON; NULL: the transfer lists no folder.
        Migration(
            name: "10-folders",
            sql: """
                ALTER TABLE transfers ADD COLUMN namedParts INTEGER;
                ALTER TABLE transfers ADD COLUMN versionSize INTEGER;
                ALTER TABLE transfers ADD COLUMN versionTolerance INTEGER;
                ALTER TABLE transfers ADD COLUMN versionTime INTEGER;
                ALTER TABLE transfers ADD COLUMN versionFacts INTEGER;
                ALTER TABLE transfers ADD COLUMN versionTag INTEGER;
                ALTER TABLE transfers ADD COLUMN folderOrder TEXT;
                """),
    ]

    /// Names of the migrations applied to the file, in their order; names that this version does not know come last. The
    /// table is named after the library that earlier versions used.
    static func applied(_ db: SQLiteConnection) throws(SQLiteError) -> [String] {
        let hasTable: Int64? = try db.value(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'grdb_migrations'")
        guard hasTable != nil else { return [] }
        let found: [String] = try db.values("SELECT identifier FROM grdb_migrations ORDER BY identifier")
        let known = migrations.map(\.name)
        return known.filter { found.contains($0) } + found.filter { !known.contains($0) }
    }

    /// Whether another program has made the file's tables: before its own, Winch makes the one of the migrations.
    static func isForeign(_ db: SQLiteConnection) throws(SQLiteError) -> Bool {
        let found: Int64? = try db.value(
            """
            SELECT 1 FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
            AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'grdb_migrations')
            """)
        return found != nil
    }

    /// Whether a later version of Winch has written the file.
    static func isNewer(_ db: SQLiteConnection) throws(SQLiteError) -> Bool {
        let known = migrations.map(\.name)
        return try applied(db).contains { !known.contains($0) }
    }

    /// Applies the missing migrations, each in a transaction.
    ///
    /// - Parameter last: the name of the last to apply; `nil`: all.
    static func migrate(_ db: SQLiteConnection, upTo last: String? = nil) throws {
        try db.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        let applied = try applied(db)
        let end = migrations.firstIndex { $0.name == last } ?? migrations.endIndex - 1
        for migration in migrations[...end] where !applied.contains(migration.name) {
            try db.transaction(.writing) {
                try db.execute(migration.sql)
                try migration.fill?(db)
                try db.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", [migration.name])
            }
        }
    }

    /// From the transfers that are settled.
    @Sendable private static func fillHistory(_ db: SQLiteConnection) throws(SQLiteError) {
        var settled = try db.rows(
            """
            SELECT key, settledAt, startedAt, standing, detail, name, folder, urls, confidence, size, hauled
            FROM transfers WHERE standing NOT IN ('unfinished', 'paused')
            """)
        while let row = try settled.next() {
            let word: String = row[3] ?? ""
            let path: String? = word == "failed" ? nil : row[4]
            let urls: String = row[7] ?? ""
            let url = (try? TransferURL(urls.prefix { $0 != "\n" }))?.redacted ?? ""
            let size: Int64? = (row[8] as Int64?) == 0 ? nil : row[9]
            try db.run(
                """
                INSERT INTO history (key, settledAt, startedAt, name, folder, url, size, hauled, outcome, detail)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    row[0] as Int64?, row[1] ?? 0 as Int64, row[2] as Int64?, path ?? row[5] ?? "", row[6] as String?,
                    url, size, row[10] as Int64?, word, row[4] as String?,
                ])
        }
    }
}
