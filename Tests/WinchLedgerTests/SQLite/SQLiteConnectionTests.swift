import CSQLite
import TestSupport
import Testing

@testable import WinchLedger

@Suite struct `A connection to SQLite` {
    private func withTable() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:")
        try connection.execute("CREATE TABLE t (a PRIMARY KEY, b)")
        return connection
    }

    @Test func `returns what was stored`() throws {
        let connection = try withTable()
        let texts = ["", "plain", "ä\u{1F600}", "with\0zero", String(repeating: "x", count: 1 << 20)]
        for (key, text) in texts.enumerated() { try connection.run("INSERT INTO t VALUES (?, ?)", [key, text]) }
        try expectEqual(connection.values("SELECT b FROM t ORDER BY a"), texts)
        let numbers: [Int64] = [0, -1, .min, .max]
        for (key, number) in numbers.enumerated() {
            try connection.run("UPDATE t SET b = ? WHERE a = ?", [number, key])
        }
        try expectEqual(connection.values("SELECT b FROM t WHERE a < 4 ORDER BY a"), numbers)
        try connection.run("UPDATE t SET b = ? WHERE a = ?", [nil, 4])
        try expectNil(connection.value("SELECT b FROM t WHERE a = ?", [4]) as String?)
        try expectEqual(connection.value("SELECT b IS NULL FROM t WHERE a = ?", [4]), true)
        try expectNil(connection.value("SELECT b FROM t WHERE a = ?", [99]) as Int?)
    }

    @Test(
        arguments: [
            ("SELECT ?", [], SQLITE_MISUSE), ("SELECT ?", [1, 2], SQLITE_MISUSE),
            ("", [], SQLITE_MISUSE), ("SELECT", [], SQLITE_ERROR), ("SELECT c FROM t", [], SQLITE_ERROR),
        ] as [(String, [Int], Int32)])
    func `refuses an invalid statement or wrong arguments`(sql: String, arguments: [Int], code: Int32) throws {
        let connection = try withTable()
        let error = #expect(throws: SQLiteError.self) { try connection.run(sql, arguments) }
        expectEqual(error?.code, code)
        expectEqual(error?.message.isEmpty, false)
    }

    @Test func `can run a statement again after it has failed`() throws {
        let connection = try withTable()
        let insertion = "INSERT INTO t (a) VALUES (?)"
        try connection.run(insertion, [1])
        let error = #expect(throws: SQLiteError.self) { try connection.run(insertion, [1]) }
        expectEqual(error?.code, SQLITE_CONSTRAINT | 6 << 8, "the extended code")
        try connection.run(insertion, [2])
        expectEqual(connection.changedRows, 1)
        try expectEqual(connection.values("SELECT a FROM t"), [1, 2])
    }

    @Test func `rolls back a transaction that throws`() throws {
        struct Stop: Error {}
        let connection = try withTable()
        #expect(throws: Stop.self) {
            try connection.transaction(.writing) {
                try connection.run("INSERT INTO t (a) VALUES (1)")
                throw Stop()
            }
        }
        try connection.transaction(.writing) { try connection.run("INSERT INTO t (a) VALUES (2)") }
        try expectEqual(connection.values("SELECT a FROM t"), [2])
    }

    @Test func `can read a statement's rows again after an incomplete read`() throws {
        let connection = try withTable()
        for number in 1...3 { try connection.run("INSERT INTO t (a) VALUES (?)", [number]) }
        let sql = "SELECT a FROM t ORDER BY a"
        do {
            var rows = try connection.rows(sql)
            try expectEqual(rows.next()?[0], 1)
        }
        try expectEqual(connection.values(sql), [1, 2, 3])
        try connection.close()
    }

    @Test func `reports that another connection is writing`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/db"
        let (one, two) = (try SQLiteConnection(path: path), try SQLiteConnection(path: path))
        try one.execute("CREATE TABLE t (a)")
        try one.transaction(.writing) {
            let error = #expect(throws: SQLiteError.self) { try two.transaction(.writing) {} }
            expectEqual(error?.kind, .busy)
        }
        try two.transaction(.writing) {}
    }

    @Test func `refuses statements after it is closed`() throws {
        let connection = try withTable()
        try connection.close()
        #expect(throws: SQLiteError.self) { try connection.run("SELECT 1") }
        #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1") }
        try connection.close()
    }
}
