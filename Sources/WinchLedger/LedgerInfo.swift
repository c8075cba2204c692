import CSQLite

/// What the ledger is kept with, for people who ask.
public enum LedgerInfo {
    /// The name of the file in the state folder.
    public static let fileName = LedgerFiles.databaseName

    /// SQLite and its version.
    public static var sqliteVersion: String {
        let number = Int(sqlite3_libversion_number())
        return "SQLite \(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }
}
