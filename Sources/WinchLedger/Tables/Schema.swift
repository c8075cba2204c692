import WinchModel

/// The tables, and the marks in the file that tell their version.
enum Schema {
    /// Raised with each change of the tables.
    static let version: Int64 = 12
    /// The first version whose files are brought up to date; those of earlier ones are renamed.
    static let oldest: Int64 = 10

    /// `PRAGMA application_id` of a ledger: `Wnch`.
    private static let application: Int64 = 0x576E_6368

    /// The version of the file's tables, of which 0 has none; `nil`: they are those of another program.
    static func version(of db: SQLiteConnection) throws(SQLiteError) -> Int64? {
        let mark: Int64? = try db.value("PRAGMA application_id")
        if mark == application { return try db.value("PRAGMA user_version") }
        let tables: [String] = try db.values(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'")
        guard !tables.isEmpty else { return 0 }
        // Up to version 10 its rows tell the version. Other programs have a table of this name too, from the library GRDB.
        guard tables.contains("grdb_migrations") else { return nil }
        let applied: [String] = try db.values("SELECT identifier FROM grdb_migrations")
        guard applied.contains("1-queue") else { return nil }
        return applied.count > 10 ? Int64.max : Int64(applied.count)
    }

    /// Makes the tables, or brings those of `oldest` up to date.
    static func update(_ db: SQLiteConnection, from version: Int64) throws {
        guard version < Self.version else { return }
        try db.transaction(.writing) {
            if version == 0 {
                try db.execute(tables)
            } else {
                try db.execute(obsolete + "; ALTER TABLE runs ADD COLUMN isListUnread INTEGER NOT NULL DEFAULT 0")
            }
            try db.execute(sums)
            try completeSettings(db)
            try db.execute("PRAGMA application_id = \(application); PRAGMA user_version = \(Self.version)")
        }
    }

    /// Settings that an earlier version did not have get their default values. It may have kept a login to `loginHosts`, without
    /// their schemes: that login goes to no server any more.
    private static func completeSettings(_ db: SQLiteConnection) throws {
        try db.run(
            """
            UPDATE OR IGNORE settings SET json = json_insert(json, '$.loginOrigins', json('[]'))
            WHERE json_valid(json) AND instr(json, '"loginHosts"')
            """)
        let usual = try StoredJSON.encode(TransferSettings())
        let keys: [String] = try db.values("SELECT key FROM json_each(?)", [usual])
        let missing = keys.map { ", '$.\($0)', ?1 -> '$.\($0)'" }.joined()
        try db.run("UPDATE OR IGNORE settings SET json = json_insert(json\(missing)) WHERE json_valid(json)", [usual])
    }

    /// The lists of `--sums`, by the keys that settings name.
    private static let sums = """
        CREATE TABLE IF NOT EXISTS sums (key TEXT PRIMARY KEY, run INTEGER NOT NULL, json TEXT NOT NULL)
        """

    /// What earlier versions had: the first up to 10, the second up to 11.
    private static let obsolete = "DROP TABLE IF EXISTS grdb_migrations; DROP TABLE IF EXISTS hosts"

    /// Times: milliseconds since 1970. No foreign keys are declared: a file that violates one must still be readable.
    ///
    /// - `runs.options`: the options of a run, `name=value` lines.
    /// - `runs.isListUnread`: `transfers` has a part of the run's list, and the rest was not read.
    /// - `transfers.urls`: mirrors, one per line.
    /// - `transfers.ranges`: the bytes on disk, inclusive positions as HTTP writes them, `0-1233,2000-2999`.
    /// - `transfers.durable`: the bytes that were synced, as in `ranges`.
    /// - `transfers.worked`: milliseconds.
    /// - `transfers.listed`: the checksum from a list, stored with each transfer so that transfers with different checksums share
    ///   a row of `settings`; `listedFrom`: its origin, `metalink`; NULL: a checksum list.
    /// - `transfers.upload`: what an upload sends and where, as JSON; NULL for downloads.
    /// - `transfers.pieceHash`, `pieceLength`, `pieces`: the hash function, the bytes in a piece and the digests one after the
    ///   other, from a Metalink; NULL: none.
    /// - `transfers.listedSize`: the bytes that a download without hashes must have, from a Metalink; NULL: it may have any size.
    /// - `transfers.namedParts`: the last parts of the folder that servers named.
    /// - `transfers.versionSize` to `versionTag`: what a folder's listing says of the file; NULL: nothing. `versionTime`: seconds
    ///   since 1970. `versionFacts`: see `ListedTime.facts`.
    /// - `transfers.folderOrder`: a `FolderOrder` as JSON; NULL: the transfer lists no folder.
    /// - `history`: settled transfers, kept after their entries are deleted. No URL in it contains a login.
    /// - `attempts`, `answers`, `replies`: the attempts at each transfer, the last answer, and what it said of an upload, its body
    ///   from the start, `isCut` when there was more of it. Most transfers have no row in them. `answers.headers`: one per line,
    ///   `name: value`.
    private static let tables = """
        CREATE TABLE runs (
            number INTEGER PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, boot TEXT NOT NULL,
            startedAt INTEGER NOT NULL, folder TEXT NOT NULL, title TEXT NOT NULL, options TEXT,
            isListUnread INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE settings (id INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE);
        CREATE TABLE transfers (
            key INTEGER PRIMARY KEY, run INTEGER NOT NULL, rank INTEGER NOT NULL, direction TEXT NOT NULL,
            urls TEXT NOT NULL, folder TEXT NOT NULL, outName TEXT, settings INTEGER NOT NULL, checksum TEXT,
            startsPaused INTEGER NOT NULL, standing TEXT NOT NULL, detail TEXT, name TEXT NOT NULL,
            partPath TEXT, targetPath TEXT, ranges TEXT, total INTEGER, etag TEXT, lastModified TEXT,
            durable INTEGER NOT NULL, isAfterReboot INTEGER NOT NULL, size INTEGER NOT NULL,
            confidence INTEGER NOT NULL, attempts INTEGER NOT NULL, hauled INTEGER NOT NULL,
            addedAt INTEGER NOT NULL, startedAt INTEGER, settledAt INTEGER, worked INTEGER, warning TEXT,
            listed TEXT, upload TEXT, listedFrom TEXT, pieceHash TEXT, pieceLength INTEGER, pieces BLOB,
            listedSize INTEGER, namedParts INTEGER, versionSize INTEGER, versionTolerance INTEGER,
            versionTime INTEGER, versionFacts INTEGER, versionTag INTEGER, folderOrder TEXT
        );
        CREATE INDEX transfersBySettings ON transfers (settings);
        CREATE TABLE history (
            key INTEGER PRIMARY KEY, settledAt INTEGER NOT NULL, startedAt INTEGER, name TEXT NOT NULL,
            folder TEXT NOT NULL, url TEXT NOT NULL, size INTEGER, hauled INTEGER NOT NULL,
            outcome TEXT NOT NULL, detail TEXT, worked INTEGER
        );
        CREATE INDEX historyBySettledAt ON history (settledAt);
        CREATE TABLE attempts (
            transfer INTEGER NOT NULL, number INTEGER NOT NULL, host TEXT NOT NULL, began INTEGER NOT NULL,
            ended INTEGER, start INTEGER NOT NULL, have INTEGER NOT NULL, outcome TEXT NOT NULL, detail TEXT,
            PRIMARY KEY (transfer, number)
        ) WITHOUT ROWID;
        CREATE TABLE answers (
            transfer INTEGER PRIMARY KEY, location TEXT, protocol TEXT, address TEXT, port INTEGER,
            tlsVersion TEXT, tlsCipher TEXT, status INTEGER, headers TEXT, etag TEXT, lastModified TEXT
        );
        CREATE TABLE replies (
            transfer INTEGER PRIMARY KEY, status INTEGER NOT NULL, location TEXT, body TEXT NOT NULL,
            isCut INTEGER NOT NULL
        );
        """
}
