/// Ledgers as each version wrote them, in SQL: three transfers, one unfinished, one failed and one finished.
enum OldLedgers {
    static let first = """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('1-queue');
        CREATE TABLE runs (
            number INTEGER PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, boot TEXT NOT NULL,
            startedAt INTEGER NOT NULL, folder TEXT NOT NULL, title TEXT NOT NULL
        );
        INSERT INTO runs VALUES (3, 99, 'first-boot', 1795000000000, '/home/someone', 'urls.txt');
        CREATE TABLE settings (id INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE);
        INSERT INTO settings VALUES (1, '{"connectTimeout":[0,15000000000000000000],"headers":["X-A: 1"],"isInsecure":false,
            "maxRedirects":20,"maxTries":7,"onConflict":"rename","retryWait":[0,1000000000000000000],
            "stallTimeout":[1,11553255926290448384],"usesNetrc":false}');
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
        INSERT INTO transfers VALUES (12884901889, 3, 1, 'down', 'http://me:pw@a/x
        http://b/x', '/got', NULL, 1, 'md5=d41d8cd98f00b204e9800998ecf8427e', 0, 'unfinished', NULL, 'x', 'x.part', 'x', '0-9',
            100, '"tag"', NULL, 8, 0, 100, 2, 1, 10, 1795000000000, 1795000001000, NULL);
        INSERT INTO transfers VALUES (12884901890, 3, 0, 'down', 'http://me:pw@a/y', '/got', 'sub/y', 1, NULL, 0, 'failed',
            '{"httpStatus":{"_0":404}}', 'sub/y', NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 5, 0, 1, 0, 1795000000000,
            1795000001000, 1795000002000);
        INSERT INTO transfers VALUES (12884901891, 3, 2, 'down', 'http://a/z', '/got', NULL, 1, NULL, 0, 'saved',
            'z (1)', 'z (1)', NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 50, 3, 1, 60, 1795000000000, 1795000001000,
            1795000003000);
        """

    static let second =
        first + """
            INSERT INTO grdb_migrations VALUES ('2-history');
            CREATE TABLE history (
                key INTEGER PRIMARY KEY, settledAt INTEGER NOT NULL, startedAt INTEGER, name TEXT NOT NULL,
                folder TEXT NOT NULL, url TEXT NOT NULL, size INTEGER, hauled INTEGER NOT NULL,
                outcome TEXT NOT NULL, detail TEXT
            );
            CREATE INDEX historyBySettledAt ON history (settledAt);
            INSERT INTO history VALUES (12884901890, 1795000002000, 1795000001000, 'sub/y', '/got', 'http://a/y', NULL, 0,
                'failed', '{"httpStatus":{"_0":404}}');
            INSERT INTO history VALUES (12884901891, 1795000003000, 1795000001000, 'z (1)', '/got', 'http://a/z', 50, 60,
                'saved', 'z (1)');
            """

    static let third =
        second + """
            INSERT INTO grdb_migrations VALUES ('3-details');
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
            INSERT INTO attempts VALUES (12884901889, 1, 'a', 1795000001000, 1795000002000, 0, 10, 'failed',
                '{"httpStatus":{"_0":503}}');
            INSERT INTO answers VALUES (12884901889, 'http://b/x', 'HTTP/1.1', '192.0.2.1', 80, NULL, NULL, 503,
                'server: s', NULL, NULL);
            """

    static let fourth =
        third + """
            INSERT INTO grdb_migrations VALUES ('4-run-options');
            ALTER TABLE runs ADD COLUMN options TEXT;
            ALTER TABLE transfers ADD COLUMN listed TEXT;
            """

    static let fifth =
        fourth + """
            INSERT INTO grdb_migrations VALUES ('5-hosts');
            CREATE TABLE hosts (
                host TEXT PRIMARY KEY, connections INTEGER NOT NULL, learnedAt INTEGER NOT NULL
            ) WITHOUT ROWID;
            INSERT INTO hosts VALUES ('a', 3, 1795000000000);
            """

    /// With all that came since.
    static let tenth =
        fifth + """
            INSERT INTO grdb_migrations VALUES ('6-uploads');
            ALTER TABLE transfers ADD COLUMN upload TEXT;
            INSERT INTO grdb_migrations VALUES ('7-replies');
            CREATE TABLE replies (
                transfer INTEGER PRIMARY KEY, status INTEGER NOT NULL, location TEXT, body TEXT NOT NULL,
                isCut INTEGER NOT NULL
            );
            INSERT INTO grdb_migrations VALUES ('8-pieces');
            ALTER TABLE transfers ADD COLUMN listedFrom TEXT;
            ALTER TABLE transfers ADD COLUMN pieceHash TEXT;
            ALTER TABLE transfers ADD COLUMN pieceLength INTEGER;
            ALTER TABLE transfers ADD COLUMN pieces BLOB;
            INSERT INTO grdb_migrations VALUES ('9-size');
            ALTER TABLE transfers ADD COLUMN listedSize INTEGER;
            INSERT INTO grdb_migrations VALUES ('10-folders');
            ALTER TABLE transfers ADD COLUMN namedParts INTEGER;
            ALTER TABLE transfers ADD COLUMN versionSize INTEGER;
            ALTER TABLE transfers ADD COLUMN versionTolerance INTEGER;
            ALTER TABLE transfers ADD COLUMN versionTime INTEGER;
            ALTER TABLE transfers ADD COLUMN versionFacts INTEGER;
            ALTER TABLE transfers ADD COLUMN versionTag INTEGER;
            ALTER TABLE transfers ADD COLUMN folderOrder TEXT;
            """
}
