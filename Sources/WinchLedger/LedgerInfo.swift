import CSQLite

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
